import { expect, test } from 'vitest';
import { affinities, conditionals } from './affinities.ts';
import fixture from './fixtures/tsne.json' with { type: 'json' };

const x = Float64Array.from(fixture.joint.x);
const n = x.length / 3;

test('joint probabilities over all pairs are scikit-learn’s', () => {
  const { starts, columns, values } = affinities(x, n, 3, n - 1, fixture.joint.perplexity);
  expect(columns).toHaveLength((n * (n - 1)) / 2);
  for (let i = 0; i < n; i++) {
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const theirs = fixture.joint.p[i * n + columns[e]];
      // Both stop the search for the width when the entropy is right to 1e-5.
      expect(Math.abs(values[e] - theirs)).toBeLessThan(2e-4 * theirs + 1e-9);
    }
  }
});

test('each pair is there once, also if only one names the other as a neighbour, and all add up to one', () => {
  const { starts, columns, values } = affinities(x, n, 3, 8, 2.5);
  const pairs = new Set<number>();
  for (let i = 0; i < n; i++) {
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      expect(columns[e]).toBeGreaterThan(i);
      pairs.add(i * n + columns[e]);
    }
  }
  expect(pairs.size).toBe(columns.length);
  expect(columns.length).toBeGreaterThan((n * 8) / 2);
  expect(2 * values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
});

test('each point has the perplexity that was asked for', () => {
  const distances = Float64Array.from(
    { length: 3 * 10 },
    (_, e) => (1 + (e % 10)) ** 2 * [1e-40, 1, 1e40][Math.floor(e / 10)],
  );
  const p = conditionals(distances, 3, 10, 4);
  for (let i = 0; i < 3; i++) {
    const entropy = p
      .subarray(i * 10, i * 10 + 10)
      .reduce((sum, value) => sum - (value > 0 ? value * Math.log(value) : 0), 0);
    expect(Math.exp(entropy)).toBeCloseTo(4, 3);
  }
});

test('equally far neighbours are equally likely', () => {
  expect(Array.from(conditionals(new Float64Array(4), 1, 4, 2))).toEqual([0.25, 0.25, 0.25, 0.25]);
});
