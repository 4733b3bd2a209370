/**
 * Independence of the target's codes: the distance correlation of z and s, so that what s tells of an item is not worth a place
 * in z, nor the other way round. It takes the place of cVAE's total correlation without a discriminator, and is measured on the
 * posteriors' means, since the noise of a sample hides what a mean gives away.
 */
import { distanceCorrelation } from '../objectives/index.ts';
import type { ContrastiveObjective, ContrastiveParts, ContrastiveSettings } from './contrastive-parts.ts';

/** An objective with weight · distance correlation added, or as it is for a weight of 0. */
export function withIndependence(
  { target: { posteriors } }: ContrastiveParts,
  objective: ContrastiveObjective,
  { independence: weight }: ContrastiveSettings,
): ContrastiveObjective {
  if (weight === 0) return objective;
  const term = distanceCorrelation(posteriors.z.mean, posteriors.s.mean);
  return {
    ...objective,
    minimises: objective.minimises.plus(term.times(weight)),
    terms: { ...objective.terms, independence: term },
  };
}
