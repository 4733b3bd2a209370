import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { cheapestFlow } from './network-simplex.ts';

test('the tree carries every supply to the demands, in whole numbers and against no price that could be undercut', () => {
  for (let seed = 0; seed < 30; seed++) {
    const random = stream(seed, 'problem');
    const [n, m] = [2 + random.integer(12), 2 + random.integer(12)];
    const supply = Float64Array.from({ length: n }, () => m);
    const demand = Float64Array.from({ length: m }, () => n);
    const price = Float64Array.from({ length: n * m }, () => random.integer(4));
    const { parent, flow } = cheapestFlow(price, supply, demand);

    const left = Float64Array.of(...supply, ...demand);
    let arcs = 0;
    parent.forEach((above, k) => {
      if (above < 0) return;
      arcs++;
      expect(k < n).not.toBe(above < n);
      expect(Number.isInteger(flow[k]) && flow[k] >= 0).toBe(true);
      left[k] -= flow[k];
      left[above] -= flow[k];
    });
    expect(arcs).toBe(n + m - 1);
    expect(left.every((rest) => rest === 0)).toBe(true);

    // Optimal because dual prices exist: u + v = price on the tree, and nowhere above it.
    const potential = potentials(parent, price, n, m);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < m; j++) expect(potential[i] + potential[n + j]).toBeLessThanOrEqual(price[i * m + j]);
    // Strongly feasible: an arc without flow hangs a source on a sink, never a sink on a source.
    parent.forEach((above, k) => {
      if (above >= 0 && flow[k] === 0) expect(k).toBeLessThan(n);
    });
  }
});

function potentials(parent: Int32Array, price: Float64Array, n: number, m: number): Float64Array {
  const known = new Float64Array(n + m).fill(Number.NaN);
  const of = (k: number): number => {
    const above = parent[k];
    if (Number.isNaN(known[k]))
      known[k] = above < 0 ? 0 : (k < n ? price[k * m + above - n] : price[above * m + k - n]) - of(above);
    return known[k];
  };
  return known.map((_, k) => of(k));
}
