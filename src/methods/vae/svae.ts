/**
 * The symmetric VAE (Pu et al. 2018), in the form in which sRb-VAE builds on it (its Eq. 8 to 10 and Algorithm 1, without
 * references): encoder and decoder minimise KL(q ‖ p) + KL(p ‖ q) of the pairs q(x, z) = q(z|x) q(x) and p(x, z) = p(x|z) p(z).
 * A discriminator learns d(x, z) = ln q(x, z) / p(x, z), the encoder lowers E_q d and the decoder raises E_p d, with the
 * reconstruction of items and of codes added.
 */
import { surprise } from '../../objectives/index.ts';
import { number } from '../../options/index.ts';
import { generatedItems } from '../autoencoder.ts';
import { pairOptions, tellPairs } from '../pair-discriminator.ts';
import { vaeMethod } from './family.ts';

/** Section 5.2 of Ruiz et al.: the same for all models. */
const fromRuiz = { latents: 32, likelihood: 'laplace', scale: 0.01, batchSize: 36, learningRate: 1e-4 };

export const svae = vaeMethod({
  name: 'svae',
  title: 'sVAE',
  summary: 'Minimises the symmetric KL between encoder and decoder with a discriminator of pairs.',
  paper: {
    cite: 'Pu et al. 2018; Ruiz, Martinez, Binefa and Verbeek 2019',
    equations: 'Eq. 8, 9, 10 and Algorithm 1 of Ruiz et al.',
  },
  options: {
    discriminatorRate: number('learning rate of the discriminator', { default: 1e-4, min: 0, schedulable: false }),
    ...pairOptions,
  },
  training: { learningRate: 1e-4, beta1: 0.5, beta2: 0.99 },
  presets: {
    'styled-mnist': { ...fromRuiz, network: 'reference-64', epochs: 30 },
    affectnet: { ...fromRuiz, network: 'reference-96', epochs: 20 },
  },
  objective({ b, context, x, z, reconstruction, encode, decode }, settings) {
    const prior = b.noise('sample of the prior', [settings.latents], 'normal');
    const generated = generatedItems(decode(prior), context, settings);
    // −ln q(ẑ|x̂), the codes' part of Eq. 10.
    const latentReconstruction = surprise(prior, encode(generated));
    const { onQ, onP, loss } = tellPairs(b.at('discriminator'), context, settings, {
      q: { name: 'encoded pairs', x, codes: [z] },
      p: { name: 'decoded pairs', x: generated, codes: [prior] },
    });
    return {
      minimises: reconstruction.plus(latentReconstruction).plus(onQ).minus(onP).plus(loss),
      terms: {
        'latent reconstruction': latentReconstruction,
        'ratio of encoded pairs': onQ,
        'ratio of decoded pairs': onP,
        discriminator: loss,
      },
      adversaries: [
        {
          name: 'discriminator',
          optimiser: {
            kind: 'adam',
            learningRate: { kind: 'constant', value: settings.discriminatorRate },
            beta1: 0.5,
            beta2: 0.99,
          },
        },
      ],
    };
  },
});
