/**
 * Gaussian priors p(u|c), a row for each class: how far a posterior of u is from them, and how much they overlap (PartedVAE,
 * Eq. 2 and 5, appendix A.1).
 */
import { constant, relu, softmax, type Tensor, type TensorLike } from '../tensor/index.ts';
import type { GaussianPosterior } from './gaussian.ts';

/** Means and log variances [L, d], a row for each of L classes. */
export interface ClassPriors {
  mean: Tensor;
  logVariance: Tensor;
}

/**
 * E_{q(c|x)} KL(q(u|c,x) ‖ p(u|c)), mean over the batch. As in the authors' code, one posterior of u, that of the sampled c, is
 * measured against the prior of every class, with the weights q(c|x).
 */
export function expectedKl(posterior: GaussianPosterior, logits: Tensor, priors: ClassPriors): Tensor {
  const [batch, size] = posterior.mean.shape;
  const perItem = (x: Tensor) => x.reshape([batch, 1, size]);
  const perClass = (x: Tensor) => x.reshape([1, ...x.shape]);
  const logRatio = perItem(posterior.logVariance).minus(perClass(priors.logVariance));
  const distance = perItem(posterior.mean).minus(perClass(priors.mean)).square();
  const kl = distance
    .times(perClass(priors.logVariance.negate().exp()))
    .plus(logRatio.exp())
    .minus(logRatio)
    .minus(1)
    .times(0.5);
  return kl.sum(2).times(softmax(logits)).sum(1).mean();
}

/**
 * BC(p_i, p_j) = ∫ √(p_i p_j) of every pair of classes, [L, L]: e^−D with
 * D = Σ_d ⅛ (μ_i − μ_j)² / σ̄² + ½ ln(σ̄² / σ_i σ_j) and σ̄² = ½ (σ_i² + σ_j²).
 */
export function bhattacharyya({ mean, logVariance }: ClassPriors): Tensor {
  const [classes, size] = mean.shape;
  const row = (x: Tensor) => x.reshape([classes, 1, size]);
  const column = (x: Tensor) => x.reshape([1, classes, size]);
  const variance = logVariance.exp();
  const middle = row(variance).plus(column(variance)).times(0.5);
  const apart = row(mean).minus(column(mean)).square().over(middle).times(0.125);
  const unlike = middle
    .log()
    .minus(row(logVariance).plus(column(logVariance)).times(0.5))
    .times(0.5);
  return apart.plus(unlike).sum(2).negate().exp();
}

/**
 * Σ_{i>j} max(BC(p_i, p_j) − δ, 0). Eq. 5 prints the sum from j = i on, which would only add the constants BC(p_i, p_i) = 1.
 */
export function overlap(priors: ClassPriors, tolerance: TensorLike): Tensor {
  const classes = Number(priors.mean.shape[0]);
  const below = constant(
    Array.from({ length: classes * classes }, (_, at) => (Math.floor(at / classes) > at % classes ? 1 : 0)),
    [classes, classes],
  );
  return relu(bhattacharyya(priors).minus(tolerance)).times(below).sum();
}
