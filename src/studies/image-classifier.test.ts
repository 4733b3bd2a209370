import { expect, test } from 'vitest';
import { shapesDataset } from '../data/sets/shapes.ts';
import { stream } from '../random/index.ts';
import { networkClassifier } from './image-classifier.ts';

/** Two pixels in each corner of a square; the class is whether their signs differ, which no linear classifier can tell. */
function corners(n: number, seed: number) {
  const random = stream(seed, 'corners');
  const values = new Float32Array(2 * n);
  const labels = Int32Array.from({ length: n }, (_, i) => {
    const [a, b] = [random.integer(2), random.integer(2)];
    values[2 * i] = 2 * a - 1 + 0.2 * random.normal();
    values[2 * i + 1] = 2 * b - 1 + 0.2 * random.normal();
    return a === b ? 0 : 1;
  });
  return { values, n, size: 2, labels };
}

const shareRight = (guesses: ArrayLike<number>, labels: ArrayLike<number>) =>
  Array.from(guesses).filter((guess, i) => guess === labels[i]).length / guesses.length;

test('it learns what no linear classifier can', () => {
  const [train, held] = [corners(2000, 1), corners(500, 2)];
  const classify = networkClassifier.train(train, 1);
  expect(shareRight(classify(held.values, held.n), held.labels)).toBeGreaterThan(0.99);
});

test('it tells shapes apart that it has not seen, the same way for the same seed', () => {
  const data = shapesDataset();
  const order = stream(1, 'parts').permutation(data.length);
  const part = (from: number, to: number) => {
    const items = order.subarray(from, to);
    const labels = Int32Array.from(items, (item) => data.labels!.values[item]);
    return { values: data.gather(items), n: items.length, size: 256, labels };
  };
  const [train, held] = [part(0, 1500), part(1500, 2100)];
  const first = networkClassifier.train(train, 3)(held.values, held.n);
  expect(shareRight(first, held.labels)).toBeGreaterThan(0.6);
  expect(networkClassifier.train(train, 3)(held.values, held.n)).toEqual(first);
  expect(networkClassifier.train(train, 4)(held.values, held.n)).not.toEqual(first);
});
