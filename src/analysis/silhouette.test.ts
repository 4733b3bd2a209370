import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import fixture from './fixtures/clustering.json' with { type: 'json' };
import { silhouette, silhouettes } from './silhouette.ts';

const { d, labels, samples, mean } = fixture.silhouette;
const x = Float64Array.from(fixture.silhouette.x);
const n = labels.length;

test('silhouettes are scikit-learn’s, 0 for a point that is alone', () => {
  const found = silhouettes({ x, n, d, labels });
  samples.forEach((expected, i) => {
    expect(found[i]).toBeCloseTo(expected, 9);
  });
  expect(labels.filter((label) => label === labels[7])).toHaveLength(1);
  expect(found[7]).toBe(0);
  expect(silhouette({ x, n, d, labels })).toBeCloseTo(mean, 9);
});

test('clusters larger than a block are summed whole', () => {
  const size = 500;
  const points = Float64Array.from(stream(1, 'points').normals(size * 2));
  const halves = Array.from({ length: size }, (_, i) => (i % 3 === 0 ? 1 : 0));
  const found = silhouettes({ x: points, n: size, d: 2, labels: halves });
  for (const i of [0, 1, 250, 499]) expect(found[i]).toBeCloseTo(byDefinition(points, size, halves, i), 12);
});

test('a sample comes near the whole', () => {
  const size = 2000;
  const random = stream(2, 'points');
  const points = Float64Array.from({ length: size }, (_, i) => random.normal() + (i % 2) * 5);
  const sides = Array.from({ length: size }, (_, i) => i % 2);
  const whole = silhouette({ x: points, n: size, d: 1, labels: sides });
  const part = silhouette({ x: points, n: size, d: 1, labels: sides, sample: 300, seed: 4 });
  expect(Math.abs(part - whole)).toBeLessThan(0.03);
  expect(part).not.toBe(whole);
});

test('points that are all equal have silhouette 0', () => {
  const found = silhouettes({ x: new Float64Array(6), n: 6, d: 1, labels: [0, 0, 0, 1, 1, 1] });
  expect(Array.from(found)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('one cluster, a cluster a point, and missing numbers are refused in words', () => {
  const points = Float64Array.of(1, 2, 3);
  expect(() => silhouette({ x: points, n: 3, d: 1, labels: [4, 4, 4] })).toThrow('3 points in 1 clusters');
  expect(() => silhouette({ x: points, n: 3, d: 1, labels: [0, 1, 2] })).toThrow('3 points in 3 clusters');
  expect(() => silhouette({ x: points, n: 3, d: 1, labels: [0, 1] })).toThrow(UntangleError);
  expect(() => silhouette({ x: Float64Array.of(1, Number.NaN, 3), n: 3, d: 1, labels: [0, 1, 1] })).toThrow('NaN');
});

function byDefinition(points: Float64Array, size: number, groups: number[], i: number): number {
  const sums = [0, 0];
  const counts = [0, 0];
  for (let j = 0; j < size; j++) {
    if (j === i) continue;
    sums[groups[j]] += Math.hypot(points[2 * i] - points[2 * j], points[2 * i + 1] - points[2 * j + 1]);
    counts[groups[j]]++;
  }
  const a = sums[groups[i]] / counts[groups[i]];
  const b = sums[1 - groups[i]] / counts[1 - groups[i]];
  return (b - a) / Math.max(a, b);
}
