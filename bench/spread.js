// @ts-check
/** Medians with their spread: quartiles of what was measured, and the interval that holds the true median nineteen times of twenty. */

/** @typedef {{ median: number, quartiles: [number, number], interval: [number, number], n: number }} Figure */

/**
 * The interval is that of order statistics: it asks nothing of the values' distribution. Under six values it is all of them.
 * @param {readonly number[]} values
 * @returns {Figure}
 */
export function figure(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  const at = (/** @type {number} */ share) => sorted[Math.min(n - 1, Math.floor(share * n))];
  const beyond = outside(n);
  return {
    median: n % 2 === 1 ? sorted[n >> 1] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2,
    quartiles: [at(0.25), at(0.75)],
    interval: [sorted[beyond], sorted[n - 1 - beyond]],
    n,
  };
}

/** How many of n values may lie outside on either side, so that the others hold the median with a chance of 95 %. */
function outside(/** @type {number} */ n) {
  let chance = 0.5 ** n;
  let total = chance;
  let beyond = 0;
  while (total <= 0.025) {
    chance *= (n - beyond) / (beyond + 1);
    beyond++;
    total += chance;
  }
  return Math.max(0, Math.min(beyond - 1, (n - 1) >> 1));
}

/** Half the interval's width as a share of the median. @param {Figure} one */
export function uncertainty({ interval: [low, high], median }) {
  return (high - low) / 2 / median;
}

/** One round's value for another's, round by round. @param {readonly number[]} a @param {readonly number[]} b */
export function ratios(a, b) {
  return a.map((value, i) => value / b[i]);
}

/** @param {readonly number[]} values */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** A figure as text: the median with its interval. @param {Figure | undefined} one @param {number} digits */
export function show(one, digits = 1) {
  if (one === undefined) return '–';
  const [low, high] = one.interval.map((value) => value.toFixed(digits));
  return `${one.median.toFixed(digits)} [${low}, ${high}]`;
}
