/** KL between normal distributions of one dimension, in nats. */

/**
 * KL(N(μ, e^lv) ‖ N(m, e^l)) = ½ ((e^lv + (μ − m)²) / e^l − lv + l − 1); to the standard normal where no other is given.
 *
 * @example gaussianKl(1, 0) // 0.5
 */
export function gaussianKl(mean: number, logVariance: number, toMean = 0, toLogVariance = 0): number {
  const squares = Math.exp(logVariance) + (mean - toMean) ** 2;
  return 0.5 * (squares / Math.exp(toLogVariance) - logVariance + toLogVariance - 1);
}
