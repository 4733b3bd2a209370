import { expect, test } from 'vitest';
import { decision, emptyClassifier, predict } from './linear-classifier.ts';

test('of several classes the largest decision value wins, the lowest label among equals', () => {
  const model = {
    classes: [2, 5, 7],
    weights: Float64Array.of(1, 0, 0, 1, 0, 1),
    intercepts: Float64Array.of(0, 0, 0),
  };
  const x = [3, 1, 1, 3, 2, 2];
  expect(Array.from(decision(model, x, 3, 2))).toEqual([3, 1, 1, 1, 3, 3, 2, 2, 2]);
  expect(Array.from(predict(model, x, 3, 2))).toEqual([2, 5, 2]);
});

test('of two classes the second wins where the one decision value is positive', () => {
  const model = { classes: [1, 4], weights: Float64Array.of(2), intercepts: Float64Array.of(-1) };
  expect(Array.from(predict(model, [0, 0.5, 1], 3, 1))).toEqual([1, 1, 4]);
});

test('an empty classifier has a row for each class, and one row for up to two', () => {
  expect(emptyClassifier([0], 4).weights.length).toBe(4);
  expect(emptyClassifier([0, 1], 4).weights.length).toBe(4);
  expect(emptyClassifier([0, 1, 2], 4).weights.length).toBe(12);
});
