import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { squaredDistance } from './distances.ts';
import fixture from './fixtures/clustering.json' with { type: 'json' };
import { kmeans } from './kmeans.ts';

test.each(fixture.kmeans)('the clusters of “$name” are as tight as scikit-learn’s with ten starts', (known) => {
  const x = Float64Array.from(known.x);
  const [d, k, n] = [known.d, known.k, known.x.length / known.d];
  const theirs = known.inertias.reduce((sum, inertia) => sum + inertia, 0) / known.inertias.length;
  for (const seed of [1, 2, 3]) {
    const { labels, centres, inertia } = kmeans({ x, n, d, k, seed });
    expect(inertia).toBeLessThan(theirs * 1.01);
    expect(inertia).toBeGreaterThan(Math.min(...known.inertias) * 0.97);
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const distances = Array.from({ length: k }, (_, c) => squaredDistance(x, i * d, centres, c * d, d));
      expect(distances[labels[i]]).toBe(Math.min(...distances));
      sum += distances[labels[i]];
    }
    expect(inertia).toBeCloseTo(sum, 8);
  }
});

test('clear clusters are found to the last digit', () => {
  const { x, d, k, inertias } = fixture.kmeans[0];
  expect(kmeans({ x: Float64Array.from(x), n: x.length / d, d, k, seed: 5 }).inertia).toBeCloseTo(inertias[0], 8);
});

test('the same seed gives the same clusters', () => {
  const { x, d, k } = fixture.kmeans[1];
  const run = () => kmeans({ x: Float64Array.from(x), n: x.length / d, d, k, seed: 9, restarts: 2 });
  expect(run()).toEqual(run());
});

test('one cluster has the mean for its centre, and as many clusters as points have no inertia', () => {
  const x = Float32Array.of(0, 0, 4, 0, 0, 2, 4, 2);
  const one = kmeans({ x, n: 4, d: 2, k: 1, seed: 0 });
  expect(Array.from(one.centres)).toEqual([2, 1]);
  expect(one.inertia).toBeCloseTo(20, 12);
  const all = kmeans({ x, n: 4, d: 2, k: 4, seed: 0 });
  expect(new Set(all.labels).size).toBe(4);
  expect(all.inertia).toBe(0);
});

test('a cluster that loses all its points gets the furthest one', () => {
  const x = Float64Array.of(0, 0.1, 0.2, 10, 10.1, 100);
  for (let seed = 0; seed < 20; seed++) {
    const { labels, inertia } = kmeans({ x, n: 6, d: 1, k: 3, seed, restarts: 1 });
    expect(new Set(labels).size).toBe(3);
    expect(inertia).toBeLessThan(100 ** 2);
  }
});

test('points that are all equal are one cluster without inertia', () => {
  const found = kmeans({ x: new Float64Array(20).fill(3), n: 10, d: 2, k: 4, seed: 1 });
  expect(new Set(found.labels).size).toBe(1);
  expect(found.inertia).toBe(0);
  expect(found.centres.every((value) => value === 3)).toBe(true);
});

test('what cannot be clustered is refused in words', () => {
  const x = Float64Array.of(1, 2, 3);
  expect(() => kmeans({ x, n: 3, d: 1, k: 4, seed: 0 })).toThrow('number of clusters is 4');
  expect(() => kmeans({ x, n: 3, d: 1, k: 0, seed: 0 })).toThrow(UntangleError);
  expect(() => kmeans({ x: x.fill(Number.NaN), n: 3, d: 1, k: 2, seed: 0 })).toThrow('NaN');
  expect(() => kmeans({ x: new Float64Array(0), n: 0, d: 1, k: 1, seed: 0 })).toThrow(UntangleError);
});
