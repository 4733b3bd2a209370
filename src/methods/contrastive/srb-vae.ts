/**
 * The symmetric reference-based VAE (Ruiz et al. 2019, Eq. 8 to 10 and Algorithm 1). The symmetric KL between q(x, z, e, y) and
 * p(x, z, e, y) needs the log ratio of both densities, which two discriminators learn: d_ξ for target items and d_γ for
 * reference items. With it a decoder that ignores e (the block s here) is no longer at an optimum, as it is in Rb-VAE.
 */
import { surprise } from '../../objectives/index.ts';
import { number } from '../../options/index.ts';
import { pairOptions, tellPairs } from '../pair-discriminator.ts';
import { bound, type ContrastiveParts, type ContrastiveSettings } from './family.ts';
import { referenceMethod, referencePresets, referenceTraining } from './rb-vae.ts';

export const srbVae = referenceMethod({
  name: 'srb-vae',
  title: 'sRb-VAE',
  summary: 'Rb-VAE with a symmetric KL, learned by two discriminators.',
  paper: { cite: 'Ruiz, Martinez, Binefa and Verbeek 2019', equations: 'Eq. 8 to 10, Algorithm 1' },
  options: {
    adversarial: number('weight of Eq. 8 beside the reconstructions of Eq. 10', { default: 1, min: 0 }),
    beta: number(
      'weight of the KL to the priors in closed form, beside the ratio that the discriminators learn; 0 as in the paper',
      { default: 0, min: 0 },
    ),
    ...pairOptions,
  },
  presets: referencePresets,
  training: referenceTraining,
  ours: ['adversarial', 'beta'],
  objective(parts, settings) {
    const { b, context, terms, target, background } = parts;
    const { items, references, codesOf } = generatedOf(parts, settings);
    const told = tellPairs(b.at('discriminator'), context, settings, {
      q: { name: 'encoded', x: target.x, codes: [target.z, target.s] },
      p: { name: 'generated', x: items.x, codes: [items.z, items.s] },
    });
    const toldReferences = tellPairs(background.b.at('background discriminator'), context, settings, {
      q: { name: 'encoded', x: background.x, codes: [background.z] },
      p: { name: 'generated', x: references.x, codes: [references.z] },
    });
    const [ratio, ratioOfReferences] = [told, toldReferences].map(({ onQ, onP }) => onQ.minus(onP));
    // The latter half of Eq. 10: what the encoders make of generated items, against the codes that these were made from.
    const codes = surprise(items.z, codesOf.items.z).plus(surprise(items.s, codesOf.items.s));
    const referenceCodes = surprise(references.z, codesOf.references.z);
    return {
      minimises: ratio
        .plus(ratioOfReferences)
        .times(settings.adversarial)
        .plus(bound(terms, settings.beta))
        .plus(codes)
        .plus(referenceCodes)
        .plus(told.loss)
        .plus(toldReferences.loss),
      terms: {
        'code reconstruction': codes,
        'background code reconstruction': referenceCodes,
        'log ratio': ratio,
        'background log ratio': ratioOfReferences,
        discriminator: told.loss,
        'background discriminator': toldReferences.loss,
      },
      adversaries: [{ name: 'discriminator' }, { name: 'background discriminator' }],
    };
  },
});

/**
 * Samples of p: codes from the priors, and the decoder's means for them. Algorithm 1 draws pixels around the means, but real
 * images have none of that noise: it would give every generated one away.
 */
function generatedOf(
  { b, background, encode, generate }: ContrastiveParts,
  { zLatents, sLatents }: ContrastiveSettings,
) {
  const z = b.noise('prior of z', [zLatents], 'normal');
  const s = b.noise('prior of s', [sLatents], 'normal');
  const zr = background.b.noise('background prior of z', [zLatents], 'normal');
  const x = generate(z, s);
  const xr = generate(zr, background.s, background.given);
  return {
    items: { x, z, s },
    references: { x: xr, z: zr },
    codesOf: { items: encode(x), references: encode(xr, background.given) },
  };
}
