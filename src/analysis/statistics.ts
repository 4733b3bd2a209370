/**
 * Moments, ranks and their like over the columns of a matrix, with numpy's and scipy's conventions, so that published
 * numbers can be compared to the last digit.
 */
import { UntangleError } from '../errors.ts';
import { requireMatrix } from './input.ts';
import { lowerBound } from './search.ts';

/** The mean of each column. Taken about the first row, so that a constant column's mean is its value to the last digit. */
export function columnMeans(x: ArrayLike<number>, n: number, d: number): Float64Array {
  requireMatrix(x, n, d);
  const means = new Float64Array(d);
  for (let i = 1; i < n; i++) for (let j = 0; j < d; j++) means[j] += x[i * d + j] - x[j];
  for (let j = 0; j < d; j++) means[j] = x[j] + means[j] / n;
  return means;
}

/** The variance of each column: squared deviations over n − ddof. NaN where n ≤ ddof. */
export function columnVariances(x: ArrayLike<number>, n: number, d: number, ddof = 0): Float64Array {
  const means = columnMeans(x, n, d);
  const variances = new Float64Array(d);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) variances[j] += (x[i * d + j] - means[j]) ** 2;
  for (let j = 0; j < d; j++) variances[j] = n > ddof ? variances[j] / (n - ddof) : Number.NaN;
  return variances;
}

/** The mean of a list, as `columnMeans` takes it. */
export function mean(values: ArrayLike<number>): number {
  requireMatrix(values, values.length, 1);
  const first = values[0];
  let sum = 0;
  for (let i = 1; i < values.length; i++) sum += values[i] - first;
  return first + sum / values.length;
}

/**
 * The variance of a list: squared deviations over n − ddof.
 *
 * @example variance([1, 2, 3, 4], 1) // 5/3
 */
export function variance(values: ArrayLike<number>, ddof = 0): number {
  return columnVariances(values, values.length, 1, ddof)[0];
}

/** The d × d covariance matrix of the columns, over n − ddof. NaN where n ≤ ddof. */
export function covarianceMatrix(x: ArrayLike<number>, n: number, d: number, ddof = 1): Float64Array {
  const means = columnMeans(x, n, d);
  const covariance = new Float64Array(d * d);
  const row = new Float64Array(d);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) row[j] = x[i * d + j] - means[j];
    for (let j = 0; j < d; j++) for (let k = 0; k <= j; k++) covariance[j * d + k] += row[j] * row[k];
  }
  for (let j = 0; j < d; j++)
    for (let k = 0; k <= j; k++) {
      const value = n > ddof ? covariance[j * d + k] / (n - ddof) : Number.NaN;
      covariance[j * d + k] = value;
      covariance[k * d + j] = value;
    }
  return covariance;
}

/** Pearson's d × d correlation matrix. A constant column correlates with nothing: NaN in its row and column. */
export function correlationMatrix(x: ArrayLike<number>, n: number, d: number): Float64Array {
  const covariance = covarianceMatrix(x, n, d, 0);
  const deviation = Float64Array.from({ length: d }, (_, j) => Math.sqrt(covariance[j * d + j]));
  return covariance.map((value, at) => {
    const j = Math.floor(at / d);
    const k = at % d;
    if (deviation[j] === 0 || deviation[k] === 0) return Number.NaN;
    return j === k ? 1 : Math.max(-1, Math.min(1, value / deviation[j] / deviation[k]));
  });
}

/** Pearson's correlation of two lists of equal length; NaN if one is constant. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw differentLengths(a.length, b.length);
  const n = a.length;
  const pairs = Float64Array.from({ length: 2 * n }, (_, at) => (at % 2 === 0 ? a : b)[at >> 1]);
  return correlationMatrix(pairs, n, 2)[1];
}

/**
 * Ranks from 1; equal values share the mean of their ranks.
 *
 * @example ranks([10, 30, 10, 20]) // 1.5, 4, 1.5, 3
 */
export function ranks(values: ArrayLike<number>): Float64Array {
  const { sorted, shared } = sharedRanks(values);
  return Float64Array.from(values, (value) => shared[lowerBound(sorted, value)]);
}

/** Values in their order, and at the first place of each the mean rank of all that equal it. */
function sharedRanks(values: ArrayLike<number>): { sorted: Float64Array; shared: Float64Array } {
  const sorted = Float64Array.from(values).sort();
  const shared = new Float64Array(sorted.length);
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    while (end < sorted.length && sorted[end] === sorted[start]) end++;
    shared[start] = (start + 1 + end) / 2;
  }
  return { sorted, shared };
}

/** Spearman's d × d rank correlation matrix; NaN in the row and column of a constant column. */
export function spearmanMatrix(x: ArrayLike<number>, n: number, d: number): Float64Array {
  requireMatrix(x, n, d);
  const ranked = new Float64Array(n * d);
  for (let j = 0; j < d; j++) {
    const column = ranks(columnOf(x, n, d, j));
    for (let i = 0; i < n; i++) ranked[i * d + j] = column[i];
  }
  return correlationMatrix(ranked, n, d);
}

