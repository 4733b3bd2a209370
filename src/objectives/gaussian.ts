/** Gaussian posteriors q(z|x) = N(μ, diag e^logVariance): their sample, their density and their divergence from N(0, I). */
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

/** ln N(z; 0, 1) of each value. */
export function logStandardNormal(z: Tensor): Tensor {
  return z.square().times(-0.5).minus(halfLogTau);
}

/** ln N(z; μ, e^logVariance) of each value: the difference is scaled before it is squared, which keeps its digits. */
export function logNormal(z: Tensor, { mean, logVariance }: GaussianPosterior): Tensor {
  const scale = logVariance.times(-0.5).exp().times(Math.SQRT1_2);
  return logVariance.times(-0.5).minus(halfLogTau).minus(z.minus(mean).times(scale).square());
}

/** −E ln q(z|x) of codes under the posteriors of the items that were decoded from them, in nats. */
export function surprise(z: Tensor, posterior: GaussianPosterior): Tensor {
  return logNormal(z, posterior).sum(1).mean().negate();
}

const halfLogTau = 0.5 * Math.log(2 * Math.PI);
