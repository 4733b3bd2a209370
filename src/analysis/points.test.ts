import { expect, test } from 'vitest';
import { checkCosts, checkCount, checkPoints } from './points.ts';

test('doubles are taken as they are, single precision is copied', () => {
  const doubles = Float64Array.of(1, 2, 3, 4);
  expect(checkPoints({ x: doubles, n: 2, d: 2 })).toBe(doubles);
  expect(checkPoints({ x: Float32Array.of(0.5, 2), n: 2, d: 1 })).toEqual(Float64Array.of(0.5, 2));
});

test('too few points and missing numbers are named', () => {
  expect(() => checkPoints({ x: Float64Array.of(1), n: 1, d: 1 }, 2)).toThrow('The number of points is 1.');
  expect(() => checkPoints({ x: Float64Array.of(1, 2, 3, Number.NaN), n: 2, d: 2 })).toThrow(
    'Column 1 holds NaN in row 1',
  );
});

test('a count that is no whole number in its range is refused, with the range as a hint', () => {
  expect(() => checkCount('the number of clusters', 2.5, 1, 4)).toThrow(
    expect.objectContaining({
      message: 'The number of clusters is 2.5.',
      hint: 'It must be a whole number, between 1 and 4.',
    }),
  );
  expect(() => checkCount('the number of clusters', Number.NaN, 1)).toThrow('is NaN');
  expect(() => checkCount('the number of clusters', 4, 1, 4)).not.toThrow();
});

test('numbers whose squares and costs whose sums would overflow are refused', () => {
  expect(() => checkPoints({ x: Float64Array.of(1e160, 1), n: 2, d: 1 })).toThrow('A number as large as 1e+160');
  expect(() => checkCosts(Float64Array.of(1, -1e200), 1, 2)).toThrow('A cost as large as 1e+200');
  expect(() => checkCosts(Float64Array.of(1, -1e100), 1, 2)).not.toThrow();
});
