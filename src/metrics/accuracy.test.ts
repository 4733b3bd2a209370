import { expect, test } from 'vitest';
import { accuracyOf, accuracyPerClass, balanced, majorityShare } from './accuracy.ts';

const actual = [0, 0, 0, 1];
const predicted = [0, 0, 1, 1];

test('accuracy counts rows, balanced accuracy counts classes, and classes without rows do not count', () => {
  expect(accuracyOf(predicted, actual)).toBe(3 / 4);
  const perClass = accuracyPerClass(predicted, actual, 3);
  expect(perClass).toEqual([2 / 3, 1, Number.NaN]);
  expect(balanced(perClass)).toBeCloseTo(5 / 6, 12);
});

test('chance is the share of the most frequent class', () => {
  expect(majorityShare(actual, 3)).toBe(3 / 4);
});
