import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { contrastiveLatent, latentItems } from './contrastive-latent.ts';
import fixture from './fixtures/contrastive-latent.json' with { type: 'json' };

/** Two shared directions of much variance, one salient of little, in eight columns; the planted loadings are given back. */
function planted({ n = 400, seed = 1, gaps = 0, odd = 0 } = {}) {
  const source = stream(seed, 'planted');
  const d = 8;
  const direction = () => Float64Array.from({ length: d }, () => source.normal());
  const [a, b, w] = [direction(), direction(), direction()];
  const set = (isTarget: boolean) => {
    const x = new Float64Array(n * d);
    const t = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const [z1, z2] = [2 * source.normal(), 1.5 * source.normal()];
      t[i] = isTarget ? source.normal() : 0;
      const far = isTarget && i < odd ? 40 : 0;
      for (let j = 0; j < d; j++) {
        const value = z1 * a[j] + z2 * b[j] + t[i] * w[j] + 0.3 * source.normal() + far * source.normal();
        x[i * d + j] = source.uniform() < gaps ? Number.NaN : value + (isTarget ? 1 : -1);
      }
    }
    return { points: { x, n, d }, t };
  };
  const [target, background] = [set(true), set(false)];
  return { target: target.points, background: background.points, t: target.t, w };
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return Math.abs(ab) / Math.sqrt(aa * bb);
}

const kinds = [
  ['normal', {}],
  ['Student-t', { freedom: 4 }],
  ['relevance', { relevance: true, salient: 3 }],
  ['Student-t with relevance', { freedom: 4, relevance: true, salient: 3 }],
] as const;

test.each(kinds)('%s: no round lowers what EM maximises, with gaps and without', (_, options) => {
  for (const gaps of [0, 0.2]) {
    const { objective } = contrastiveLatent({ ...planted({ gaps, n: 120 }), salient: 1, ...options, iterations: 60 });
    expect(objective.length).toBeGreaterThan(10);
    for (let k = 1; k < objective.length; k++)
      expect(objective[k]).toBeGreaterThanOrEqual(objective[k - 1] - 1e-9 * Math.abs(objective[k - 1]));
  }
});

test.each([0, 0.3])(
  'the direction that the target adds is found with %f of the numbers missing, and each item’s code',
  (gaps) => {
    for (const seed of [1, 2, 3]) {
      const { w, t, ...sets } = planted({ seed, gaps });
      const model = contrastiveLatent({ ...sets, salient: 1 });
      expect(model.converged).toBe(true);
      expect(cosine(model.salientLoadings, w)).toBeGreaterThan(0.95);
      expect(Math.sqrt(model.noise)).toBeCloseTo(0.3, 1);
      const { salient, salientDeviations } = latentItems(model, sets.target, 'target');
      expect(cosine(salient, t)).toBeGreaterThan(gaps > 0 ? 0.93 : 0.97);
      // The deviations say how far codes are from the truth: 95 % of them within two, up to the sign of the direction.
      const sign = salient.reduce((sum, value, i) => sum + value * t[i], 0) < 0 ? -1 : 1;
      const within = salient.filter((value, i) => Math.abs(sign * value - t[i]) < 2 * salientDeviations[i]).length;
      expect(within / t.length).toBeGreaterThan(0.9);
    }
  },
);

test('a few items far off turn the normal model’s direction, and not the Student-t’s', () => {
  for (const seed of [1, 2, 3]) {
    const { w, t: _, ...sets } = planted({ seed, odd: 12 });
    const normal = contrastiveLatent({ ...sets, salient: 1 });
    const robust = contrastiveLatent({ ...sets, salient: 1, freedom: 3 });
    expect(cosine(robust.salientLoadings, w)).toBeGreaterThan(0.88);
    expect(cosine(normal.salientLoadings, w)).toBeLessThan(0.7);
    const { weights } = latentItems(robust, sets.target, 'target');
    expect(Math.max(...weights.subarray(0, 12))).toBeLessThan(0.01);
  }
});

test('of four salient directions relevance leaves the one that there is', () => {
  for (const seed of [1, 2, 3]) {
    const { w, t: _, ...sets } = planted({ seed });
    const { salientVariances, salientLoadings } = contrastiveLatent({
      tolerance: 1e-7,
      ...sets,
      salient: 4,
      relevance: true,
      iterations: 3000,
    });
    expect(cosine(salientLoadings.subarray(0, 8), w)).toBeGreaterThan(0.98);
    for (const variance of salientVariances.subarray(1)) expect(variance).toBeLessThan(0.02 * salientVariances[0]);
  }
});

test('likelihoods, and the gaps’ numbers, are those of dense matrices in NumPy', () => {
  const { x, y, n, m, d, normal, student } = fixture;
  const points = (rows: (number | null)[], count: number) => ({
    x: Float64Array.from(rows, (value) => value ?? Number.NaN),
    n: count,
    d,
  });
  const sets = { target: points(x, n), background: points(y, m) };
  for (const [peer, freedom] of [
    [normal, Number.POSITIVE_INFINITY],
    [student, 5],
  ] as const) {
    const model = contrastiveLatent({ ...sets, shared: 2, salient: 1, freedom, iterations: 25, tolerance: 0 });
    for (const [round, value] of peer.logLikelihoods.entries()) expect(model.objective[round]).toBeCloseTo(value, 6);
    expect(model.noise).toBeCloseTo(peer.noise, 8);
    for (const [j, value] of peer.salient.entries())
      expect(Math.abs(model.salientLoadings[j])).toBeCloseTo(Math.abs(value), 7);
    const { salient } = latentItems(model, sets.target, 'target');
    for (const [i, value] of peer.codes.entries()) expect(Math.abs(salient[i])).toBeCloseTo(Math.abs(value), 6);
  }
});

test('what can’t be fitted is refused with a sentence', () => {
  const { target, background } = planted({ n: 20 });
  expect(() => contrastiveLatent({ target, background: { ...background, d: 4, n: 40 } })).toThrow(
    'The target has 8 columns, the background 4.',
  );
  expect(() => contrastiveLatent({ target, background, salient: 8 })).toThrow('number of salient directions is 8');
  expect(() => contrastiveLatent({ target, background, freedom: 0 })).toThrow('0 degrees of freedom');
  const empty = { ...target, x: target.x.map((value, e) => (e % 8 === 3 ? Number.NaN : value)) };
  expect(() => contrastiveLatent({ target: empty, background })).toThrow('Column 3 has no number in the target.');
});
