/** Newton's method with backtracking for strictly convex functions of few unknowns. */
import { factorise, substitute } from './cholesky.ts';

/** A strictly convex function with two derivatives. */
export interface Convex {
  value(w: Float64Array): number;
  /** Writes the gradient, and the lower triangle of the Hessian. */
  derivatives(w: Float64Array, gradient: Float64Array, hessian: Float64Array): void;
}

/** Moves `w` to the minimum, to working precision. */
export function minimise(f: Convex, w: Float64Array): void {
  const m = w.length;
  const gradient = new Float64Array(m);
  const step = new Float64Array(m);
  const hessian = new Float64Array(m * m);
  const next = new Float64Array(m);
  let value = f.value(w);
  let first = 0;
  const iterations = 200;
  for (let iteration = 0; iteration < iterations; iteration++) {
    f.derivatives(w, gradient, hessian);
    const size = largest(gradient);
    if (iteration === 0) first = size;
    if (size <= 1e-13 * first) return;
    step.set(gradient);
    if (!factorise(hessian, m)) return;
    substitute(hessian, m, step);
    let slope = 0;
    for (let j = 0; j < m; j++) slope -= gradient[j] * step[j];

    // Near the minimum the value stands still to the last digit while the gradient still shrinks.
    const rounding = 1e-14 * Math.abs(value);
    let length = 1;
    let nextValue = Number.POSITIVE_INFINITY;
    for (; length > 1e-10; length /= 2) {
      for (let j = 0; j < m; j++) next[j] = w[j] - length * step[j];
      nextValue = f.value(next);
      if (nextValue <= value + 1e-4 * length * slope + rounding) break;
    }
    if (length <= 1e-10) return;
    const still = largest(step) <= 1e-15 * largest(w);
    w.set(next);
    value = nextValue;
    if (still) return;
  }
}

function largest(a: Float64Array): number {
  let most = 0;
  for (const value of a) most = Math.max(most, Math.abs(value));
  return most;
}
