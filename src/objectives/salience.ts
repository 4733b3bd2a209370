/**
 * What is salient in an item that has nothing salient: the contrastive paper's prior of the background's salient code is the
 * point 0 (Eq. 2), and its divergence from a Gaussian is infinite, so the paper takes a square in its place (after Eq. 7).
 */
import type { Tensor } from '../tensor/index.ts';
import type { GaussianPosterior } from './gaussian.ts';

/**
 * L_c = E[‖μ‖² + ‖σ‖²], the mean square of a posterior's samples, which is W2² between the posterior and the point 0.
 *
 * @example salience(background.s).times(lambdaS)
 */
export function salience({ mean, logVariance }: GaussianPosterior): Tensor {
  return mean.square().plus(logVariance.exp()).sum(1).mean();
}
