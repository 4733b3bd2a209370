// @ts-check
/** The networks of the papers that the step is measured on, as plain VAEs and as DIP-VAE-II, whose rows meet. */
import { apply, build, flatten, initialValues, linear, networkFor } from '../dist/nn/index.js';
import { binaryCrossEntropy, matmul, wholeBatch } from '../dist/tensor/index.js';
import { adam } from '../dist/training/session/index.js';

/** @typedef {{ name: string, network: string, channels: number, side: number, batch: number, latents: number, coupled?: boolean }} Case */

/** @type {Case[]} */
export const cases = [
  { name: 'MNIST, PartedVAE, batch 64', network: 'parted-mnist', channels: 1, side: 32, batch: 64, latents: 16 },
  { name: 'dSprites, PartedVAE, batch 64', network: 'parted-dsprites', channels: 1, side: 64, batch: 64, latents: 6 },
  { name: '2D Shapes, β-VAE’s MLP, batch 400', network: 'shapes-mlp', channels: 1, side: 64, batch: 400, latents: 10 },
  {
    name: 'Grassy-MNIST, contrastive, batch 128',
    network: 'contrastive-28',
    channels: 1,
    side: 28,
    batch: 128,
    latents: 12,
  },
  { name: 'styled MNIST, Rb-VAE, batch 36', network: 'reference-64', channels: 3, side: 64, batch: 36, latents: 64 },
  {
    name: 'dSprites, DIP-VAE-II, batch 64',
    network: 'parted-dsprites',
    channels: 1,
    side: 64,
    batch: 64,
    latents: 10,
    coupled: true,
  },
];

/**
 * A program spec of one training step.
 * @param {Case} one
 * @param {number} workers
 */
export function stepOf(one, workers) {
  const b = build({ size: one.batch, workers });
  const item = /** @type {const} */ ({ kind: 'image', channels: one.channels, height: one.side, width: one.side });
  const network = networkFor(one.network, item);
  const x = b.rows('x', [one.channels, one.side, one.side]);
  const features = apply(b.at('encoder'), network.encoder, x);
  const mean = linear(b.at('mean'), features, one.latents);
  const logVariance = linear(b.at('logVariance'), features, one.latents);
  const z = mean.plus(
    logVariance
      .times(0.5)
      .exp()
      .times(b.noise('z', [one.latents], 'normal')),
  );
  const logits = apply(b.at('decoder'), network.decoder, z);
  const reconstruction = flatten(binaryCrossEntropy(logits, x)).sum(1).mean();
  const kl = mean.square().plus(logVariance.exp()).minus(logVariance).minus(1).times(0.5).sum(1).mean();
  /** @type {Record<string, import('../dist/tensor/index.js').Tensor>} */
  const terms = { reconstruction, kl };
  let minimises = reconstruction.plus(kl);
  if (one.coupled) {
    const all = wholeBatch(mean);
    const centred = all.minus(all.mean(0, { keepDimensions: true }));
    const covariance = matmul(centred.transpose(), centred).times(1 / one.batch);
    terms.moments = covariance.square().sum();
    minimises = minimises.plus(terms.moments.times(5));
  }
  const parameters = [...b.declared.values()].map(({ tensor }) => tensor);
  const step = { minimises, terms, groups: [{ name: 'model', parameters, optimiser: adam() }] };
  return { parameters: initialValues(b.declared, 1), steps: { train: step } };
}
