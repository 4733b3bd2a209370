import { expect, test } from 'vitest';
import { gaussianKl } from './gaussian-kl.ts';

/** ∫ q ln(q/p) by the trapezoid rule, over eight deviations of q. */
function byQuadrature(mean: number, logVariance: number, toMean: number, toLogVariance: number): number {
  const log = (x: number, m: number, lv: number) => -0.5 * ((x - m) ** 2 / Math.exp(lv) + lv + Math.log(2 * Math.PI));
  const deviation = Math.exp(0.5 * logVariance);
  const step = deviation / 50;
  let sum = 0;
  for (let k = -400; k <= 400; k++) {
    const x = mean + k * step;
    const q = log(x, mean, logVariance);
    sum += Math.exp(q) * (q - log(x, toMean, toLogVariance)) * step;
  }
  return sum;
}

test.each([
  [0, 0, 0, 0],
  [1.5, -2, 0, 0],
  [-0.3, 0.4, 2, -1],
  [3, -4, 2.5, 1.2],
])('N(%d, e^%d) against N(%d, e^%d) is the integral', (...normals) => {
  expect(gaussianKl(...normals)).toBeCloseTo(byQuadrature(...normals), 10);
});
