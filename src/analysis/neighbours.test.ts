import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { squaredDistance } from './distances.ts';
import fixture from './fixtures/clustering.json' with { type: 'json' };
import { nearestNeighbours } from './neighbours.ts';

test('the nearest neighbours are scikit-learn’s, nearest first', () => {
  const x = Float64Array.from(fixture.silhouette.x);
  const { indices } = nearestNeighbours(x, 120, 4, fixture.neighbours.k);
  expect(Array.from(indices)).toEqual(fixture.neighbours.indices);
});

test('across blocks, no other point is nearer than the furthest neighbour', () => {
  const [n, d, k] = [333, 3, 10];
  const x = Float64Array.from(stream(1, 'points').normals(n * d));
  const { indices, squaredDistances } = nearestNeighbours(x, n, d, k);
  for (let i = 0; i < n; i++) {
    const own = indices.subarray(i * k, (i + 1) * k);
    const sorted = Array.from({ length: n }, (_, j) => j)
      .filter((j) => j !== i)
      .map((j) => squaredDistance(x, i * d, x, j * d, d))
      .sort((a, b) => a - b);
    expect(new Set(own).size).toBe(k);
    for (let r = 0; r < k; r++) expect(squaredDistances[i * k + r]).toBe(sorted[r]);
  }
});

test('equal points are neighbours of each other, by index, and never of themselves', () => {
  const { indices, squaredDistances } = nearestNeighbours(new Float64Array(4), 4, 1, 3);
  expect(Array.from(indices)).toEqual([1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]);
  expect(squaredDistances.every((distance) => distance === 0)).toBe(true);
});
