/**
 * The solver behind logistic regression: Newton's method from the minimum of a part of the rows, with exact steps where there
 * are few weights. Otherwise each step goes by conjugate gradients, preconditioned with the blocks of the Hessian that belong to
 * one row of weights.
 */
import { factorise, substitute } from './cholesky.ts';
import { hasSmallHessian, hessianSolver } from './logistic-hessian.ts';

/** Points whose columns stay in the cache while their gradients are added up. */
const pointsAtOnce = 64;

/** `rows` 1: the log odds of target 1 against target 0. Otherwise a row of weights for each target 0 … rows−1. */
export interface LogisticProblem {
  x: Float64Array;
  n: number;
  d: number;
  c: number;
  penaliseIntercept: boolean;
  rows: number;
  target: Int32Array;
}

/** The weights at the minimum, rows × (d + 1) with each row's intercept last. */
export function solveLogistic(problem: LogisticProblem): Float64Array {
  return newton(problem, 1e-8, 1e-24).w;
}

type Solver = ReturnType<typeof hessianSolver>;

/** Newton's method until the squared distance is below `near`, and what is left of it after the last step below `exact`. */
function newton(problem: LogisticProblem, near: number, exact: number): { w: Float64Array; solver: Solver } {
  const { n, d, rows } = problem;
  // Most steps only find the neighbourhood of the minimum, for which an eighth of the rows is enough.
  const part = n >= 1000 ? newton(partOf(problem, 8), 1, 1) : undefined;
  const w = part?.w ?? new Float64Array(rows * (d + 1));
  const next = w.slice();
  const gradient = w.slice();
  const step = w.slice();
  const chances = new Float64Array(n * rows);

  let value = loss(problem, w, chances);
  let first = 0;
  let solver = part?.solver;
  let decrement = Number.POSITIVE_INFINITY;
  let shrinks = 0;
  const iterations = 200;
  for (let iteration = 0; iteration < iterations; iteration++) {
    gradientAt(problem, w, chances, gradient);
    const size = Math.sqrt(dot(gradient, gradient));
    if (iteration === 0) first = size;
    // A step by an earlier Hessian costs little, and near the minimum it is as good as one by its own.
    if (shrinks > 0.01 || solver === undefined)
      solver = hasSmallHessian(problem) ? hessianSolver(problem, chances) : undefined;
    let accuracy = 0;
    if (solver === undefined) {
      accuracy = first === 0 ? 0 : Math.min(0.1, Math.sqrt(size / first)) * 0.1;
      conjugateGradients(problem, chances, preconditioner(problem, chances), gradient, step, accuracy);
    } else {
      step.set(gradient);
      solver(step);
    }
    const before = decrement;
    decrement = dot(gradient, step);
    shrinks = decrement / before;

    const rounding = 1e-14 * Math.abs(value);
    let length = 1;
    let nextValue = Number.POSITIVE_INFINITY;
    for (; length > 1e-10; length /= 2) {
      for (let j = 0; j < w.length; j++) next[j] = w[j] - length * step[j];
      nextValue = loss(problem, next, chances);
      if (nextValue <= value - 1e-4 * length * decrement + rounding) break;
    }
    if (length <= 1e-10) break;
    w.set(next);
    value = nextValue;
    // The decrement bounds the squared distance before this step. After it, what the conjugate steps left of that
    // distance remains, and its square; or as much of it as an earlier Hessian has left before.
    const scale = Math.min(1, value);
    const left = solver === undefined ? 1e-6 * decrement * accuracy * accuracy : decrement * shrinks;
    if (decrement <= near * scale && left <= exact * scale) break;
    // Rounding is all that is left.
    if (shrinks > 0.1 && decrement <= 1e-18 * scale) break;
  }
  return { w, solver };
}

/** Every `share`-th row of each class, with a weight that makes up for the others. */
function partOf(problem: LogisticProblem, share: number): LogisticProblem {
  const { x, d, c, target } = problem;
  const seen = new Int32Array(Math.max(2, problem.rows));
  const kept = Int32Array.from(target.keys()).filter((i) => seen[target[i]]++ % share === 0);
  const points = new Float64Array(kept.length * d);
  kept.forEach((i, at) => {
    points.set(x.subarray(i * d, (i + 1) * d), at * d);
  });
  return { ...problem, x: points, n: kept.length, c: c * share, target: kept.map((i) => target[i]) };
}

