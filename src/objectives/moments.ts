/** DIP-VAE's regularisers: the moments of the aggregate posterior against those of N(0, I) (Kumar et al. 2018, section 2). */
import { constant, matmul, type Tensor, wholeBatch } from '../tensor/index.ts';
import type { GaussianPosterior } from './gaussian.ts';

/** Cov over the batch of a row per item, the population covariance: 1/B Σ (x − x̄)(x − x̄)ᵀ. */
export function covariance(rows: Tensor): Tensor {
  const all = wholeBatch(rows);
  const centred = all.minus(all.mean(0, { keepDimensions: true }));
  return matmul(centred.transpose(), centred).times(1 / Number(all.shape[0]));
}

/** Cov of the aggregate posterior, Eq. 5: Cov[μ] + E[Σ], the first of which DIP-VAE-I uses alone. */
export function aggregateCovariance({ mean, logVariance }: GaussianPosterior): Tensor {
  const size = Number(mean.shape[1]);
  return covariance(mean).plus(identity(size).times(logVariance.exp().mean(0, { keepDimensions: true })));
}

/** Σ_{i≠j} C_ij² and Σ_i (C_ii − 1)², the two sums of Eq. 6 and 7. */
export function distanceToIdentity(matrix: Tensor): { offDiagonal: Tensor; diagonal: Tensor } {
  const unit = identity(Number(matrix.shape[0]));
  const squares = matrix.square();
  return {
    offDiagonal: squares.minus(squares.times(unit)).sum(),
    diagonal: matrix.minus(unit).times(unit).square().sum(),
  };
}

/**
 * Third central moments M_ijk = E[(z_i − z̄_i)(z_j − z̄_j)(z_k − z̄_k)] of the aggregate posterior, as [d, d, d]: those of N(0, I) are
 * zero, and the paper penalises their ℓ₂ norm with λ_3 (section 4). As in Eq. 5 the noise of q(z|x) is integrated out: with
 * δ = μ − E[μ] and variances v,
 *
 *     M_ijk = E[δ_i δ_j δ_k] + [i=j] E[v_i δ_k] + [i=k] E[v_i δ_j] + [j=k] E[v_j δ_i]
 *
 * Moments of drawn codes would be mostly noise: of 400 draws from N(0, I) in ten dimensions their squares add up to 4.
 */
export function thirdCentralMoments({ mean, logVariance }: GaussianPosterior): Tensor {
  const means = wholeBatch(mean);
  const [batch, d] = means.shape.map(Number);
  const centred = means.minus(means.mean(0, { keepDimensions: true }));
  const pairs = centred
    .reshape([batch, d, 1])
    .times(centred.reshape([batch, 1, d]))
    .reshape([batch, d * d]);
  const ofMeans = matmul(pairs.transpose(), centred).reshape([d, d, d]);
  const spread = matmul(wholeBatch(logVariance).exp().transpose(), centred);
  const unit = identity(d);
  return ofMeans
    .plus(unit.reshape([d, d, 1]).times(spread.reshape([d, 1, d])))
    .plus(unit.reshape([d, 1, d]).times(spread.reshape([d, d, 1])))
    .plus(unit.reshape([1, d, d]).times(spread.transpose().reshape([d, d, 1])))
    .times(1 / batch);
}

function identity(size: number): Tensor {
  return constant(
    Array.from({ length: size * size }, (_, i) => (i % (size + 1) === 0 ? 1 : 0)),
    [size, size],
  );
}
