/**
 * Student's paired test: whether the differences of pairs, such as two methods with the same seeds, have a mean other than zero.
 * With five pairs its interval holds what it promises for normal differences, where a bootstrap's is too narrow.
 */
import type { Interval } from './bootstrap.ts';

export interface PairedTest extends Interval {
  /** The two-sided probability of a mean as far from zero, were the true one zero. */
  p: number;
}

/**
 * The mean of the differences with its interval. NaN at both ends for fewer than two, which say nothing about others.
 *
 * @example pairedTest([0.1, 0.2, 0.3]) // { mean: 0.2, low: −0.048, high: 0.448, p: 0.074 }
 */
export function pairedTest(differences: readonly number[], level = 0.95): PairedTest {
  const n = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { mean, low: Number.NaN, high: Number.NaN, p: Number.NaN };
  const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares / (n - 1) / n);
  // Differences that are all the same leave no doubt but rounding.
  if (error <= 1e-14 * Math.abs(mean)) return { mean, low: mean, high: mean, p: mean === 0 ? 1 : 0 };
  const width = error * studentQuantile((1 + level) / 2, n - 1);
  return { mean, low: mean - width, high: mean + width, p: 2 * studentShare(-Math.abs(mean / error), n - 1) };
}

/** The share of Student's distribution below t, by the incomplete beta function. */
function studentShare(t: number, freedom: number): number {
  const tail = 0.5 * incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
  return t > 0 ? 1 - tail : tail;
}

/** Where a share above a half lies, by bisection. */
function studentQuantile(share: number, freedom: number): number {
  let [low, high] = [0, 2];
  while (studentShare(high, freedom) < share) high *= 2;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (studentShare(middle, freedom) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b) by its continued fraction, evaluated from the front (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only below the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a;
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / atLeast(1 - ((a + b) * x) / (a + 1), tiny);
  let fraction = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / atLeast(1 + even * d, tiny);
    c = atLeast(1 + even / c, tiny);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / atLeast(1 + odd * d, tiny);
    c = atLeast(1 + odd / c, tiny);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}

const atLeast = (value: number, tiny: number) => (Math.abs(value) < tiny ? tiny : value);

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b);

/** ln Γ of a number above zero: moved up by the recurrence, then Stirling's series. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 12; at++) shift -= Math.log(at);
  const inverse = 1 / (at * at);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / at;
  return shift + (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series;
}