/**
 * The q-th percentile with linear interpolation between neighbours, as numpy's default.
 *
 * @example percentile([1, 2, 3, 4], 50) // 2.5
 */
export function percentile(values: ArrayLike<number>, q: number): number {
  requireMatrix(values, values.length, 1);
  return percentileInPlace(Float64Array.from(values), q);
}

/** The same of a list that nobody needs in its order any more. */
export function percentileInPlace(list: Float64Array, q: number): number {
  if (!(q >= 0 && q <= 100))
    throw new UntangleError(`A percentile of ${q} was asked for.`, { kind: 'call', hint: 'It lies from 0 to 100.' });
  const position = (q / 100) * (list.length - 1);
  const below = Math.floor(position);
  const t = position - below;
  const { part, offset } = upperPart(list, below);
  const low = putInPlace(part, below - offset);
  let high = below + 1 < list.length ? Number.POSITIVE_INFINITY : low;
  for (let i = below - offset + 1; i < part.length; i++) if (part[i] < high) high = part[i];
  return t < 0.5 ? low + (high - low) * t : high - (high - low) * (1 - t);
}

/** Where few values lie above the k-th smallest, those and some more, found by one look at each; otherwise the whole list. */
function upperPart(list: Float64Array, k: number): { part: Float64Array; offset: number } {
  const n = list.length;
  const wanted = n - k;
  if (n < 256 || wanted > n / 8) return { part: list, offset: 0 };
  const sample = Float64Array.from({ length: n >> 4 }, (_, i) => list[16 * i]);
  const threshold = putInPlace(sample, Math.max(0, sample.length - 3 - ((wanted * 3) >> 5)));
  let count = 0;
  for (let i = 0; i < n; i++) if (list[i] >= threshold) count++;
  if (count < wanted) return { part: list, offset: 0 };
  const part = new Float64Array(count);
  for (let i = 0, at = 0; i < n; i++) if (list[i] >= threshold) part[at++] = list[i];
  return { part, offset: n - count };
}

/** Reorders a list so that its k-th smallest value stands at place k, none before it larger and none behind it smaller. */
function putInPlace(list: Float64Array, k: number): number {
  let [from, to] = [0, list.length - 1];
  while (from < to) {
    const pivot = middleOf(list[from], list[(from + to) >> 1], list[to]);
    let [i, j] = [from, to];
    while (i <= j) {
      while (list[i] < pivot) i++;
      while (list[j] > pivot) j--;
      if (i > j) break;
      const kept = list[i];
      list[i++] = list[j];
      list[j--] = kept;
    }
    if (k <= j) to = j;
    else if (k >= i) from = i;
    else break;
  }
  return list[k];
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/**
 * The area under the ROC curve: the chance that a positive scores above a negative, ties counted half (Mann and Whitney).
 * NaN if all rows are of one kind, where it is not defined.
 *
 * @example rocAuc([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1]) // 0.875
 */
export function rocAuc(scores: ArrayLike<number>, positive: ArrayLike<number | boolean>): number {
  if (scores.length !== positive.length) throw differentLengths(scores.length, positive.length);
  requireMatrix(scores, scores.length, 1);
  const { sorted, shared } = sharedRanks(scores);
  let rankSum = 0;
  let positives = 0;
  for (let i = 0; i < scores.length; i++)
    if (positive[i]) {
      rankSum += shared[lowerBound(sorted, scores[i])];
      positives++;
    }
  const negatives = scores.length - positives;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** What `standardise` subtracts from each column and divides it by. */
export interface Standardisation {
  mean: Float64Array;
  deviation: Float64Array;
}

/**
 * Each column less its mean, over its standard deviation (ddof 0); a constant column becomes 0. Give the scale of the
 * training rows to bring test rows to the same footing.
 *
 * @example const train = standardise(x, n, d); standardise(test, m, d, train.scale).values
 */
export function standardise(
  x: ArrayLike<number>,
  n: number,
  d: number,
  scale: Standardisation = scaleOf(x, n, d),
): { values: Float64Array; scale: Standardisation } {
  requireMatrix(x, n, d);
  const values = Float64Array.from(x);
  for (let at = 0; at < values.length; at++) values[at] = (values[at] - scale.mean[at % d]) / scale.deviation[at % d];
  return { values, scale };
}

function scaleOf(x: ArrayLike<number>, n: number, d: number): Standardisation {
  const deviation = columnVariances(x, n, d).map((variance) => (variance === 0 ? 1 : Math.sqrt(variance)));
  return { mean: columnMeans(x, n, d), deviation };
}

function columnOf(x: ArrayLike<number>, n: number, d: number, j: number): Float64Array {
  const column = new Float64Array(n);
  for (let i = 0; i < n; i++) column[i] = x[i * d + j];
  return column;
}

function differentLengths(a: number, b: number): UntangleError {
  return new UntangleError(`One list holds ${a} values, the other ${b}.`, {
    kind: 'call',
    hint: 'Give two lists of equal length.',
  });
}
