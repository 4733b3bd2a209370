/** The standard normal distribution: its density, its distribution function and its quantiles. */

/** Φ(x): the share of a standard normal below x, by its density's series (Marsaglia 2004). */
export function normalShare(x: number): number {
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0;
  let [sum, term] = [x, x];
  for (let k = 3; Math.abs(term) > 1e-17; k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return 0.5 + sum * normalDensity(x);
}

export function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
}

/** Φ⁻¹(p), by bisection. */
export function normalQuantile(p: number): number {
  let [low, high] = [-8, 8];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
