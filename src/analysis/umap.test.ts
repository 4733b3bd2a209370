import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import fixture from './fixtures/tsne.json' with { type: 'json' };
import { silhouette } from './silhouette.ts';
import { trustworthiness } from './trustworthiness.ts';
import { umap } from './umap.ts';

const { x: values, n, d } = fixture.cases[2];
const x = Float64Array.from(values);

test('neighbours stay neighbours', () => {
  const { embedding } = umap({ x, n, d, seed: 1, epochs: 200 });
  expect(embedding).toHaveLength(2 * n);
  expect(trustworthiness({ x, n, d, embedding })).toBeGreaterThan(0.95);
});

test('a smaller least distance packs clusters more tightly', () => {
  const size = 120;
  const groups = Float64Array.from({ length: size * 2 }, (_, e) => Math.sin(12.9898 * e) + (e < size ? 0 : 20));
  const labels = Array.from({ length: size }, (_, i) => (i < size / 2 ? 0 : 1));
  const [tight, loose] = [0, 0.9].map((minDistance) => {
    const { embedding } = umap({ x: groups, n: size, d: 2, seed: 1, minDistance, epochs: 200 });
    return silhouette({ x: embedding, n: size, d: 2, labels });
  });
  expect(tight).toBeGreaterThan(0.8);
  expect(tight).toBeGreaterThan(loose);
});

test('the same seed gives the same picture, another seed another', () => {
  const run = (seed: number) => umap({ x, n, d, seed, epochs: 20 }).embedding;
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
});

test('progress is told after every epoch', () => {
  const epochs: number[] = [];
  umap({ x, n, d, seed: 1, epochs: 7, onProgress: ({ epoch }) => epochs.push(epoch) });
  expect(epochs).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('equal points give finite numbers', () => {
  const { embedding } = umap({ x: new Float64Array(40), n: 20, d: 2, seed: 1, epochs: 20 });
  expect(embedding.every(Number.isFinite)).toBe(true);
});

test('too few points and missing numbers are refused in words', () => {
  expect(() => umap({ x: new Float64Array(10), n: 10, d: 1, seed: 1 })).toThrow('number of neighbours is 15');
  expect(() => umap({ x: x.map(() => Number.NaN), n, d, seed: 1 })).toThrow(UntangleError);
  expect(() => umap({ x, n, d, seed: 1, minDistance: 2 })).toThrow('least distance of 2');
});
