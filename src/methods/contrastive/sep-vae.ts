/**
 * SepVAE (Louiset et al. 2023): −E ln p(x|z, s) of the target and of the background, whose s is 0, + β_c KL(q(z|x) ‖ N(0, I)) of
 * both + β_s KL(q(s|x) ‖ p(s|set)), where the salient prior is N(0, I) in the target and N(0, σ_p I) with a small σ_p in the
 * background, + γ · the cross-entropy of telling the set from s + κ · the mutual information of z and s in all items,
 * KL(q(z, s) ‖ q(z) q(s)), estimated as E max(d, 0) with the logit d of a discriminator that tells codes of one item from codes
 * whose s is another item's. The paper's common code c is the block z here.
 */
import { apply, type Build, type Layer } from '../../nn/index.ts';
import { densityRatioLoss, type GaussianPosterior, klToStandardNormal, sample } from '../../objectives/index.ts';
import { number, withDefault } from '../../options/index.ts';
import { concat, gather, ownRows, relu, softplus, stackRows, type Tensor, wholeBatch } from '../../tensor/index.ts';
import { frozen } from '../parameters.ts';
import { type ContrastiveParts, contrastiveMethod, contrastiveOptions, contrastivePresets } from './family.ts';

export const sepVae = contrastiveMethod({
  name: 'sep-vae',
  title: 'SepVAE',
  summary: 'Tells the sets apart by the salient code alone, and keeps it independent of the shared one.',
  paper: { cite: 'Louiset, Duchesnay, Grigis, Dufumier and Gori 2023', equations: 'the whole objective of section 3' },
  options: {
    encoders: withDefault(contrastiveOptions.encoders, 'two'),
    betaC: number('weight β_c of the KL of the shared code', { default: 0.5, min: 0 }),
    betaS: number('weight β_s of the KL of the salient code', { default: 0.5, min: 0 }),
    sigmaP: number('variance σ_p of the background’s salient prior', { default: 0.025, min: 1e-6, max: 1 }),
    kappa: number('weight κ of the mutual information of shared and salient code', { default: 2, min: 0 }),
    // The paper chooses it by the data; 30 is ours.
    gamma: number('weight γ of telling the sets apart by the salient code', { default: 30, min: 0 }),
  },
  presets: Object.fromEntries(Object.entries(contrastivePresets).map(([name, { beta: _, ...given }]) => [name, given])),
  objective(parts, { betaC, betaS, sigmaP, kappa, gamma, sLatents }) {
    const { b, terms, target, background } = parts;
    const ofBackground = background.posteriors.s;
    const s = sample(ofBackground, background.b.noise('background noise of s', [sLatents], 'normal'));
    const klS = klToNarrow(ofBackground, sigmaP);
    const informed = salientClassification(b, target.s, s);
    const { joint, shuffled } = pairsOf(parts, s);
    const discriminator = b.at('discriminator');
    const information = relu(logits(frozen(discriminator), joint)).mean();
    const learned = densityRatioLoss(
      logits(discriminator, joint.stopGradient()),
      logits(discriminator, shuffled.stopGradient()),
    );
    return {
      minimises: terms.reconstruction
        .plus(terms['background reconstruction'])
        .plus(terms['kl z'].plus(terms['background kl z']).times(betaC))
        .plus(terms['kl s'].plus(klS).times(betaS))
        .plus(information.times(kappa))
        .plus(informed.times(gamma))
        .plus(learned),
      terms: {
        'background kl s': klS,
        'mutual information': information,
        'salient classification': informed,
        discriminator: learned,
      },
      adversaries: [{ name: 'discriminator' }],
    };
  },
});

/** KL(q(s|y) ‖ N(0, σ_p I)): that of s/√σ_p to N(0, I). */
function klToNarrow({ mean, logVariance }: GaussianPosterior, variance: Tensor): Tensor {
  const scaled = { mean: mean.over(variance.sqrt()), logVariance: logVariance.minus(variance.log()) };
  return klToStandardNormal(scaled).sum(1).mean();
}

/** −E ln p(set|s), the mean of both sets' means, in which each counts as much whatever its batch. */
function salientClassification(b: Build, ofTarget: Tensor, ofBackground: Tensor): Tensor {
  const told = (s: Tensor) => apply(b.at('salient classifier'), classifierLayers, s);
  return softplus(told(ofTarget).negate())
    .mean()
    .plus(softplus(told(ofBackground)).mean())
    .times(0.5);
}

/** The codes of all items of both batches, and the same with each s from a random item of either. */
function pairsOf({ target, background }: ContrastiveParts, s: Tensor): { joint: Tensor; shuffled: Tensor } {
  const all = concat([wholeBatch(target.s), wholeBatch(s)], 0);
  const [items, both] = [Number(wholeBatch(target.s).shape[0]), Number(all.shape[0])];
  const order = background.b.sized(both).noise('order of s', [1], 'permutation');
  // Which item meets which must not depend on how rows lie over workers.
  const others = wholeBatch(gather(all, order.reshape([order.shape[0]])));
  const ofTarget = ownRows(others.slice(0, 0, items), target.z);
  const ofBackground = ownRows(others.slice(0, items, both), background.z);
  const pairs = (one: Tensor, other: Tensor) =>
    stackRows([concat([target.z, one], 1), concat([background.z, other], 1)]);
  return { joint: pairs(target.s, s), shuffled: pairs(ofTarget, ofBackground) };
}

const logits = (b: Build, pair: Tensor) => apply(b, discriminatorLayers, pair);

/** The sizes of both networks are ours. */
const classifierLayers: readonly Layer[] = [
  { kind: 'linear', out: 64 },
  { kind: 'leakyRelu', slope: 0.2 },
  { kind: 'linear', out: 1 },
];
const discriminatorLayers: readonly Layer[] = [
  { kind: 'linear', out: 256 },
  { kind: 'leakyRelu', slope: 0.2 },
  { kind: 'linear', out: 256 },
  { kind: 'leakyRelu', slope: 0.2 },
  { kind: 'linear', out: 1 },
];
