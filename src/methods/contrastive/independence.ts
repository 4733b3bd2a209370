/**
 * Independence of the target's codes: the distance correlation of z and s, so that what s tells of an item is not worth a place
 * in z, nor the other way round. It takes the place of cVAE's total correlation without a discriminator, and is measured on the
 * posteriors' means, since the noise of a sample hides what a mean gives away.
 */
import { distanceCorrelation } from '../../objectives/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import type { ContrastiveParts } from './contrastive-parts.ts';

/** The distance correlation of the target's posterior means of z and s. */
export function independence({ target: { posteriors } }: ContrastiveParts): Tensor {
  return distanceCorrelation(posteriors.z.mean, posteriors.s.mean);
}
