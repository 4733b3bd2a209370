/**
 * What a target adds to a background, along given scores, without a model: E_t[(x − μ_b)(u − μ_b(u))] − Cov_b(x, u). Columns
 * that vary alike in both sets drop out whatever the score is, so a score that was learned elsewhere gives no column more than the
 * data do; and nothing is shrunk, as an encoder or decoder shrinks it.
 */
import type { Points } from './points.ts';

export interface Added {
  /** For each column and score, d × k: the second moment that the target adds. */
  values: Float64Array;
  /** Their standard errors; rows of one unit count as one. */
  errors: Float64Array;
  /** The same between scores, k × k. */
  ofScores: Float64Array;
}

/** Rows of a set, their scores (n × k), and which rows belong to one unit. */
export interface ScoredSet extends Points {
  scores: Float64Array;
  units?: ArrayLike<number>;
}

/** @example addedCovariance(target, background, 1).values[column] */
export function addedCovariance(target: ScoredSet, background: ScoredSet, k: number): Added {
  const { d } = target;
  const centre = meansOf(background.x, background.n, d);
  const scoreCentre = meansOf(background.scores, background.n, k);
  const shift = meansOf(target.x, target.n, d).map((value, j) => value - centre[j]);
  const scoreShift = meansOf(target.scores, target.n, k).map((value, c) => value - scoreCentre[c]);
  const values = new Float64Array(d * k);
  const variances = new Float64Array(d * k);
  for (const [set, sign] of [
    [target, 1],
    [background, -1],
  ] as const) {
    const { n, x, scores } = set;
    for (let e = 0; e < d * k; e++) {
      const [j, c] = [Math.floor(e / k), e % k];
      let mean = 0;
      for (let i = 0; i < n; i++) mean += ((x[i * d + j] - centre[j]) * (scores[i * k + c] - scoreCentre[c])) / n;
      values[e] += sign * mean;
      // What each row moves the estimate by, those of the background by way of both means, too.
      const influence = (i: number) => {
        const [a, b] = [x[i * d + j] - centre[j], scores[i * k + c] - scoreCentre[c]];
        return sign * (a * b - mean) - (sign < 0 ? a * scoreShift[c] + b * shift[j] : 0);
      };
      variances[e] += sumOfSquares(n, influence, set.units) / n ** 2;
    }
  }
  const ofScores = new Float64Array(k * k);
  for (const [{ n, scores }, sign] of [
    [target, 1],
    [background, -1],
  ] as const)
    for (let i = 0; i < n; i++)
      for (let e = 0; e < k * k; e++) {
        const [a, b] = [Math.floor(e / k), e % k];
        ofScores[e] += (sign * (scores[i * k + a] - scoreCentre[a]) * (scores[i * k + b] - scoreCentre[b])) / n;
      }
  return { values, errors: variances.map(Math.sqrt), ofScores };
}

/** Over rows, or over sums of the rows of a unit with the correction for few units. */
function sumOfSquares(n: number, influence: (row: number) => number, units: ArrayLike<number> | undefined): number {
  if (units === undefined) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += influence(i) ** 2;
    return (sum * n) / Math.max(1, n - 1);
  }
  const sums = new Map<number, number>();
  for (let i = 0; i < n; i++) sums.set(units[i], (sums.get(units[i]) ?? 0) + influence(i));
  const count = sums.size;
  return ([...sums.values()].reduce((sum, value) => sum + value ** 2, 0) * count) / Math.max(1, count - 1);
}

function meansOf(x: ArrayLike<number>, n: number, d: number): Float64Array {
  const means = new Float64Array(d);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) means[j] += x[i * d + j] / n;
  return means;
}
