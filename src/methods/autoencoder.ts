/** The parts that autoencoding methods are made of: a network's features, heads of latent blocks, the decoder and its likelihood. */
import { apply, type Build, linear, networkFor, networks } from '../nn/index.ts';
import { type GaussianPosterior, intoRange, likelihoodFor, reconstruction } from '../objectives/index.ts';
import { choice, number } from '../options/index.ts';
import { concat, type Tensor } from '../tensor/index.ts';
import type { Context, Settings } from './method.ts';

/** Options of encoder, decoder and likelihood. */
export const autoencoderOptions = {
  network: choice('layers of encoder and decoder; auto goes by the data’s shape', () => Object.keys(networks), {
    default: 'auto',
  }),
  likelihood: choice(
    'how values scatter around the decoder’s means; auto goes by the data’s range',
    ['auto', 'bernoulli', 'gaussian', 'laplace'],
    { default: 'auto' },
  ),
  scale: number('standard deviation of a Gaussian likelihood, or scale of a Laplace one', {
    default: 1,
    min: 1e-6,
    schedulable: false,
  }),
};

export type AutoencoderSettings = Settings<typeof autoencoderOptions>;

/** What an encoder's layers make of items, and of covariates where it is told them, before the heads. */
export function features(
  b: Build,
  { item }: Context,
  { network }: AutoencoderSettings,
  x: Tensor,
  given?: Tensor,
): Tensor {
  const { encoder } = networkFor(network, item);
  if (given === undefined) return apply(b.at('encoder'), encoder, x);
  // A row takes covariates as further columns; an image's are known to the heads.
  return item.kind === 'table'
    ? apply(b.at('encoder'), encoder, concat([x, given], 1))
    : concat([apply(b.at('encoder'), encoder, x), given], 1);
}

/** Mean and log variance of a block, each linear in the features. @example gaussianHead(b.at('z'), h, 10) */
export function gaussianHead(b: Build, h: Tensor, size: number): GaussianPosterior {
  return { mean: linear(b.at('mean'), h, size), logVariance: linear(b.at('log variance'), h, size) };
}

/** The decoder's last values: logits of Bernoulli pixels, or what `intoRange` brings into the data's range. */
export function decoderOutput(b: Build, { item }: Context, { network }: AutoencoderSettings, code: Tensor): Tensor {
  return apply(b.at('decoder'), networkFor(network, item).decoder, code);
}

/** −ln p(x|z) of a decoder's last values, summed over values, mean over the batch. */
export function reconstructionOf(output: Tensor, x: Tensor, context: Context, settings: AutoencoderSettings): Tensor {
  return reconstructionsOf(output, x, context, settings).mean();
}

/** The same for each item. */
export function reconstructionsOf(
  output: Tensor,
  x: Tensor,
  { range }: Context,
  { likelihood, scale }: AutoencoderSettings,
): Tensor {
  const chosen = likelihood === 'auto' ? likelihoodFor(range) : likelihood;
  return reconstruction(chosen === 'bernoulli' ? output : intoRange(output, range), x, chosen, scale);
}
