/** The parts that autoencoding methods are made of: a network's features, heads of latent blocks, the decoder and its likelihood. */
import { UntangleError } from '../errors.ts';
import { apply, type Build, type Layer, linear, networkFor, networks } from '../nn/index.ts';
import {
  type CountLikelihood,
  countLikelihoods,
  type GaussianPosterior,
  intoRange,
  type Likelihood,
  likelihoodFor,
  reconstruction,
} from '../objectives/index.ts';
import { choice, number } from '../options/index.ts';
import { concat, constant, type Tensor } from '../tensor/index.ts';
import {
  type Counts,
  countLoss,
  countWidths,
  expectedItems,
  logarithmic,
  otherNumbers,
  withDispersion,
} from './counts.ts';
import type { Context, Settings } from './method.ts';

/** Options of encoder, decoder and likelihood. */
export const autoencoderOptions = {
  network: choice('layers of encoder and decoder; auto goes by the data’s shape', () => Object.keys(networks), {
    default: 'auto',
  }),
  likelihood: choice(
    'how values scatter around the decoder’s means; auto goes by the data’s range, and is negative-binomial for counts',
    ['auto', 'bernoulli', 'gaussian', 'laplace', ...countLikelihoods],
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
  { item, counts }: Context,
  { network }: AutoencoderSettings,
  items: Tensor,
  given?: Tensor,
): Tensor {
  const { encoder } = networkFor(network, item);
  const x = counts ? logarithmic(items, counts) : items;
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

/** The decoder's last values: logits of Bernoulli pixels, or what `generatedItems` brings into the data's range. */
export function decoderOutput(b: Build, context: Context, settings: AutoencoderSettings, code: Tensor): Tensor {
  const values = apply(b.at('decoder'), decoderLayers(context, settings), code);
  return outputOf(b, context, settings, values);
}

/**
 * The same of f(code) + g(addition) − g(0) with a network for each, so that an addition of 0 adds nothing. g's last bias would
 * cancel, so it has none.
 */
export function addedOutput(
  b: Build,
  context: Context,
  settings: AutoencoderSettings,
  code: Tensor,
  addition: Tensor,
): Tensor {
  const layers = decoderLayers(context, settings);
  const last = layers.findLastIndex(({ kind }) => kind === 'linear' || kind === 'conv' || kind === 'convTranspose');
  const layersOfG = layers.map((layer, i) => (i === last ? { ...layer, bias: false } : layer));
  const g = (of: Tensor) => apply(b.at('added decoder'), layersOfG, of);
  const size = Number(addition.shape[1]);
  const nothing = constant(new Float32Array(size), [1, size]);
  return outputOf(b, context, settings, apply(b.at('decoder'), layers, code).plus(g(addition).minus(g(nothing))));
}

function decoderLayers({ item, counts }: Context, { network, likelihood }: AutoencoderSettings): readonly Layer[] {
  const counted = countsIn(counts, likelihood);
  if (counted === undefined) return networkFor(network, item).decoder;
  const columns = Array.from({ length: countWidths[counted.likelihood] * counted.counts.is.length }, (_, j) => `${j}`);
  return networkFor(network, { kind: 'table', columns }).decoder;
}

function outputOf(b: Build, { counts }: Context, { likelihood }: AutoencoderSettings, values: Tensor): Tensor {
  const counted = countsIn(counts, likelihood);
  return counted ? withDispersion(b.at('decoder'), counted.counts, counted.likelihood, values) : values;
}

/** Items in the data's range, of a decoder's last values: their means. */
export function generatedItems(
  output: Tensor,
  { range, counts }: Pick<Context, 'range' | 'counts'>,
  { likelihood }: Pick<AutoencoderSettings, 'likelihood'>,
): Tensor {
  const counted = countsIn(counts, likelihood);
  return counted ? expectedItems(output, counted.counts, counted.likelihood) : intoRange(output, range);
}

/** The counts with their likelihood; undefined where there are none. */
function countsIn(
  counts: Counts | undefined,
  likelihood: AutoencoderSettings['likelihood'],
): { counts: Counts; likelihood: CountLikelihood } | undefined {
  const asked = countLikelihoods.find((one) => one === likelihood);
  if (counts) return { counts, likelihood: asked ?? 'negative-binomial' };
  if (asked)
    throw new UntangleError(`The likelihood ${asked} is one of counts, and no column is said to hold any.`, {
      kind: 'call',
      hint: 'Name the columns with --counts, or --counts all.',
    });
  return undefined;
}

/** −ln p(x|z) of a decoder's last values, summed over values, mean over the batch. */
export function reconstructionOf(output: Tensor, x: Tensor, context: Context, settings: AutoencoderSettings): Tensor {
  return reconstructionsOf(output, x, context, settings).mean();
}

/** The same for each item. */
export function reconstructionsOf(
  output: Tensor,
  x: Tensor,
  { range, counts }: Context,
  { likelihood, scale }: AutoencoderSettings,
): Tensor {
  const counted = countsIn(counts, likelihood);
  if (counted) {
    const ofCounts = countLoss(output, x, counted.counts, counted.likelihood).sum(1);
    const others = otherNumbers(output, counted.counts);
    if (others === undefined) return ofCounts;
    const { values, isNot } = others;
    return ofCounts.plus(reconstruction(values.times(isNot), x.times(isNot), 'gaussian', scale));
  }
  const chosen = likelihood === 'auto' ? likelihoodFor(range) : (likelihood as Likelihood);
  return reconstruction(chosen === 'bernoulli' ? output : intoRange(output, range), x, chosen, scale);
}
