import { expect, test } from 'vitest';
import { smoothed } from './smoothing.ts';

test('smoothing weighs neighbours on both sides by their distance', () => {
  // By hand, with w = 1/2: (0·1 + 0·½ + 4·¼) / (1 + ½ + ¼), (4·½) / (1 + ½ + ½), and the mirror of the first.
  expect([...smoothed([0, 0, 4], 0.5)].map((value) => Number(value.toFixed(6)))).toEqual([0.571429, 1, 2.285714]);
  expect([...smoothed([3, 1, 2], 0)]).toEqual([3, 1, 2]);
  expect([...smoothed([5, 5, Number.NaN, 5], 0.5)]).toEqual([5, 5, Number.NaN, 5]);
});

test('the last value of a curve is smoothed by those before it alone', () => {
  // Weights 0.25 and 0.5 on two values: (0.25 · 0 + 0.5 · 6) / 0.75.
  expect(smoothed([0, 6], 0.5)[1]).toBeCloseTo(4, 12);
});

test('on a logarithmic axis smoothing is the geometric mean, which passes over what has no place there', () => {
  // 10 and 1000 with weights 1 and ½: 10^((1 + ½ · 3) / 1.5).
  expect(smoothed([10, 1000], 0.5, 'log')[0]).toBeCloseTo(10 ** (5 / 3), 9);
  expect([...smoothed([5, -1, 5], 0.5, 'log')].map((value) => Number(value.toFixed(9)))).toEqual([5, Number.NaN, 5]);
});
