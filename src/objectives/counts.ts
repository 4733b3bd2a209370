/**
 * Likelihoods of counts (Lopez et al. 2018, scVI): Poisson, negative binomial with a dispersion of each column, and the latter with
 * zeros beyond it. −ln p of each value, without what no parameter changes; means and dispersions come as logarithms.
 */
import { exp, less, log, softplus, type Tensor, where } from '../tensor/index.ts';
import { logGamma } from './dirichlet.ts';

export const countLikelihoods = ['poisson', 'negative-binomial', 'zero-inflated'] as const;
export type CountLikelihood = (typeof countLikelihoods)[number];

/** −ln Poisson(x; μ) − ln x! = μ − x ln μ */
export function poissonLoss(x: Tensor, logMean: Tensor): Tensor {
  return exp(logMean).minus(x.times(logMean));
}

/**
 * −ln NB(x; μ, θ) − ln x!, of variance μ + μ²/θ:
 * ln Γ(θ) − ln Γ(x + θ) + (x + θ) ln(θ + μ) − θ ln θ − x ln μ
 */
export function negativeBinomialLoss(x: Tensor, logMean: Tensor, logDispersion: Tensor): Tensor {
  const theta = exp(logDispersion);
  const logSum = log(theta.plus(exp(logMean)));
  return logGamma(theta)
    .minus(logGamma(x.plus(theta)))
    .plus(x.times(logSum.minus(logMean)))
    .plus(theta.times(logSum.minus(logDispersion)));
}

/**
 * The same with a share π = σ(l) of zeros beyond: −ln(π + (1 − π) NB(0)) where x is 0, and −ln(1 − π) − ln NB(x) elsewhere, from the
 * logits l (appendix B of scVI).
 */
export function zeroInflatedLoss(x: Tensor, logMean: Tensor, logDispersion: Tensor, logits: Tensor): Tensor {
  const theta = exp(logDispersion);
  const ofZero = theta.times(logDispersion.minus(log(theta.plus(exp(logMean)))));
  const zero = softplus(logits.negate()).minus(softplus(ofZero.minus(logits)));
  const other = softplus(logits).plus(negativeBinomialLoss(x, logMean, logDispersion));
  return where(less(x, 0.5), zero, other);
}
