/**
 * Discrete latent variables by their logits, a row for each item: a relaxed sample, entropy and divergences of the posterior
 * q(c|x), and cross-entropy against known classes.
 */
import {
  cast,
  constant,
  equal,
  logSoftmax,
  logSumExp,
  softmax,
  type Tensor,
  type TensorLike,
  wholeBatch,
} from '../tensor/index.ts';

/**
 * The relaxed sample softmax((logits + g) / τ) with Gumbel noise g (Jang et al. 2017; Maddison et al. 2017): one-hot for τ → 0,
 * uniform for τ → ∞.
 */
export function gumbelSoftmax(logits: Tensor, noise: Tensor, temperature: TensorLike): Tensor {
  return softmax(logits.plus(noise).over(temperature));
}

/** 1 at the most probable class, 0 elsewhere; classes that are exactly equal share the 1. */
export function mostProbable(logits: Tensor): Tensor {
  const winners = cast(equal(logits, logits.max(1, { keepDimensions: true })));
  return winners.over(winners.sum(1, { keepDimensions: true }));
}

/** H(q(c|x)) = −Σ q ln q of each item. */
export function entropy(logits: Tensor): Tensor {
  return softmax(logits).times(logSoftmax(logits)).sum(1).negate();
}

/** KL(q(c|x) ‖ uniform) = ln L − H(q(c|x)) of each item. */
export function klToUniform(logits: Tensor): Tensor {
  return entropy(logits)
    .negate()
    .plus(Math.log(Number(logits.shape[1])));
}

/** KL(q(c) ‖ p(c)), with the aggregate posterior q(c) = E_x q(c|x) over the batch (PartedVAE, Eq. 3, term B). */
export function klOfAggregate(logits: Tensor, prior: readonly number[]): Tensor {
  const rows = wholeBatch(logSoftmax(logits));
  const logAggregate = logSumExp(rows, 0).minus(Math.log(Number(rows.shape[0])));
  const logPrior = constant(prior.map(Math.log), [prior.length]);
  return logAggregate.exp().times(logAggregate.minus(logPrior)).sum();
}

/** −ln q(c = y|x), mean over the batch, for classes y as one-hot rows (PartedVAE, Eq. 7). */
export function crossEntropy(logits: Tensor, y: Tensor): Tensor {
  return logSoftmax(logits).times(y).sum(1).mean().negate();
}

/** The share of the batch whose most probable class is the true one. */
export function accuracy(logits: Tensor, y: Tensor): Tensor {
  return mostProbable(logits).times(y).sum(1).mean();
}
