/**
 * DIP-VAE (Kumar et al. 2018): the moments of the aggregate posterior q(z) = E_x q(z|x) are drawn to those of N(0, I). DIP-VAE-I
 * (Eq. 6) looks at the covariance of the means alone, DIP-VAE-II (Eq. 7) at that of the codes.
 */
import { constantly } from '../../nn/index.ts';
import { aggregateCovariance, covariance, distanceToIdentity, thirdCentralMoments } from '../../objectives/index.ts';
import { boolean, number } from '../../options/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import type { Objective } from '../family.ts';
import { type VaeParts, vaeMethod } from './family.ts';

const options = {
  lambdaOffDiagonal: number('weight λ_od of the off-diagonal covariances', { default: 10, min: 0 }),
  lambdaDiagonal: number('weight λ_d of the distance of the variances from 1', { default: 100, min: 0 }),
  running: boolean('estimate the covariance over past batches too (footnote 4)', { default: false }),
  runningDecay: number('share of the past in a running covariance', {
    default: 0.9,
    min: 0,
    max: 1,
    schedulable: false,
  }),
};

export const dipVae1 = vaeMethod({
  name: 'dip-vae-i',
  title: 'DIP-VAE-I',
  summary: 'Draws the covariance of the posterior means to the identity.',
  paper: { cite: 'Kumar, Sattigeri and Balakrishnan 2018', equations: 'Eq. 6' },
  options,
  presets: {
    dsprites: { lambdaOffDiagonal: 10, lambdaDiagonal: 100, latents: 10, network: 'shapes-mlp', batchSize: 400 },
    celeba: { lambdaOffDiagonal: 10, lambdaDiagonal: 500, latents: 32, network: 'beta-conv', batchSize: 100 },
    chairs: { lambdaOffDiagonal: 10, lambdaDiagonal: 100, latents: 32, network: 'beta-conv', batchSize: 100 },
  },
  objective: (parts, settings) => momentObjective(parts, settings, covariance(parts.posterior.mean)),
});

export const dipVae2 = vaeMethod({
  name: 'dip-vae-ii',
  title: 'DIP-VAE-II',
  summary: 'Draws the covariance of the codes to the identity.',
  paper: { cite: 'Kumar, Sattigeri and Balakrishnan 2018', equations: 'Eq. 7' },
  options: {
    ...options,
    lambdaDiagonal: number('weight λ_d of the distance of the variances from 1', { default: 10, min: 0 }),
    lambdaThird: number('weight λ_3 of the third central moments of the codes', { default: 0, min: 0 }),
  },
  presets: {
    dsprites: { ...dspritesOf(5), lambdaThird: 200 },
    'dsprites-500': { ...dspritesOf(500), lambdaThird: 200 },
    celeba: { lambdaOffDiagonal: 10, lambdaDiagonal: 5, latents: 32, network: 'beta-conv', batchSize: 100 },
    mnist: { lambdaOffDiagonal: 5, lambdaDiagonal: 5, latents: 10, batchSize: 64, learningRate: 1e-3 },
  },
  objective(parts, settings) {
    const base = momentObjective(parts, settings, aggregateCovariance(parts.posterior));
    const third = thirdCentralMoments(parts.posterior).square().sum();
    return {
      minimises: base.minimises.plus(third.times(settings.lambdaThird)),
      terms: { ...base.terms, 'third moments': third },
    };
  },
});

/** The ELBO with both sums of Eq. 6 and 7 over a covariance of this batch. */
function momentObjective(
  { b, reconstruction, kl }: VaeParts,
  settings: { lambdaOffDiagonal: Tensor; lambdaDiagonal: Tensor; running: boolean; runningDecay: number },
  ofBatch: Tensor,
): Objective {
  const size = Number(ofBatch.shape[0]);
  let estimate = ofBatch;
  if (settings.running) {
    const past = b.parameter('running covariance', [size, size], constantly(0), { trainable: false });
    // The past is constant: only this batch's share of the estimate has a gradient.
    estimate = past.times(settings.runningDecay).plus(ofBatch.times(1 - settings.runningDecay));
    b.assign(past, estimate);
  }
  const { offDiagonal, diagonal } = distanceToIdentity(estimate);
  return {
    minimises: reconstruction
      .plus(kl)
      .plus(offDiagonal.times(settings.lambdaOffDiagonal))
      .plus(diagonal.times(settings.lambdaDiagonal)),
    terms: { 'off-diagonal': offDiagonal, diagonal },
  };
}

/** 2D Shapes, with λ_d = λ_od. */
function dspritesOf(lambda: number) {
  return {
    lambdaOffDiagonal: lambda,
    lambdaDiagonal: lambda,
    latents: 10,
    network: 'shapes-mlp',
    batchSize: 400,
  };
}
