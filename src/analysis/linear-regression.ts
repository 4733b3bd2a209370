/**
 * Linear regression with an unpenalised intercept: ordinary least squares (of minimum norm where the columns do not
 * determine it), ridge regression, and the lasso by cyclic coordinate descent (Friedman, Hastie and Tibshirani, 2010), with
 * scikit-learn's objectives. Several targets share the work on the columns.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { factorise, substitute } from './cholesky.ts';
import { requireMatrix, requirePositive, requireWidth } from './input.ts';
import { leastSquares } from './least-squares.ts';
import type { Points } from './points.ts';
import { columnMeans } from './statistics.ts';

export interface RegressionData {
  /** n rows of d columns. */
  x: ArrayLike<number>;
  n: number;
  d: number;
  /** n rows of `targets` columns. */
  y: ArrayLike<number>;
  targets?: number;
}

/** ŷ_t = weights_t · x + intercept_t; `weights` is targets × d. */
export interface LinearRegression {
  weights: Float64Array;
  intercepts: Float64Array;
}

/** Ordinary least squares: min ‖y − Xw − b‖², and ‖w‖ smallest among the solutions. */
export function fitLeastSquares(data: RegressionData): LinearRegression {
  const centred = centre(data);
  const { n, d, targets } = centred;
  const solution = leastSquares(centred.x, n, d, centred.y, targets);
  return withIntercepts(centred, solution);
}

/** Ridge regression: min ‖y − Xw − b‖² + penalty ‖w‖². */
export function fitRidge(data: RegressionData & { penalty: number }): LinearRegression {
  requirePositive(data.penalty, 'The penalty of a ridge regression');
  const centred = centre(data);
  const { gram, moments } = products(centred);
  const { d } = centred;
  for (let j = 0; j < d; j++) gram[j * d + j] += data.penalty;
  if (!factorise(gram, d)) throw new UntangleError('The columns are too much alike for so small a ridge penalty.');
  for (let t = 0; t < centred.targets; t++) substitute(gram, d, moments, 0, t * d);
  return withIntercepts(centred, moments);
}

/**
 * The lasso: min (1/2n)‖y − Xw − b‖² + α‖w‖₁.
 *
 * Sweeps over the coordinates from zero until a sweep moves no weight by more than 10⁻¹² of the largest. Columns that
 * are copies leave the solution open; the first of them then takes the weight.
 */
export function fitLasso(data: RegressionData & { alpha: number }): LinearRegression {
  requirePositive(data.alpha, 'The weight α of the lasso penalty');
  const centred = centre(data);
  const { gram, moments } = products(centred);
  const { n, d, targets } = centred;
  const weights = new Float64Array(targets * d);
  for (let t = 0; t < targets; t++) {
    const moment = moments.subarray(t * d, (t + 1) * d);
    descend(gram, d, moment, weights.subarray(t * d, (t + 1) * d), n * data.alpha);
  }
  return withIntercepts(centred, weights);
}

/** The n × targets predictions of a regression. */
export function predictRegression(model: LinearRegression, x: ArrayLike<number>, n: number, d: number): Float64Array {
  requireMatrix(x, n, d);
  const targets = model.intercepts.length;
  requireWidth(model.weights.length / targets, d);
  const predictions = new Float64Array(n * targets);
  for (let i = 0; i < n; i++)
    for (let t = 0; t < targets; t++) {
      let sum = model.intercepts[t];
      for (let j = 0; j < d; j++) sum += model.weights[t * d + j] * x[i * d + j];
      predictions[i * targets + t] = sum;
    }
  return predictions;
}

interface Centred extends Required<RegressionData> {
  x: Float64Array;
  y: Float64Array;
  meansX: Float64Array;
  meansY: Float64Array;
}

/** An unpenalised intercept is fitted by taking the means away first. */
function centre(data: RegressionData): Centred {
  const { n, d, targets = 1 } = data;
  const meansX = columnMeans(data.x, n, d);
  const meansY = columnMeans(data.y, n, targets);
  return {
    n,
    d,
    targets,
    x: Float64Array.from(data.x, (value, at) => value - meansX[at % d]),
    y: Float64Array.from(data.y, (value, at) => value - meansY[at % targets]),
    meansX,
    meansY,
  };
}

function withIntercepts({ d, targets, meansX, meansY }: Centred, weights: Float64Array): LinearRegression {
  const intercepts = Float64Array.from(meansY);
  for (let t = 0; t < targets; t++) for (let j = 0; j < d; j++) intercepts[t] -= weights[t * d + j] * meansX[j];
  return { weights, intercepts };
}

/** XᵀX (d × d) and YᵀX (targets × d). */
function products({ x, y, n, d, targets }: Centred): { gram: Float64Array; moments: Float64Array } {
  const gram = new Float64Array(d * d);
  const moments = new Float64Array(targets * d);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) for (let k = 0; k <= j; k++) gram[j * d + k] += x[i * d + j] * x[i * d + k];
    for (let t = 0; t < targets; t++)
      for (let j = 0; j < d; j++) moments[t * d + j] += y[i * targets + t] * x[i * d + j];
  }
  for (let j = 0; j < d; j++) for (let k = 0; k < j; k++) gram[k * d + j] = gram[j * d + k];
  return { gram, moments };
}

/** Moves each weight in turn to its best place; `moments` turns from Xᵀy into Xᵀ(y − Xw) on the way. */
function descend(gram: Float64Array, d: number, moments: Float64Array, w: Float64Array, threshold: number): void {
  const sweeps = 20_000;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    let largest = 0;
    for (let j = 0; j < d; j++) {
      const square = gram[j * d + j];
      if (square === 0) continue;
      const pull = moments[j] + square * w[j];
      const better = (Math.sign(pull) * Math.max(0, Math.abs(pull) - threshold)) / square;
      const change = better - w[j];
      if (change !== 0) {
        for (let k = 0; k < d; k++) moments[k] -= change * gram[k * d + j];
        w[j] = better;
      }
      moved = Math.max(moved, Math.abs(change));
      largest = Math.max(largest, Math.abs(better));
    }
    if (moved <= 1e-12 * largest) return;
  }
}

/** The share of y's variance over the half of the rows that a linear regression from x was not fitted on, which it explains. */
export function varianceExplained(x: Points, y: Points, seed: number): number {
  const { n } = x;
  if (n < 10 || x.d === 0 || y.d === 0) return 0;
  const order = stream(seed, 'rows of a regression').permutation(n);
  const half = Math.floor(n / 2);
  const [train, test] = [order.subarray(0, half), order.subarray(half)];
  const rows = ({ x: values, d }: Points, which: Uint32Array) =>
    Float64Array.from({ length: which.length * d }, (_, e) => values[which[Math.floor(e / d)] * d + (e % d)]);
  let [error, variance] = [0, 0];
  for (let j = 0; j < y.d; j++) {
    const column = (which: Uint32Array) => Float64Array.from(which, (i) => y.x[i * y.d + j]);
    const model = fitLeastSquares({ x: rows(x, train), n: train.length, d: x.d, y: column(train) });
    const predicted = predictRegression(model, rows(x, test), test.length, x.d);
    const actual = column(test);
    const middle = actual.reduce((sum, value) => sum + value / actual.length, 0);
    actual.forEach((value, i) => {
      error += (value - predicted[i]) ** 2;
      variance += (value - middle) ** 2;
    });
  }
  return variance > 0 ? Math.max(0, 1 - error / variance) : 0;
}