/** Turns the logits at `at` into probabilities, in place, and returns the logarithm of their sum of exponentials. */
export function softmax(logits: Float64Array, at = 0, length = logits.length): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let r = 0; r < length; r++) most = Math.max(most, logits[at + r]);
  let sum = 0;
  for (let r = 0; r < length; r++) sum += logits[at + r] = Math.exp(logits[at + r] - most);
  for (let r = 0; r < length; r++) logits[at + r] /= sum;
  return most + Math.log(sum);
}

/** 1 / (1 + e^−f), without overflow. */
export function sigmoid(f: number): number {
  return f >= 0 ? 1 / (1 + Math.exp(-f)) : Math.exp(f) / (1 + Math.exp(f));
}

/** The objective at `w`; leaves the probabilities of the rows in `chances`. */
function loss(
  { x, n, d, c, penaliseIntercept, rows, target }: LogisticProblem,
  w: Float64Array,
  chances: Float64Array,
): number {
  const m = d + 1;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < rows; r++) chances[i * rows + r] = w[r * m + d] + dotOf(w, r * m, x, i * d, d);
    if (rows === 1) {
      const f = chances[i];
      sum += Math.max(f, 0) + Math.log1p(Math.exp(-Math.abs(f))) - target[i] * f;
      chances[i] = sigmoid(f);
    } else {
      const own = chances[i * rows + target[i]];
      sum += softmax(chances, i * rows, rows) - own;
    }
  }
  let penalty = 0;
  for (let at = 0; at < w.length; at++) if (penaliseIntercept || at % m < d) penalty += w[at] * w[at];
  return 0.5 * penalty + c * sum;
}

/** Point after point, with the sums of a row of weights side by side. */
function gradientAt(problem: LogisticProblem, w: Float64Array, chances: Float64Array, out: Float64Array): void {
  const { x, n, d, c, rows, target } = problem;
  const m = d + 1;
  const block = new Float64Array(m * pointsAtOnce).fill(1);
  const residuals = new Float64Array(rows * pointsAtOnce);
  out.fill(0);
  for (let from = 0; from < n; from += pointsAtOnce) {
    const count = Math.min(pointsAtOnce, n - from);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < d; j++) block[j * pointsAtOnce + i] = x[(from + i) * d + j];
      for (let r = 0; r < rows; r++) residuals[r * pointsAtOnce + i] = c * chances[(from + i) * rows + r];
      if (rows === 1) residuals[i] -= c * target[from + i];
      else residuals[target[from + i] * pointsAtOnce + i] -= c;
    }
    for (let r = 0; r < rows; r++)
      for (let j = 0; j < m; j++) out[r * m + j] += dotOf(residuals, r * pointsAtOnce, block, j * pointsAtOnce, count);
  }
  addPenalty(problem, w, out);
}

/** out = H v, with r_k = p_k (v_k·x − Σ_l p_l v_l·x) for each row of the data. Almost all time is spent here. */
function hessianTimes(problem: LogisticProblem, chances: Float64Array, v: Float64Array, out: Float64Array): void {
  const { x, n, d, c, rows } = problem;
  const m = d + 1;
  const products = new Float64Array(rows);
  const point = new Float64Array(m).fill(1);
  out.fill(0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) point[j] = x[i * d + j];
    let mean = 0;
    for (let r = 0; r < rows; r++) {
      products[r] = dot(point, v, r * m);
      mean += chances[i * rows + r] * products[r];
    }
    for (let r = 0; r < rows; r++) add(out, r * m, c * chances[i * rows + r] * (products[r] - mean), point);
  }
  addPenalty(problem, v, out);
}

/**
 * Adds the penalty's share to a gradient or to H v. A constant in all free intercepts changes no probability; what
 * rounding leaves in that direction is taken out, since no step could ever remove it.
 */
function addPenalty({ d, rows, penaliseIntercept }: LogisticProblem, v: Float64Array, out: Float64Array): void {
  const m = d + 1;
  for (let at = 0; at < v.length; at++) if (penaliseIntercept || at % m < d) out[at] += v[at];
  if (penaliseIntercept || rows === 1) return;
  let mean = 0;
  for (let r = 0; r < rows; r++) mean += out[r * m + d] / rows;
  for (let r = 0; r < rows; r++) out[r * m + d] -= mean;
}

