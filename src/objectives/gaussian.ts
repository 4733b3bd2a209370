/** Gaussian posteriors q(z|x) = N(μ, diag e^logVariance): their sample and their divergence from N(0, I). */
import type { Tensor } from '../tensor/index.ts';

/** A row for each item: mean and log variance of each dimension. */
export interface GaussianPosterior {
  mean: Tensor;
  logVariance: Tensor;
}

/** The reparameterised sample z = μ + e^(½ logVariance) · ε (Kingma and Welling 2014, section 2.4). */
export function sample({ mean, logVariance }: GaussianPosterior, noise: Tensor): Tensor {
  return mean.plus(logVariance.times(0.5).exp().times(noise));
}

/** KL(q(z|x) ‖ N(0, I)) of each item and dimension: ½ (μ² + e^lv − lv − 1). */
export function klToStandardNormal({ mean, logVariance }: GaussianPosterior): Tensor {
  return mean.square().plus(logVariance.exp()).minus(logVariance).minus(1).times(0.5);
}
