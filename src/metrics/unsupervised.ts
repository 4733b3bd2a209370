/**
 * Scores that need no factors: how far the codes are from independent. Gaussian total correlation, Gaussian Wasserstein
 * correlation and the mean mutual information of pairs of codes, as disentanglement_lib computes them.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { covarianceMatrix, discretise, mutualInformation } from '../analysis/index.ts';
import { count, defineMetric } from './metric.ts';
import { codeColumns, codeRows, takeRows } from './rows.ts';

export const unsupervised = defineMetric({
  name: 'unsupervised',
  title: 'Unsupervised scores',
  version: '1',
  needs: ['codes'],
  describe:
    'how far the dimensions are from independent: the Gaussian total correlation in nats, and two more in the parts',
  better: 'lower',
  options: {
    rows: count('rows to estimate from', 10000, 2),
    bins: count('bins of the histogram of each dimension', 20),
  },
  score({ codes }, { rows: most, bins }, context) {
    const notes: string[] = [];
    const rows = takeRows(codes.n, most, context);
    const covariance = covarianceMatrix(codeRows(codes, rows), rows.length, codes.d, 1);
    const columns = codeColumns(codes, rows);
    const constant = columns.filter((column) => column.every((value) => value === column[0])).length;
    if (constant > 0) notes.push(`${constant} of ${codes.d} dimensions are constant, hence independent of all others.`);
    const totalCorrelation = gaussianTotalCorrelation(covariance, codes.d);
    if (totalCorrelation === Number.POSITIVE_INFINITY)
      notes.push('Some dimensions follow exactly from others, so the total correlation is infinite.');
    const wasserstein = gaussianWassersteinCorrelation(covariance, codes.d);
    return {
      score: totalCorrelation,
      parts: {
        totalCorrelation,
        wassersteinCorrelation: wasserstein.distance,
        normalisedWassersteinCorrelation: wasserstein.normalised,
        mutualInformation: pairwiseInformation(columns, bins),
        rows: rows.length,
      },
      notes,
    };
  },
});

/**
 * ½ (Σ ln Σ_ii − ln det Σ): the total correlation of a Gaussian with covariance Σ. Infinite if dimensions follow from
 * others. Dimensions without variance are independent of all and drop out.
 */
export function gaussianTotalCorrelation(covariance: Float64Array, d: number): number {
  const live = Array.from({ length: d }, (_, j) => j).filter((j) => covariance[j * d + j] > 0);
  if (live.length < 2) return 0;
  // On the correlation matrix the sum of logarithms of the diagonal is 0, and its eigenvalues are free of scale.
  const correlations = live.map((i) =>
    live.map((j) => covariance[i * d + j] / Math.sqrt(covariance[i * d + i] * covariance[j * d + j])),
  );
  let sum = 0;
  for (const value of eigenvalues(correlations)) {
    if (value < 1e-13 * live.length) return Number.POSITIVE_INFINITY;
    sum += Math.log(value);
  }
  return Math.max(0, -0.5 * sum);
}

/**
 * W2² between the Gaussian and the product of its marginals, 2 tr Σ − 2 tr (D Σ)^½ with D = diag Σ, and the same over tr Σ.
 * tr (D Σ)^½ is the sum of the square roots of the eigenvalues of D^½ Σ D^½.
 */
export function gaussianWassersteinCorrelation(
  covariance: Float64Array,
  d: number,
): { distance: number; normalised: number } {
  const root = Array.from({ length: d }, (_, j) => Math.sqrt(covariance[j * d + j]));
  const trace = root.reduce((sum, value) => sum + value * value, 0);
  if (trace === 0) return { distance: 0, normalised: 0 };
  const scaled = root.map((a, i) => root.map((b, j) => a * covariance[i * d + j] * b));
  const traceOfRoot = eigenvalues(scaled).reduce((sum, value) => sum + Math.sqrt(Math.max(0, value)), 0);
  const distance = Math.max(0, 2 * trace - 2 * traceOfRoot);
  return { distance, normalised: distance / trace };
}

/** The mean over ordered pairs of different codes of the mutual information of their histograms, in nats. */
function pairwiseInformation(codes: readonly Float64Array[], bins: number): number {
  const cut = codes.map((column) => discretise(column, bins));
  let sum = 0;
  for (let i = 0; i < cut.length; i++) for (let j = 0; j < i; j++) sum += 2 * mutualInformation(cut[i], cut[j]);
  return cut.length < 2 ? 0 : sum / (cut.length * cut.length - cut.length);
}

function eigenvalues(symmetric: number[][]): number[] {
  return new EigenvalueDecomposition(new Matrix(symmetric), { assumeSymmetric: true }).realEigenvalues;
}
