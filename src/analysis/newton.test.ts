import { expect, test } from 'vitest';
import { minimise } from './newton.ts';

test('a convex function without a quadratic shape is brought to its minimum', () => {
  // f(w) = e^w₀ − 2w₀ + cosh(w₁ − 1), least at (ln 2, 1).
  const w = Float64Array.of(5, -9);
  minimise(
    {
      value: ([a, b]) => Math.exp(a) - 2 * a + Math.cosh(b - 1),
      derivatives: ([a, b], gradient, hessian) => {
        gradient.set([Math.exp(a) - 2, Math.sinh(b - 1)]);
        hessian.set([Math.exp(a), 0, 0, Math.cosh(b - 1)]);
      },
    },
    w,
  );
  expect(Math.abs(w[0] - Math.LN2)).toBeLessThan(1e-12);
  expect(Math.abs(w[1] - 1)).toBeLessThan(1e-12);
});

test('a start at the minimum stays there', () => {
  const w = Float64Array.of(0);
  minimise(
    {
      value: ([a]) => a * a,
      derivatives: ([a], gradient, hessian) => {
        gradient[0] = 2 * a;
        hessian[0] = 2;
      },
    },
    w,
  );
  expect(w[0]).toBe(0);
});
