/**
 * The model of the unsupervised family: a Gaussian posterior q(z|x), a decoder p(x|z) and the prior N(0, I) on one code z. Its
 * methods differ in what they ask of the codes beside −ELBO = −E ln p(x|z) + KL(q(z|x) ‖ p(z)).
 */
import type { Build } from '../../nn/index.ts';
import { type GaussianPosterior, klToStandardNormal, sample } from '../../objectives/index.ts';
import { integer } from '../../options/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import {
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  generatedItems,
  reconstructionOf,
} from '../autoencoder.ts';
import { family } from '../family.ts';
import { items } from '../inputs.ts';
import type { Context } from '../method.ts';

/** What an objective is made of: a batch, its posterior, a sample of it, and the two terms of the ELBO. */
export interface VaeParts {
  b: Build;
  context: Context;
  x: Tensor;
  posterior: GaussianPosterior;
  /** The sample of the posterior that was decoded. */
  z: Tensor;
  /** −ln p(x|z), summed over values, mean over the batch. */
  reconstruction: Tensor;
  /** KL(q(z|x) ‖ N(0, I)), summed over dimensions, mean over the batch. */
  kl: Tensor;
  /** The posterior of any items. */
  encode(x: Tensor): GaussianPosterior;
  /** The decoder's last values for any codes. */
  decode(z: Tensor): Tensor;
}

/**
 * Makes a method of an objective on the VAE's model.
 *
 * @example
 * vaeMethod({ name: 'beta-vae', …,
 *   objective: ({ reconstruction, kl }, { beta }) => ({ minimises: reconstruction.plus(kl.times(beta)) }) })
 */
export const vaeMethod = family({
  needs: 'data',
  options: {
    latents: integer('size of the latent code', { default: 10, min: 1, max: 4096 }),
    ...autoencoderOptions,
  },
  logged: ({ reconstruction, kl }: VaeParts) => ({ reconstruction, kl }),
  model(context, settings) {
    const { latents } = settings;
    const encode = (b: Build, x: Tensor) => gaussianHead(b.at('z'), features(b, context, settings, x), latents);
    const decode = (b: Build, z: Tensor) => decoderOutput(b, context, settings, z);
    return {
      blocks: [{ name: 'z', size: latents, kind: 'gaussian', role: 'shared' }],
      encode: (b, x) => ({ z: { kind: 'gaussian', ...encode(b, x) } }),
      decode: (b, { z }) => generatedItems(decode(b, z), context, settings),
      partsOf(b) {
        const x = items(b, context);
        const posterior = encode(b, x);
        const z = sample(posterior, b.noise('noise of z', [latents], 'normal'));
        return {
          b,
          context,
          x,
          posterior,
          z,
          reconstruction: reconstructionOf(decode(b, z), x, context, settings),
          kl: klToStandardNormal(posterior).sum(1).mean(),
          encode: (others) => encode(b, others),
          decode: (codes) => decode(b, codes),
        };
      },
    };
  },
});
