/** The terms that the papers share. */

export { bhattacharyya, type ClassPriors, expectedKl, overlap } from './bhattacharyya.ts';
export {
  accuracy,
  crossEntropy,
  entropy,
  gumbelSoftmax,
  klOfAggregate,
  klToUniform,
  mostProbable,
} from './categorical.ts';
export {
  type CountLikelihood,
  countLikelihoods,
  negativeBinomialLoss,
  poissonLoss,
  zeroInflatedLoss,
} from './counts.ts';
export { type Dropped, densityRatioLoss, type Pair, pairRatio, stillPair } from './density-ratio.ts';
export { digamma, klBetweenDirichlets, logGamma } from './dirichlet.ts';
export { distanceCorrelation } from './distance-correlation.ts';
export {
  type GaussianPosterior,
  klToStandardNormal,
  logNormal,
  logStandardNormal,
  sample,
  surprise,
} from './gaussian.ts';
export { gradientPenalty } from './gradient-penalty.ts';
export { intoRange, type Likelihood, likelihoodFor, reconstruction } from './likelihood.ts';
export { manyWidths, maximumMeanDiscrepancy } from './mmd.ts';
export { aggregateCovariance, covariance, distanceToIdentity, thirdCentralMoments } from './moments.ts';
export { salience } from './salience.ts';
export {
  type AggregateDensity,
  type AggregateEstimator,
  aggregateDensity,
  type KlParts,
  klParts,
} from './total-correlation.ts';
export { cycled, type Entropic, entropicTransportCost, exactTransportCost } from './wasserstein.ts';
