import { expect, test } from 'vitest';
import { factorise, substitute } from './cholesky.ts';

test('the solution of a positive definite system satisfies it', () => {
  const a = [4, 2, 0.6, 2, 5, 1, 0.6, 1, 3];
  const b = [1, -2, 3];
  const l = Float64Array.from(a);
  const x = Float64Array.from(b);
  expect(factorise(l, 3)).toBe(true);
  substitute(l, 3, x);
  for (let i = 0; i < 3; i++) {
    const product = a[i * 3] * x[0] + a[i * 3 + 1] * x[1] + a[i * 3 + 2] * x[2];
    expect(product).toBeCloseTo(b[i], 13);
  }
});

test('a matrix that is singular or indefinite is refused', () => {
  expect(factorise(Float64Array.of(1, 1, 1, 1), 2)).toBe(false);
  expect(factorise(Float64Array.of(1, 2, 2, 1), 2)).toBe(false);
});

test('a block inside a longer array is solved where it lies', () => {
  const l = Float64Array.of(9, 9, 4, 0, 0, 16);
  const x = Float64Array.of(7, 8, 32);
  expect(factorise(l, 2, 2)).toBe(true);
  substitute(l, 2, x, 2, 1);
  expect(Array.from(x)).toEqual([7, 2, 2]);
});
