/**
 * The symmetric reference-based VAE (Ruiz et al. 2019, Eq. 8 to 10 and Algorithm 1). The symmetric KL between q(x, z, e, y) and
 * p(x, z, e, y) needs the log ratio of both densities, which two discriminators learn: d_ξ for target items and d_γ for
 * reference items. With it a decoder that ignores e (the block s here) is no longer at an optimum, as it is in Rb-VAE.
 */
import { type Build, discriminatorLayers, networkFor } from '../../nn/index.ts';
import { densityRatioLoss, intoRange, type Pair, pairRatio, stillPair, surprise } from '../../objectives/index.ts';
import { number } from '../../options/index.ts';
import type { Tensor } from '../../tensor/index.ts';
import { frozen } from '../parameters.ts';
import { bound, type ContrastiveParts, type ContrastiveSettings, contrastiveMethod } from './contrastive-parts.ts';
import { referenceOptions, referencePresets, referenceTraining } from './rb-vae.ts';

export const srbVae = contrastiveMethod({
  name: 'srb-vae',
  title: 'sRb-VAE',
  summary: 'Rb-VAE with a symmetric KL, learned by two discriminators.',
  paper: { cite: 'Ruiz, Martinez, Binefa and Verbeek 2019', equations: 'Eq. 8 to 10, Algorithm 1' },
  options: {
    ...referenceOptions,
    adversarial: number('weight of Eq. 8 beside the reconstructions of Eq. 10', { default: 1, min: 0 }),
    beta: number(
      'weight of the KL to the priors in closed form, beside the ratio that the discriminators learn; 0 as in the paper',
      { default: 0, min: 0 },
    ),
  },
  presets: referencePresets,
  training: referenceTraining,
  neutral: 'learned',
  objective(parts, settings) {
    const { terms, target, background } = parts;
    const { items, references, codesOf } = generatedOf(parts, settings);
    const told = tell(parts.b, parts, settings, 'discriminator', {
      q: { name: 'encoded', x: target.x, codes: [target.z, target.s] },
      p: { name: 'generated', x: items.x, codes: [items.z, items.s] },
    });
    const toldReferences = tell(background.b, parts, settings, 'background discriminator', {
      q: { name: 'encoded', x: background.x, codes: [background.z] },
      p: { name: 'generated', x: references.x, codes: [references.z] },
    });
    // The latter half of Eq. 10: what the encoders make of generated items, against the codes that these were made from.
    const codes = surprise(items.z, codesOf.items.z).plus(surprise(items.s, codesOf.items.s));
    const referenceCodes = surprise(references.z, codesOf.references.z);
    return {
      minimises: told.ratio
        .plus(toldReferences.ratio)
        .times(settings.adversarial)
        .plus(bound(terms, settings.beta))
        .plus(codes)
        .plus(referenceCodes)
        .plus(told.loss)
        .plus(toldReferences.loss),
      terms: {
        'code reconstruction': codes,
        'background code reconstruction': referenceCodes,
        'log ratio': told.ratio,
        'background log ratio': toldReferences.ratio,
        discriminator: told.loss,
        'background discriminator': toldReferences.loss,
      },
      adversaries: ['discriminator', 'background discriminator'],
    };
  },
});

/**
 * Samples of p: codes from the priors, and the decoder's means for them. Algorithm 1 draws pixels around the means, but real
 * images have none of that noise: it would give every generated one away.
 */
function generatedOf(
  { b, context, background, encode, decode }: ContrastiveParts,
  { zLatents, sLatents }: ContrastiveSettings,
) {
  const z = b.noise('prior of z', [zLatents], 'normal');
  const s = b.noise('prior of s', [sLatents], 'normal');
  const zr = background.b.noise('background prior of z', [zLatents], 'normal');
  const x = intoRange(decode(b, z, s), context.range);
  const xr = intoRange(decode(b, zr, background.s), context.range);
  return {
    items: { x, z, s },
    references: { x: xr, z: zr },
    codesOf: { items: encode(b, x), references: encode(b, xr) },
  };
}

/**
 * A discriminator's two sides. `ratio` is E_q d − E_p d, which the model minimises (Eq. 8): its encoders through q, its decoder
 * through p. `loss` is the discriminator's own, with q as the positives, so that d is ln q/p as in Eq. 7 and Algorithm 1 (Eq. 9
 * prints them the other way round).
 */
function tell(
  b: Build,
  { context }: ContrastiveParts,
  { network }: ContrastiveSettings,
  name: string,
  { q, p }: { q: Pair; p: Pair },
): { ratio: Tensor; loss: Tensor } {
  const layers = discriminatorLayers(networkFor(network, context.item));
  const learner = b.at(name);
  const ratio = (pair: Pair) => pairRatio(frozen(learner), layers, pair).mean();
  return {
    ratio: ratio(q).minus(ratio(p)),
    loss: densityRatioLoss(pairRatio(learner, layers, stillPair(q)), pairRatio(learner, layers, stillPair(p))),
  };
}