/** Solves H step = gradient until the residual has shrunk by `accuracy`. */
function conjugateGradients(
  problem: LogisticProblem,
  chances: Float64Array,
  precondition: (v: Float64Array) => void,
  gradient: Float64Array,
  step: Float64Array,
  accuracy: number,
): void {
  const residual = gradient.slice();
  const direction = gradient.slice();
  const image = new Float64Array(gradient.length);
  const nearer = gradient.slice();
  precondition(nearer);
  direction.set(nearer);
  step.fill(0);
  let rho = dot(residual, nearer);
  const goal = rho * accuracy * accuracy;
  const turns = 200;
  for (let turn = 0; turn < turns && rho > goal; turn++) {
    hessianTimes(problem, chances, direction, image);
    const bend = dot(direction, image);
    if (!(bend > 0)) return;
    const along = rho / bend;
    for (let at = 0; at < step.length; at++) {
      step[at] += along * direction[at];
      residual[at] -= along * image[at];
    }
    nearer.set(residual);
    precondition(nearer);
    const before = rho;
    rho = dot(residual, nearer);
    for (let at = 0; at < step.length; at++) direction[at] = nearer[at] + (rho / before) * direction[at];
  }
}

/**
 * What divides by an approximate Hessian: its diagonal blocks, one for each row of weights; for wide data the mean of
 * these blocks; for data wider still, or where rounding has made a block indefinite, the bare diagonal.
 */
function preconditioner(problem: LogisticProblem, chances: Float64Array): (v: Float64Array) => void {
  const { d, rows } = problem;
  const m = d + 1;
  if (m <= 2048) {
    const count = m <= 128 ? rows : 1;
    const blocks = blocksOf(problem, chances, count);
    let definite = true;
    for (let b = 0; b < count && definite; b++) definite = factorise(blocks, m, b * m * m);
    if (definite)
      return (v) => {
        for (let r = 0; r < rows; r++) substitute(blocks, m, v, (r % count) * m * m, r * m);
      };
  }
  const diagonal = diagonalOf(problem, chances);
  return (v) => {
    for (let at = 0; at < v.length; at++) v[at] /= diagonal[at];
  };
}

/** The lower triangles of the Hessian's blocks, `count` × m × m: one for each row of weights, or one for their mean. */
function blocksOf(problem: LogisticProblem, chances: Float64Array, count: number): Float64Array {
  const { x, n, d, c, rows } = problem;
  const m = d + 1;
  const blocks = new Float64Array(count * m * m);
  const point = new Float64Array(m).fill(1);
  const bend = new Float64Array(count);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) point[j] = x[i * d + j];
    bend.fill(0);
    for (let r = 0; r < rows; r++) {
      const chance = chances[i * rows + r];
      bend[r % count] += (c * count * chance * (1 - chance)) / rows;
    }
    for (let row = 0; row < count * m; row++) {
      const scaled = bend[Math.floor(row / m)] * point[row % m];
      if (scaled === 0) continue;
      const start = row * m;
      const end = row % m;
      for (let k = 0; k <= end; k++) blocks[start + k] += scaled * point[k];
    }
  }
  for (let row = 0; row < count * m; row++) blocks[row * m + (row % m)] += penaltyOf(problem, row);
  return blocks;
}

function diagonalOf(problem: LogisticProblem, chances: Float64Array): Float64Array {
  const { x, n, d, c, rows } = problem;
  const m = d + 1;
  const diagonal = Float64Array.from({ length: rows * m }, (_, at) => penaltyOf(problem, at));
  for (let i = 0; i < n; i++)
    for (let r = 0; r < rows; r++) {
      const chance = chances[i * rows + r];
      const scale = c * chance * (1 - chance);
      for (let j = 0; j < d; j++) diagonal[r * m + j] += scale * x[i * d + j] ** 2;
      diagonal[r * m + d] += scale;
    }
  return diagonal;
}

/** The penalty's curvature. A free intercept has none, and next to none at all where every row is decided. */
function penaltyOf({ d, penaliseIntercept }: LogisticProblem, at: number): number {
  return penaliseIntercept || at % (d + 1) < d ? 1 : 1e-10;
}

/** a · b[at …]. */
function dot(a: Float64Array, b: Float64Array, at = 0): number {
  return dotOf(a, 0, b, at, a.length);
}

/** a[from …] · b[at …]. Four sums side by side, so that an addition need not wait for the one before. */
function dotOf(a: Float64Array, from: number, b: Float64Array, at: number, length: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let j = 0;
  for (; j + 3 < length; j += 4) {
    s0 += a[from + j] * b[at + j];
    s1 += a[from + j + 1] * b[at + j + 1];
    s2 += a[from + j + 2] * b[at + j + 2];
    s3 += a[from + j + 3] * b[at + j + 3];
  }
  for (; j < length; j++) s0 += a[from + j] * b[at + j];
  return s0 + s1 + (s2 + s3);
}

/** out[at …] += scale · a. */
function add(out: Float64Array, at: number, scale: number, a: Float64Array): void {
  for (let j = 0; j < a.length; j++) out[at + j] += scale * a[j];
}
