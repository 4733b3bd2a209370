/**
 * cVAE (Abid and Zou 2019): Eq. 3 + λ TC, the total correlation KL(q(z, s) ‖ q(z) q(s)) of the target's codes. A discriminator
 * estimates it: it tells pairs (z, s) of one item from q̄, pairs in which s is another item's, and its logit is the log ratio
 * of their densities. What the paper calls z and s the authors' code calls s and z.
 */
import { apply, type Build, type Layer } from '../../nn/index.ts';
import { densityRatioLoss } from '../../objectives/index.ts';
import { boolean, choice, number, withDefault } from '../../options/index.ts';
import { concat, gather, type Tensor, wholeBatch } from '../../tensor/index.ts';
import { frozen } from '../parameters.ts';
import {
  beta,
  bound,
  type ContrastiveParts,
  contrastiveMethod,
  contrastiveOptions,
  contrastivePresets,
} from './family.ts';

export const cvaeTc = contrastiveMethod({
  name: 'cvae-tc',
  title: 'cVAE',
  summary: 'Draws salient and shared codes of the target to independence, by a discriminator.',
  paper: { cite: 'Abid and Zou 2019', equations: 'Eq. 4 of the contrastive paper' },
  options: {
    beta,
    encoders: withDefault(contrastiveOptions.encoders, 'two'),
    lambdaTc: number('weight λ of the total correlation', { default: 1, min: 0 }),
    discriminator: choice(
      'layers of the discriminator: mlp, or linear as in the authors’ code, which sees means but no dependence',
      ['mlp', 'linear'],
      { default: 'mlp' },
    ),
    together: boolean('one objective for encoder and discriminator, as in the authors’ code', { default: false }),
  },
  presets: contrastivePresets,
  objective(parts, { lambdaTc, discriminator, together, ...settings }) {
    const { b, terms } = parts;
    const pairs = pairsOf(parts);
    const layers = discriminatorLayers[discriminator];
    const logits = (build: Build, code: Tensor) => apply(build.at('discriminator'), layers, code);
    const asLearner = (code: Tensor) => logits(b, together ? code : code.stopGradient());
    // TC ≈ E_q ln D/(1 − D), of which the logit is the estimate.
    const totalCorrelation = logits(together ? b : frozen(b), pairs.joint).mean();
    const learned = densityRatioLoss(asLearner(pairs.joint), asLearner(pairs.shuffled));
    // The authors' sum −E_q ln D − E_q̄ ln(1 − D) is not halved, which counts where both learn together.
    return {
      minimises: bound(terms, settings.beta).plus(totalCorrelation.times(lambdaTc)).plus(learned.times(2)),
      terms: { 'total correlation': totalCorrelation, discriminator: learned },
      adversaries: [{ name: 'discriminator' }],
    };
  },
});

/** The codes of the target's items, and the same with each s from a random other item. */
function pairsOf({ b, target: { z, s } }: ContrastiveParts): { joint: Tensor; shuffled: Tensor } {
  const order = b.noise('order of s', [1], 'permutation');
  const others = gather(wholeBatch(s), order.reshape([z.shape[0]]));
  return { joint: concat([z, s], 1), shuffled: concat([z, others], 1) };
}

/** The sizes of the mlp are ours. */
const discriminatorLayers: Record<'linear' | 'mlp', Layer[]> = {
  linear: [{ kind: 'linear', out: 1 }],
  mlp: [
    { kind: 'linear', out: 256 },
    { kind: 'leakyRelu', slope: 0.2 },
    { kind: 'linear', out: 256 },
    { kind: 'leakyRelu', slope: 0.2 },
    { kind: 'linear', out: 1 },
  ],
};
