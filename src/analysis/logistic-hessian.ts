/**
 * The whole Hessian of a logistic problem, factorised: with few weights, one exact Newton step costs less than the conjugate
 * steps that ordered classes need, whose rows of weights depend on each other.
 *
 *   H[(r, a), (s, b)] = C Σ_i p_ir (δ_rs − p_is) x_ia x_ib + the penalty
 *
 * It is a product of two matrices with a row for each point: one column for each pair (r, s), one for each pair (a, b).
 */
import { factorise, substitute } from './cholesky.ts';
import type { LogisticProblem } from './logistic-newton.ts';

/** With more weights than this, factorising takes longer than conjugate steps. */
const mostWeights = 320;
/** Points whose columns of both matrices stay in the cache. */
const pointsAtOnce = 64;

export function hasSmallHessian({ d, rows }: LogisticProblem): boolean {
  return rows * (d + 1) <= mostWeights;
}

/** Divides a gradient by the Hessian in place; nothing where rounding has made it indefinite. */
export function hessianSolver(
  problem: LogisticProblem,
  chances: Float64Array,
): ((gradient: Float64Array) => void) | undefined {
  const size = problem.rows * (problem.d + 1);
  const hessian = hessianOf(problem, chances);
  if (!factorise(hessian, size)) return undefined;
  return (gradient) => substitute(hessian, size, gradient);
}

/** The lower triangle. */
function hessianOf(problem: LogisticProblem, chances: Float64Array): Float64Array {
  const { x, n, d, c, rows } = problem;
  const m = d + 1;
  const classPairs = (rows * (rows + 1)) / 2;
  const codePairs = (m * (m + 1)) / 2;
  // Rounded up to what is added up side by side; what is beyond stays zero.
  const [left, right] = [2 * Math.ceil(classPairs / 2), 4 * Math.ceil(codePairs / 4)];
  const weights = new Float64Array(left * pointsAtOnce);
  const products = new Float64Array(right * pointsAtOnce);
  const sums = new Float64Array(left * right);
  for (let from = 0; from < n; from += pointsAtOnce) {
    const count = Math.min(pointsAtOnce, n - from);
    if (count < pointsAtOnce) weights.fill(0);
    for (let i = 0; i < count; i++) {
      const own = (from + i) * rows;
      for (let r = 0, pair = 0; r < rows; r++) {
        for (let s = 0; s < r; s++, pair++) weights[pair * pointsAtOnce + i] = -c * chances[own + r] * chances[own + s];
        weights[pair++ * pointsAtOnce + i] = c * chances[own + r] * (1 - chances[own + r]);
      }
      const point = (from + i) * d;
      for (let a = 0, pair = 0; a < m; a++) {
        const first = a < d ? x[point + a] : 1;
        for (let b = 0; b <= a; b++, pair++) products[pair * pointsAtOnce + i] = first * (b < d ? x[point + b] : 1);
      }
    }
    addProducts(sums, weights, products, left, right);
  }
  return spreadOut(problem, sums, right);
}

/** sums += weights · productsᵀ, eight sums side by side so that few numbers are read twice. */
function addProducts(
  sums: Float64Array,
  weights: Float64Array,
  products: Float64Array,
  left: number,
  right: number,
): void {
  for (let p = 0; p < left; p += 2) {
    const u = p * pointsAtOnce;
    const v = u + pointsAtOnce;
    for (let q = 0; q < right; q += 4) {
      const at = q * pointsAtOnce;
      let [a0, a1, a2, a3, b0, b1, b2, b3] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let i = 0; i < pointsAtOnce; i++) {
        const a = weights[u + i];
        const b = weights[v + i];
        const z0 = products[at + i];
        const z1 = products[at + pointsAtOnce + i];
        const z2 = products[at + 2 * pointsAtOnce + i];
        const z3 = products[at + 3 * pointsAtOnce + i];
        a0 += a * z0;
        a1 += a * z1;
        a2 += a * z2;
        a3 += a * z3;
        b0 += b * z0;
        b1 += b * z1;
        b2 += b * z2;
        b3 += b * z3;
      }
      const [one, other] = [p * right + q, (p + 1) * right + q];
      sums[one] += a0;
      sums[one + 1] += a1;
      sums[one + 2] += a2;
      sums[one + 3] += a3;
      sums[other] += b0;
      sums[other + 1] += b1;
      sums[other + 2] += b2;
      sums[other + 3] += b3;
    }
  }
}

/** The sums at their places, with the penalty. */
function spreadOut({ d, rows, penaliseIntercept }: LogisticProblem, sums: Float64Array, columns: number): Float64Array {
  const m = d + 1;
  const size = rows * m;
  const hessian = new Float64Array(size * size);
  for (let r = 0, pair = 0; r < rows; r++)
    for (let s = 0; s <= r; s++, pair++)
      for (let a = 0, place = pair * columns; a < m; a++)
        for (let b = 0; b <= a; b++, place++) {
          hessian[(r * m + a) * size + s * m + b] = sums[place];
          if (r !== s) hessian[(r * m + b) * size + s * m + a] = sums[place];
        }
  for (let at = 0; at < size; at++) if (penaliseIntercept || at % m < d) hessian[at * size + at] += 1;
  if (penaliseIntercept) return hessian;
  // A constant in all free intercepts changes no probability. A gradient has no share in it, so that this only keeps the
  // Hessian definite. A single intercept has next to no curvature where every row is decided.
  const constant = rows === 1 ? 1e-10 : 1;
  for (let r = 0; r < rows; r++) for (let s = 0; s <= r; s++) hessian[(r * m + d) * size + s * m + d] += constant;
  return hessian;
}
