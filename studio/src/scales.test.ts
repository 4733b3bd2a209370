import { expect, test } from 'vitest';
import { finiteRange, nearestIndex, smooth, ticks, tickWords, valueRange } from './scales.ts';

test('an axis has round numbers, and powers of ten if it is logarithmic', () => {
  expect(ticks([0, 1500], false, 5)).toEqual([0, 500, 1000, 1500]);
  expect(ticks([-0.03, 0.11], false, 4)).toEqual([0, 0.05, 0.1]);
  expect(ticks([0.02, 3000], true, 10)).toEqual([0.1, 1, 10, 100, 1000]);
  expect(ticks([12, 70], true, 4)).toEqual([20, 50]);
  expect(ticks([3, 3], false, 4)).toEqual([3]);
});

test('smoothing a constant changes nothing, from the first value on, and passes over what is no number', () => {
  const smoothed = smooth([4, 4, Number.NaN, 4], 0.9);
  expect(smoothed.map((value) => Number(value.toFixed(9)))).toEqual([4, 4, Number.NaN, 4]);
  // Weights 0.25 and 0.5 on two values: (0.25 · 0 + 0.5 · 6) / 0.75.
  expect(smooth([0, 6], 0.5)[1]).toBeCloseTo(4, 12);
});

test('the nearest step is found between, before and after all', () => {
  const steps = [10, 20, 40];
  expect([-5, 14, 16, 29, 31, 99].map((value) => nearestIndex(steps, value))).toEqual([0, 0, 1, 1, 2, 2]);
  expect(nearestIndex([7], 100)).toBe(0);
});

test('the range of values leaves out what is not finite', () => {
  expect(finiteRange([3, Number.NaN, -1, Number.POSITIVE_INFINITY])).toEqual([-1, 3]);
  expect(finiteRange([])).toEqual([0, 1]);
});

test('ticks that are near each other are told apart', () => {
  expect(tickWords([546.8, 547, 547.2])).toEqual(['546.8', '547', '547.2']);
  expect(tickWords([0, 0.5, 1])).toEqual(['0', '0.500', '1']);
});

const falling = (start: number, end: number) =>
  Array.from({ length: 100 }, (_, i) => (i < 2 ? start : end + (100 - i)));

test('a curve lies in its chart whole, unless its first steps tower over all others, which is said', () => {
  expect(valueRange([falling(300, 200)], false)).toEqual({ range: [201 - 99 * 0.05, 300 + 99 * 0.05] });
  const { range, above } = valueRange([falling(5000, 200)], false);
  expect([range[1] < 310, range[1] > 295, above]).toEqual([true, true, 5000]);
  expect(valueRange([[1, 10, 100]], true)).toEqual({ range: [1, 100] });
  expect(valueRange([[Number.NaN, 3]], false).range).toEqual([2.85, 3.15]);
});
