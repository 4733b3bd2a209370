import { expect, test } from 'vitest';
import { leastSquares } from './least-squares.ts';
import { expectNear } from './testing/tables.ts';

test('a square system of full rank is solved', () => {
  expectNear(leastSquares([2, 1, 1, 3], 2, 2, [5, 10], 1), [1, 3], 1e-14);
});

test('equal columns share the weight equally, which is the smallest solution', () => {
  expectNear(leastSquares([1, 1, 2, 2, 3, 3], 3, 2, [2, 4, 6], 1), [1, 1], 1e-14);
});

test('of all solutions the one in the span of the rows is taken', () => {
  // One equation w₀ + 2 w₁ + 2 w₂ = 9: the smallest solution is 9 (1, 2, 2) / 9.
  expectNear(leastSquares([1, 2, 2], 1, 3, [9], 1), [1, 2, 2], 1e-14);
});

test('columns of zeros take no weight', () => {
  expect(Array.from(leastSquares([0, 0, 0, 0], 2, 2, [1, 2], 1))).toEqual([0, 0]);
});
