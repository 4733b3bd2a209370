/**
 * β-TCVAE (Chen et al. 2018, Eq. 4): the KL of the ELBO taken apart into mutual information, total correlation and dimension-wise
 * KL with weights α, β and γ, where β on the total correlation is the one that disentangles.
 */

import { klParts } from '../../objectives/index.ts';
import { choice, number } from '../../options/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import type { Objective } from '../family.ts';
import { type VaeParts, vaeMethod } from './family.ts';

export const tcOptions = {
  alpha: number('weight of the mutual information of items and codes', { default: 1, min: 0 }),
  beta: number('weight of the total correlation', { default: 6, min: 0 }),
  gamma: number('weight of the dimension-wise KL', { default: 1, min: 0 }),
  estimator: choice(
    'how the density of all codes is estimated from a batch: minibatch weighted or stratified sampling',
    ['weighted', 'stratified'],
    { default: 'weighted' },
  ),
};

/** The 2D Shapes settings of the paper's code. */
export const tcDsprites = {
  beta: 6,
  latents: 10,
  network: 'shapes-mlp',
  batchSize: 2048,
  learningRate: 1e-3,
  epochs: 50,
};

export const betaTcvae = vaeMethod({
  name: 'beta-tcvae',
  title: 'β-TCVAE',
  summary: 'Puts a weight β on the total correlation alone.',
  paper: { cite: 'Chen et al. 2018', equations: 'Eq. 4; appendix C.1, C.2' },
  options: tcOptions,
  presets: { dsprites: tcDsprites },
  objective: tcObjective,
});

export interface TcSettings {
  alpha: Tensor;
  beta: Tensor;
  gamma: Tensor;
  estimator: 'weighted' | 'stratified';
}

/** Eq. 4 on the parts of a VAE. */
export function tcObjective(
  { reconstruction, posterior, z, context }: VaeParts,
  { alpha, beta, gamma, estimator }: TcSettings,
): Objective {
  const { mutualInformation, totalCorrelation, dimensionWiseKl } = klParts(posterior, z, context.items, estimator);
  return {
    minimises: reconstruction
      .plus(mutualInformation.times(alpha))
      .plus(totalCorrelation.times(beta))
      .plus(dimensionWiseKl.times(gamma)),
    terms: {
      'mutual information': mutualInformation,
      'total correlation': totalCorrelation,
      'dimension-wise kl': dimensionWiseKl,
    },
  };
}
