export { type GaussianPosterior, klToStandardNormal, sample } from './gaussian.ts';
export { intoRange, type Likelihood, likelihoodFor, reconstruction, type ValueRange } from './likelihood.ts';
export { aggregateCovariance, covariance, distanceToIdentity, thirdCentralMoments } from './moments.ts';
export * from './options.ts';
export { parseSchedule, rangeOf, type Schedule, scheduleForms, scheduleText, valueAt } from './schedule.ts';
