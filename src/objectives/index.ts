export { type GaussianPosterior, klToStandardNormal, sample } from './gaussian.ts';
export { type Likelihood, reconstruction } from './likelihood.ts';
export { aggregateCovariance, covariance, distanceToIdentity } from './moments.ts';
export * from './options.ts';
export { parseSchedule, rangeOf, type Schedule, scheduleForms, scheduleText, valueAt } from './schedule.ts';
