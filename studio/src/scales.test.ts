import { expect, test } from 'vitest';
import { finiteRange, nearestIndex, valueRange } from './scales.ts';

test('the nearest step is found between, before and after all', () => {
  const steps = [10, 20, 40];
  expect([-5, 14, 16, 29, 31, 99].map((value) => nearestIndex(steps, value))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(nearestIndex([7], 100)).toBe(0);
});

test('the range of values leaves out what is not finite', () => {
  expect(finiteRange([3, Number.NaN, -1, Number.POSITIVE_INFINITY])).toEqual([-1, 3]);
  expect(finiteRange([])).toEqual([0, 1]);
});

const falling = (start: number, end: number) =>
  Array.from({ length: 100 }, (_, i) => (i < 2 ? start : end + (100 - i)));

test('a curve lies in its chart whole, unless its first steps tower over all others, which is said', () => {
  expect(valueRange([falling(300, 200)], false)).toEqual({ range: [201 - 99 * 0.05, 300 + 99 * 0.05] });
  const { range, above } = valueRange([falling(5000, 200)], false);
  expect([range[1] < 310, range[1] > 295, above]).toEqual([true, true, 5000]);
  expect(valueRange([[1, 10, 100]], true)).toEqual({ range: [1, 100] });
  // Nothing has a place on a logarithmic axis, which still begins above zero.
  expect(valueRange([[-1, -2]], true)).toEqual({ range: [0.1, 1] });
  expect(valueRange([[Number.NaN, 3]], false).range).toEqual([2.85, 3.15]);
});
