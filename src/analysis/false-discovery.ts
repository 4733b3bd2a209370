/** Many tests at once: the false discovery rate (Benjamini and Hochberg 1995). */

/**
 * For each p-value the smallest rate of false discoveries at which it would be among the discoveries.
 *
 * @example falseDiscovery([0.01, 0.04, 0.03]) // 0.03, 0.04, 0.04
 */
export function falseDiscovery(pValues: readonly number[]): number[] {
  const order = pValues.map((_, i) => i).sort((a, b) => pValues[b] - pValues[a]);
  const rates = new Array<number>(pValues.length).fill(1);
  let least = 1;
  for (const [at, i] of order.entries()) {
    least = Math.min(least, (pValues[i] * pValues.length) / (pValues.length - at));
    rates[i] = least;
  }
  return rates;
}
