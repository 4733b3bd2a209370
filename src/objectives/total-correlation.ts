/**
 * What the KL of a VAE is made of (Chen et al. 2018, Eq. 2): the mutual information of items and codes, the total correlation of
 * the codes' dimensions, and the KL of each dimension. All three need the aggregate posterior q(z) = 1/N Σ_n q(z|x_n) of the
 * whole data, which is estimated from a batch.
 */
import { UntangleError } from '../errors.ts';
import { constant, logSumExp, ownRows, type Tensor, wholeBatch } from '../tensor/index.ts';
import { type GaussianPosterior, logNormal, logStandardNormal } from './gaussian.ts';

/**
 * How much each q(z_i|x_j) of a batch counts in q(z_i): `weighted` and `stratified` minibatch sampling (Chen et al. 2018,
 * appendix C.1 and C.2), or `corrected`, which counts the item that z_i came from as one of N (Esmaeili et al. 2019).
 */
export type AggregateEstimator = 'weighted' | 'stratified' | 'corrected';

/** Log densities of the batch's codes. */
export interface AggregateDensity {
  /** ln q(z|x) of each code under its own item's posterior. */
  given: Tensor;
  /** ln q(z) of each code. */
  joint: Tensor;
  /** ln q(z_k) of each code and dimension. */
  marginals: Tensor;
  /** ln q(z_g) of each code, of the dimensions from `start` up to, not including, `end` together. */
  ofGroup(start: number, end: number): Tensor;
}

export interface KlParts {
  /** E[ln q(z|x) − ln q(z)]. */
  mutualInformation: Tensor;
  /** E[ln q(z) − Σ_k ln q(z_k)]. */
  totalCorrelation: Tensor;
  /** E[Σ_k ln q(z_k) − ln p(z)]. */
  dimensionWiseKl: Tensor;
}

/** The three parts of the KL. Their sum is exactly the batch's estimate of it, E[ln q(z|x) − ln p(z)], with any estimator. */
export function klParts(
  posterior: GaussianPosterior,
  z: Tensor,
  items: number,
  estimator: AggregateEstimator,
): KlParts {
  const { given, joint, marginals } = aggregateDensity(posterior, z, items, estimator);
  const independent = marginals.sum(1);
  return {
    mutualInformation: given.minus(joint).mean(),
    totalCorrelation: joint.minus(independent).mean(),
    dimensionWiseKl: independent.minus(logStandardNormal(z).sum(1)).mean(),
  };
}

/** The densities of codes `z`, a sample of each item's posterior, where `items` is the size N of the whole data. */
export function aggregateDensity(
  posterior: GaussianPosterior,
  z: Tensor,
  items: number,
  estimator: AggregateEstimator,
): AggregateDensity {
  const [rows, size] = z.shape.map(Number);
  const mean = wholeBatch(posterior.mean);
  const batch = Number(mean.shape[0]);
  checkBatch(batch, size, items, estimator);
  // ln q(z_ik|x_jk) as [i, k, j], so that sums over items run along the last axis.
  const ofItems = (parameter: Tensor) => parameter.transpose().reshape([1, size, batch]);
  const ofBatch = { mean: ofItems(mean), logVariance: ofItems(wholeBatch(posterior.logVariance)) };
  const table = logNormal(z.reshape([rows, size, 1]), ofBatch);
  const weights = logWeights(batch, items, estimator);
  const weighted = (pairwise: Tensor) =>
    weights.rank === 0
      ? logSumExp(pairwise, 2).plus(weights)
      : logSumExp(pairwise.plus(z.spread.kind === 'rows' ? ownRows(weights, z) : weights), 2);
  const together = (part: Tensor) => weighted(part.sum(1, { keepDimensions: true })).reshape([rows]);
  return {
    given: logNormal(z, posterior).sum(1),
    joint: together(table),
    marginals: weighted(table),
    ofGroup: (start, end) => together(table.slice(1, start, end)),
  };
}

/**
 * ln of the weights: one number, or a table [i, 1, j]. Each row of the stratified and the corrected ones sums to 1. Stratified
 * with M = B − 1: 1/N on the diagonal, (N − M)/(N M) right of it (in the last row, in the first column), 1/M elsewhere.
 */
function logWeights(batch: number, items: number, estimator: AggregateEstimator): Tensor {
  if (estimator === 'weighted') return constant([-Math.log(batch * items)], []);
  const others = batch - 1;
  const elsewhere = estimator === 'stratified' ? 1 / others : (items - 1) / (items * others);
  const weights = new Float32Array(batch * batch).fill(Math.log(elsewhere));
  for (let i = 0; i < batch; i++) {
    weights[i * batch + i] = -Math.log(items);
    if (estimator === 'stratified')
      weights[i * batch + ((i + 1) % batch)] = Math.log((items - others) / (items * others));
  }
  return constant(weights, [batch, 1, batch]);
}

function checkBatch(batch: number, size: number, items: number, estimator: AggregateEstimator): void {
  if (estimator !== 'weighted' && (batch < 2 || batch > items)) {
    throw new UntangleError(
      `The ${estimator} estimate of q(z) needs batches of at least 2 and at most all ${items} items, not of ${batch}.`,
      { kind: 'call', hint: 'Set another batchSize.' },
    );
  }
  // Half a gigabyte for one table, of which a step holds about ten.
  if (batch * batch * size > 2 ** 27) {
    throw new UntangleError(
      `q(z) is estimated from a table of ${batch} × ${batch} × ${size} densities, which is too large to hold.`,
      { kind: 'call', hint: 'Set a smaller batchSize or fewer latents.' },
    );
  }
}
