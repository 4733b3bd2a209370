import { expect, test } from 'vitest';
import { lnGamma } from './log-gamma.ts';

test('the logarithm of the gamma function is that of factorials, and of √π at a half', () => {
  let factorial = 1;
  for (let n = 1; n < 20; n++) {
    expect(lnGamma(n)).toBeCloseTo(Math.log(factorial), 11);
    factorial *= n;
  }
  expect(lnGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
  // Γ(x + 1) = x Γ(x)
  for (const x of [0.01, 0.3, 2.5, 100.25]) expect(lnGamma(x + 1) - lnGamma(x)).toBeCloseTo(Math.log(x), 10);
});
