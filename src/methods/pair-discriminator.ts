/**
 * What sVAE and sRb-VAE share: a discriminator of pairs of items and codes that learns d = ln q/p (Ruiz et al. 2019, Eq. 7 to 9),
 * with which a model minimises the symmetric KL between q, its encoders on data, and p, its decoder on codes from the prior.
 */
import { type Build, discriminatorLayers, networkFor } from '../nn/index.ts';
import { densityRatioLoss, type Pair, pairRatio, stillPair } from '../objectives/index.ts';
import { choice } from '../options/index.ts';
import type { Tensor } from '../tensor/index.ts';
import type { AutoencoderSettings } from './autoencoder.ts';
import type { Context, Settings } from './method.ts';
import { frozen } from './parameters.ts';

/** Options of the discriminators, which every method with them has. */
export const pairOptions = {
  dropped: choice(
    'what a discriminator has zeroed at random before its last layers: the whole item or all codes, as in the paper, or single units of both',
    ['branches', 'units'],
    { default: 'branches' },
  ),
};

export interface TellingPairs {
  /** E_q d, which the encoders lower. */
  onQ: Tensor;
  /** E_p d, which the decoder raises. */
  onP: Tensor;
  /**
   * The discriminator's own loss, with q as the positives, as in Eq. 7 and Algorithm 1 (Eq. 9 prints them the other way
   * round).
   */
  loss: Tensor;
}

/** The two sides of the discriminator that stands under `learner`. */
export function tellPairs(
  learner: Build,
  { item }: Context,
  { network, dropped }: Pick<AutoencoderSettings, 'network'> & Settings<typeof pairOptions>,
  { q, p }: { q: Pair; p: Pair },
): TellingPairs {
  const layers = discriminatorLayers(networkFor(network, item));
  const ratio = (of: Build, pair: Pair) => pairRatio(of, layers, pair, dropped);
  const fixed = frozen(learner);
  return {
    onQ: ratio(fixed, q).mean(),
    onP: ratio(fixed, p).mean(),
    loss: densityRatioLoss(ratio(learner, stillPair(q)), ratio(learner, stillPair(p))),
  };
}
