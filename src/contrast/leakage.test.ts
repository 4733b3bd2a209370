import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { explained } from './leakage.ts';

test('of a block whose half of the variance comes from the other, a linear map finds half', () => {
  const noise = stream(1, 'codes');
  const n = 4000;
  const x = Float64Array.from({ length: n * 2 }, () => noise.normal());
  const y = Float64Array.from({ length: n }, (_, i) => x[2 * i] + noise.normal());
  expect(explained({ x, n, d: 2 }, { x: y, n, d: 1 }, 1)).toBeCloseTo(0.5, 1);
  expect(explained({ x: y, n, d: 1 }, { x, n, d: 2 }, 1)).toBeCloseTo(0.25, 1);
});

test('nothing is found between independent codes', () => {
  const noise = stream(2, 'codes');
  const points = (d: number) => ({ x: Float64Array.from({ length: 1000 * d }, () => noise.normal()), n: 1000, d });
  expect(explained(points(3), points(2), 1)).toBeLessThan(0.02);
});
