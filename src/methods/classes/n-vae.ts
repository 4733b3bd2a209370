/**
 * N-VAE (Antorán and Miguel 2019, Eq. 6 and 7): E ln p(x|y, z) − KL(q(z_s|x) ‖ p) − β_c KL(q(z_c|x) ‖ p) + ln q(y|x). Each class
 * has factors z_ci of its own, which the class masks, and all share z_s. The true class is decoded in training, the inferred
 * one in use. The paper gives neither layers nor sizes: those here are ours.
 */

import type { Block } from '../../model/index.ts';
import type { Build } from '../../nn/index.ts';
import { linear } from '../../nn/index.ts';
import { accuracy, crossEntropy, klBetweenDirichlets, klToStandardNormal, sample } from '../../objectives/index.ts';
import { boolean, choice, integer, number } from '../../options/index.ts';
import { concat, softmax, type Tensor } from '../../tensor/index.ts';
import {
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  generatedItems,
  reconstructionOf,
} from '../autoencoder.ts';
import { classes, items } from '../inputs.ts';
import { method, type Posterior } from '../method.ts';
import { trainingStep } from '../parameters.ts';
import { joinedCodes, onlyVariable, parts } from './class-blocks.ts';

const options = {
  latents: integer('size of z_s, the factors that classes share', { default: 4, min: 1, max: 4096 }),
  classLatents: integer('size of z_ci, the factors of each class', { default: 1, min: 1, max: 4096 }),
  betaC: number('weight β_c of the KL of all z_ci', { default: 2, min: 0 }),
  oneHotBias: boolean('show the decoder the class too, not only its factors (appendix B)', { default: true }),
  classTerm: choice(
    'the class’s term: its bound −ln q(y|x) (Eq. 6), or the exact Dirichlet divergence (Eq. 3)',
    ['bound', 'dirichlet'],
    { default: 'bound' },
  ),
  concentration: number('α_p of the Dirichlet prior over class probabilities, for the exact divergence', {
    default: 0.1,
    min: 0.001,
    max: 1000,
    schedulable: false,
  }),
  ...autoencoderOptions,
};

/** A batch and rate of ours: the paper gives none. */
const training = { batchSize: 128, learningRate: 1e-3 };

export const nVae = method({
  name: 'n-vae',
  title: 'N-VAE',
  summary: 'Gives every class factors of its own beside those that all classes share.',
  paper: { cite: 'Antorán and Miguel 2019', equations: 'Eq. 6 and 7; Eq. 3 and appendix B as options' },
  needs: 'labels',
  options,
  presets: {
    // A larger z_s has room for all there is, at half the price of z_c, which then stays empty.
    mnist: { network: 'parted-mnist', latents: 4, classLatents: 1, ...training, steps: 10_000 },
    'fashion-mnist': { network: 'parted-mnist', latents: 4, classLatents: 1, ...training, steps: 10_000 },
    'yale-b': { network: 'beta-conv', latents: 10, classLatents: 2, steps: 30_000 },
  },
  build(context, settings) {
    const { latents, classLatents, betaC, oneHotBias, classTerm, concentration } = settings;
    const names = onlyVariable(context, 'N-VAE');
    const count = names.length;
    const own = names.map(
      (name, i): Block => ({
        name: `z_c ${name}`,
        size: classLatents,
        kind: 'gaussian',
        role: 'class-related',
        dependsOn: 'y',
        class: i,
      }),
    );

    function posteriors(b: Build, x: Tensor) {
      const h = features(b, context, settings, x);
      return {
        logits: linear(b.at('y'), h, count),
        ofClasses: gaussianHead(b.at('z_c'), h, count * classLatents),
        shared: gaussianHead(b.at('z_s'), h, latents),
      };
    }

    /** The decoder's last values, from vec(c_y ⊙ [1 | z_c1 … z_cL]) and z_s. */
    function decoded(b: Build, y: Tensor, ofClasses: Tensor, shared: Tensor): Tensor {
      const masked = perClass(ofClasses)
        .times(y.reshape([...y.shape, 1]))
        .reshape(ofClasses.shape);
      return decoderOutput(b, context, settings, concat([...(oneHotBias ? [y] : []), masked, shared], 1));
    }

    const perClass = (rows: Tensor) => rows.reshape([rows.shape[0], count, classLatents]);

    /**
     * KL(q(π|x) ‖ p(π|y)) of Dir(α_q α(x)) and Dir(α_p 1 + c_y), with α(x) = q(y|x). The paper leaves α_q open: 1 + L α_p, the
     * concentration of p(π|y), is the one for which the divergence can reach zero.
     */
    function exactDivergence(logits: Tensor, y: Tensor): Tensor {
      const inferred = softmax(logits)
        .times(1 + count * concentration)
        .plus(1e-4);
      return klBetweenDirichlets(inferred, y.plus(concentration)).mean();
    }

    return {
      blocks: [
        { name: 'y', size: count, kind: 'categorical', role: 'class' },
        ...own,
        { name: 'z_s', size: latents, kind: 'gaussian', role: 'shared' },
      ],
      encode(b, x) {
        const { logits, ofClasses, shared } = posteriors(b, x);
        const sizes = own.map(({ size }) => size);
        const logVariances = parts(ofClasses.logVariance, sizes);
        const each = parts(ofClasses.mean, sizes).map((mean, i): [string, Posterior] => [
          own[i].name,
          { kind: 'gaussian', mean, logVariance: logVariances[i] },
        ]);
        return {
          y: { kind: 'categorical', probabilities: softmax(logits) },
          ...Object.fromEntries(each),
          z_s: { kind: 'gaussian', ...shared },
        };
      },
      decode: (b, codes) => generatedItems(decoded(b, codes.y, joinedCodes(own, codes), codes.z_s), context, settings),
      steps(b) {
        const x = items(b, context);
        const [y] = classes(b, context);
        const { logits, ofClasses, shared } = posteriors(b, x);
        const zC = sample(ofClasses, b.noise('noise of z_c', [count * classLatents], 'normal'));
        const zS = sample(shared, b.noise('noise of z_s', [latents], 'normal'));
        const reconstruction = reconstructionOf(decoded(b, y, zC, zS), x, context, settings);
        const klShared = klToStandardNormal(shared).sum(1).mean();
        const klOfEach = perClass(klToStandardNormal(ofClasses)).sum(2);
        const klClasses = klOfEach.sum(1).mean();
        const classification = classTerm === 'bound' ? crossEntropy(logits, y) : exactDivergence(logits, y);
        return [
          trainingStep(b, {
            minimises: reconstruction.plus(klShared).plus(klClasses.times(betaC)).plus(classification),
            terms: {
              reconstruction,
              'kl z_s': klShared,
              'kl z_c': klClasses,
              // Fig. 5: what the right class's factors carry tells whether the classes have factors of their own.
              'kl z_c of the true class': klOfEach.times(y).sum(1).mean(),
              classification,
              accuracy: accuracy(logits, y),
            },
          }),
        ];
      },
    };
  },
});
