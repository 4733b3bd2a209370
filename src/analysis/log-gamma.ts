/** ln Γ(x) for x > 0, by Lanczos' series (g = 7, nine terms), good to 13 digits. */
const terms = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** @example lnGamma(5) // ln 24 */
export function lnGamma(x: number): number {
  // Below a half, by Γ(x) Γ(1 − x) = π / sin πx.
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x);
  const y = x - 1;
  const base = y + 7.5;
  const sum = terms.reduce((total, term, k) => total + (k === 0 ? term : term / (y + k)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(base) - base + Math.log(sum);
}
