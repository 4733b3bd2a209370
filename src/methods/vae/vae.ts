/**
 * The variational autoencoder (Kingma and Welling 2014, Eq. 10): −ELBO = −E ln p(x|z) + KL(q(z|x) ‖ p(z)). `vaeMethod` makes a
 * method of the same model with another objective, which is what the unsupervised family is.
 */
import type { Build } from '../../nn/index.ts';
import { type GaussianPosterior, intoRange, klToStandardNormal, sample } from '../../objectives/index.ts';
import { integer, type Options } from '../../options/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import {
  type AutoencoderSettings,
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  reconstructionOf,
} from '../autoencoder.ts';
import { items } from '../inputs.ts';
import type { Context, GroupOptimiser, Method, Preset, Settings } from '../method.ts';
import { parametersOutside, parametersUnder } from '../parameters.ts';

/** Options of the model, which every method on it has. */
export const vaeOptions = {
  latents: integer('size of the latent code', { default: 10, min: 1, max: 4096 }),
  ...autoencoderOptions,
};

export type VaeSettings = AutoencoderSettings & { latents: number };

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
}

export interface Objective {
  minimises: Tensor;
  /** Terms to log beside reconstruction and KL. */
  terms?: Record<string, Tensor>;
  /** Paths of parameters with an optimiser of their own, such as a discriminator's; all others are the model's. */
  apart?: Record<string, GroupOptimiser>;
}

/** A method on the VAE's model, as its author writes it. */
export interface VaeMethod<S extends Options> extends Omit<Method<S>, 'needs' | 'presets' | 'build'> {
  presets?: Readonly<Record<string, Preset>>;
  objective(parts: VaeParts, options: Settings<S> & VaeSettings): Objective;
}

/**
 * Makes a method of an objective on the VAE's model.
 *
 * @example
 * vaeMethod({ name: 'beta-vae', …,
 *   objective: ({ reconstruction, kl }, { beta }) => ({ minimises: reconstruction.plus(kl.times(beta)) }) })
 */
export function vaeMethod<const S extends Options>({ presets = {}, objective, ...given }: VaeMethod<S>): Method {
  return {
    ...given,
    needs: 'data',
    presets,
    options: { ...vaeOptions, ...given.options },
    build(context, checked) {
      // Whoever builds a method has checked its options against the schema above.
      const options = checked as Settings<S> & VaeSettings;
      const { latents } = options;
      const encode = (b: Build, x: Tensor) => gaussianHead(b.at('z'), features(b, context, options, x), latents);
      const decode = (b: Build, z: Tensor) => decoderOutput(b, context, options, z);
      return {
        blocks: [{ name: 'z', size: latents, kind: 'gaussian', role: 'shared' }],
        encode: (b, x) => ({ z: { kind: 'gaussian', ...encode(b, x) } }),
        decode: (b, { z }) => intoRange(decode(b, z), context.range),
        steps(b) {
          const x = items(b, context);
          const posterior = encode(b, x);
          const z = sample(posterior, b.noise('noise of z', [latents], 'normal'));
          const reconstruction = reconstructionOf(decode(b, z), x, context, options);
          const kl = klToStandardNormal(posterior).sum(1).mean();
          const parts = { b, context, x, posterior, z, reconstruction, kl };
          const { minimises, terms, apart = {} } = objective(parts, options);
          const groups = [
            { name: 'model', parameters: parametersOutside(b, ...Object.keys(apart)) },
            ...Object.entries(apart).map(([name, optimiser]) => ({
              name,
              parameters: parametersUnder(b, name),
              optimiser,
            })),
          ];
          return [{ name: 'train', minimises, terms: { reconstruction, kl, ...terms }, groups }];
        },
      };
    },
  };
}

export const vae = vaeMethod({
  name: 'vae',
  title: 'VAE',
  summary: 'Reconstruction and KL with equal weight: the baseline of all others.',
  paper: { cite: 'Kingma and Welling 2014', equations: 'Eq. 10' },
  options: {},
  objective: ({ reconstruction, kl }) => ({ minimises: reconstruction.plus(kl) }),
});
