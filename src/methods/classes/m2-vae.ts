/**
 * M2 (Kingma, Rezende, Mohamed and Welling 2014, Eq. 6 to 9): a VAE whose decoder sees a class y beside the code z. Where y is known
 * it minimises L(x, y) = −E ln p(x|y, z) − ln p(y) + KL(q(z|x, y) ‖ N(0, I)), where it is not
 * U(x) = Σ_y q(y|x) L(x, y) − H(q(y|x)), and beside both −α ln q(y|x) of the known classes; p(y) is uniform. Its inference, by all
 * classes or by weighted samples, is in the two files m2-marginal.ts and m2-importance.ts.
 */
import { type Build, linear } from '../../nn/index.ts';
import { choice, integer, number } from '../../options/index.ts';
import { concat, type Tensor } from '../../tensor/index.ts';
import { autoencoderOptions, decoderOutput, features, generatedItems } from '../autoencoder.ts';
import { method } from '../method.ts';
import { trainingStep } from '../parameters.ts';
import { classBlocks, classPosteriors, joinedCodes, labelShare, parts } from './class-blocks.ts';
import { importanceInference } from './m2-importance.ts';
import { marginalInference } from './m2-marginal.ts';
import type { M2Model } from './m2-model.ts';

const presets = { network: 'parted-mnist', latents: 50, learningRate: 3e-4 };

export const m2Vae = method({
  name: 'm2-vae',
  title: 'M2',
  summary: 'A VAE that is shown the class: the known one of labelled items, every one of the others.',
  paper: {
    cite: 'Kingma, Rezende, Mohamed and Welling 2014',
    equations: 'Eq. 6 to 9; with objective=importance Siddharth et al. 2017, Eq. 4 to 6',
  },
  needs: 'few-labels',
  options: {
    latents: integer('size of the latent code', { default: 10, min: 1, max: 4096 }),
    // The paper's 0.1 N stands beside a sum over all N items; ours is their mean.
    alpha: number('weight α of −ln q(y|x) of labelled items', { default: 0.1, min: 0 }),
    gamma: number('weight γ of a labelled item’s bound beside an unlabelled one’s', { default: 1, min: 0 }),
    objective: choice(
      'marginal: q(y|x) and q(z|x, y), summed over all classes; importance: q(z|x) and q(y|x, z), by weighted samples (Siddharth et al. 2017)',
      ['marginal', 'importance'],
      { default: 'marginal' },
    ),
    samples: integer('samples of z that a labelled item’s weights are taken over, for objective=importance', {
      default: 4,
      min: 1,
      max: 1000,
    }),
    temperature: number('temperature of the Gumbel-softmax samples of y, for objective=importance', {
      default: 0.67,
      min: 0.01,
    }),
    ...autoencoderOptions,
  },
  presets: { mnist: presets, 'fashion-mnist': presets },
  training: { batchSize: 64, learningRate: 5e-4 },
  build(context, settings) {
    const y = classBlocks(context);
    const sizes = y.map(({ size }) => size);
    const width = sizes.reduce((sum, size) => sum + size, 0);
    const decoded = (b: Build, z: Tensor, code: Tensor) => decoderOutput(b, context, settings, concat([z, code], 1));
    const model: M2Model = {
      context,
      settings,
      y,
      features: (b, x) => features(b, context, settings, x),
      logits: (b, h) => parts(linear(b.at('y'), h, width), sizes),
      decoded,
    };
    const { encode, unlabelled, labelled } =
      settings.objective === 'marginal' ? marginalInference(model) : importanceInference(model);
    return {
      blocks: [...y, { name: 'z', size: settings.latents, kind: 'gaussian', role: 'shared' }],
      encode(b, x) {
        const { logits, z } = encode(b, x);
        return { ...classPosteriors(y, logits), z: { kind: 'gaussian', ...z } };
      },
      decode: (b, codes) => generatedItems(decoded(b, codes.z, joinedCodes(y, codes)), context, settings),
      steps(b) {
        const without = unlabelled(b);
        const bound = without.reconstruction.plus(without['kl z']).plus(without['kl y']);
        if (context.labelled === 0) return [trainingStep(b, { minimises: bound, terms: without })];
        const known = labelled(b);
        const share = labelShare(context);
        return [
          trainingStep(b, {
            minimises: bound
              .times(1 - share)
              .plus(known.bound.times(settings.gamma).times(share))
              .plus(known.terms.classification.times(settings.alpha)),
            terms: { ...without, ...known.terms },
          }),
        ];
      },
    };
  },
});
