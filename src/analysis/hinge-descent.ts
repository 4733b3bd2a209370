/**
 * The linear support vector machine with the hinge loss itself, min ½‖(w, b)‖² + Σ C_i max(0, 1 − t_i (w·x_i + b)), which is not
 * smooth: by dual coordinate descent, as liblinear does (Hsieh et al., 2008). Its minimum is one point, so the order of the
 * visits does not matter.
 */
import { stream } from '../random/index.ts';

/** Where the projected gradients of all rows differ by no more than this, it is at the minimum. */
const tolerance = 1e-6;
const mostRounds = 2000;

/**
 * The weights and, last, the intercept.
 *
 * @example hingeDescent(x, n, d, (i) => (y[i] === 1 ? 1 : -1), () => 0.01)
 */
export function hingeDescent(
  x: Float64Array,
  n: number,
  d: number,
  signOf: (row: number) => 1 | -1,
  weightOf: (row: number) => number,
): Float64Array {
  const w = new Float64Array(d + 1);
  const alpha = new Float64Array(n);
  const squares = Float64Array.from({ length: n }, (_, i) => {
    let sum = 1;
    for (let j = 0; j < d; j++) sum += x[i * d + j] ** 2;
    return sum;
  });
  for (let round = 0; round < mostRounds; round++) {
    let [least, most] = [Infinity, -Infinity];
    for (const i of stream(0, 'order of the hinge’s rows', round).permutation(n)) {
      const sign = signOf(i);
      const bound = weightOf(i);
      let margin = w[d];
      for (let j = 0; j < d; j++) margin += w[j] * x[i * d + j];
      const gradient = sign * margin - 1;
      const projected = projection(gradient, alpha[i], bound);
      least = Math.min(least, projected);
      most = Math.max(most, projected);
      if (projected === 0) continue;
      const next = Math.min(bound, Math.max(0, alpha[i] - gradient / squares[i]));
      const change = (next - alpha[i]) * sign;
      alpha[i] = next;
      for (let j = 0; j < d; j++) w[j] += change * x[i * d + j];
      w[d] += change;
    }
    if (most - least < tolerance) break;
  }
  return w;
}

/** The part of a row's gradient that does not point out of 0 … bound. */
function projection(gradient: number, alpha: number, bound: number): number {
  if (alpha <= 0) return Math.min(0, gradient);
  return alpha >= bound ? Math.max(0, gradient) : gradient;
}
