/**
 * CCVAE, the characteristic capturing VAE (Joy, Schmon, Torr, Siddharth and Rainforth 2021): a label y does not enter the decoder but
 * is told by a part z_c of the code, which holds what goes with it; z_s holds the rest. p(z_c|y) is learned, p(y) uniform. With
 * q(z|x) = q(z_c|x) q(z_s|x) and a linear classifier q(y|z_c), an item without a label costs
 *
 *     U(x) = E_q(z|x)q(y|z_c) [−ln p(x|z) + ln q(z|x)/p(z|y) + ln q(y|z_c)/p(y)],
 *
 * and one with a label, where q(y|x) = E_q(z_c|x) q(y|z_c) is a mean over samples (Eq. 4),
 *
 *     L(x, y) = E_q(z|x) [w (−ln p(x|z) + ln q(z|x)/p(z|y) + ln q(y|z_c))] − ln q(y|x) − ln p(y),  w = q(y|z_c)/q(y|x).
 *
 * As in the authors' code, w moves the classifier and q(y|x), but not by way of its own z_c.
 */
import type { Block } from '../../model/index.ts';
import { type Build, linear } from '../../nn/index.ts';
import { expectedKl, type GaussianPosterior, klToStandardNormal, klToUniform, sample } from '../../objectives/index.ts';
import { integer, number } from '../../options/index.ts';
import { concat, logSoftmax, logSumExp, matmul, stopGradient, type Tensor } from '../../tensor/index.ts';
import {
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  generatedItems,
  reconstructionsOf,
} from '../autoencoder.ts';
import { items, labelledItems } from '../inputs.ts';
import { method, type Posterior } from '../method.ts';
import { trainingStep } from '../parameters.ts';
import {
  classBlocks,
  classPosteriors,
  classTerms,
  joinedCodes,
  labelShare,
  parts,
  surpriseOfClasses,
  total,
} from './class-blocks.ts';
import { blockMask, classPriors } from './parted-encoder.ts';

export const ccvae = method({
  name: 'ccvae',
  title: 'CCVAE',
  summary: 'Keeps what goes with each label in a part of the code that tells the label; learns from few of them.',
  paper: { cite: 'Joy, Schmon, Torr, Siddharth and Rainforth 2021', equations: 'Eq. 4 and 5' },
  needs: 'few-labels',
  options: {
    latents: integer('size of z_s, what goes with no label', { default: 10, min: 1, max: 4096 }),
    classLatents: integer('size of z_c, what goes with a label, for each label', { default: 4, min: 1, max: 4096 }),
    samples: integer('samples of z_c that q(y|x) is a mean over', { default: 100, min: 1, max: 10_000 }),
    gamma: number('weight γ of a labelled item’s bound beside an unlabelled one’s', { default: 1, min: 0 }),
    ...autoencoderOptions,
  },
  ours: ['gamma'],
  presets: {
    mnist: { network: 'parted-mnist', latents: 6, classLatents: 10 },
    dsprites: { network: 'parted-dsprites', latents: 5, classLatents: 1, epochs: 30 },
    celeba: {
      ...{ network: 'parted-celeba', likelihood: 'laplace', latents: 27, classLatents: 1 },
      ...{ batchSize: 200, learningRate: 1e-4, epochs: 200 },
    },
  },
  training: { batchSize: 64, learningRate: 5e-4 },
  build(context, settings) {
    const { latents, classLatents, samples, gamma } = settings;
    const y = classBlocks(context);
    const own = y.map(({ name: dependsOn }, k): Block => {
      const name = y.length === 1 ? 'z_c' : `z_c ${context.variables[k].name}`;
      return { name, size: classLatents, kind: 'gaussian', role: 'class-related', dependsOn };
    });
    const classes = y.map(({ size }) => size);
    const sizes = { classes, classLatents };
    const width = classes.reduce((sum, size) => sum + size, 0);
    const ownWidth = y.length * classLatents;
    const ownSizes = own.map(({ size }) => size);

    function posteriors(b: Build, x: Tensor) {
      const h = features(b, context, settings, x);
      return { c: gaussianHead(b.at('z_c'), h, ownWidth), s: gaussianHead(b.at('z_s'), h, latents) };
    }
    const ofEach = ({ mean, logVariance }: GaussianPosterior): GaussianPosterior[] => {
      const logVariances = parts(logVariance, ownSizes);
      return parts(mean, ownSizes).map((one, k) => ({ mean: one, logVariance: logVariances[k] }));
    };
    /** The logits of each y_k, from z_ck alone. */
    const classify = (b: Build, zC: Tensor) =>
      parts(linear(b.at('classifier'), zC, width, { mask: blockMask(classes, ownSizes) }), classes);
    /** ln q(y|z_c) of known classes, for each row. */
    const logQ = (logits: readonly Tensor[], known: readonly Tensor[]) =>
      total(logits.map((one, k) => logSoftmax(one).times(known[k]).sum(1)));
    const costs = (b: Build, zC: Tensor, zS: Tensor, x: Tensor) =>
      reconstructionsOf(decoderOutput(b, context, settings, concat([zC, zS], 1)), x, context, settings);

    function unlabelled(b: Build) {
      const x = items(b, context);
      const q = posteriors(b, x);
      const zC = sample(q.c, b.noise('noise of z_c', [ownWidth], 'normal'));
      const zS = sample(q.s, b.noise('noise of z_s', [latents], 'normal'));
      const logits = classify(b, zC);
      const priors = classPriors(b, sizes);
      return {
        reconstruction: costs(b, zC, zS, x).mean(),
        'kl z_c': total(ofEach(q.c).map((one, k) => expectedKl(one, logits[k], priors[k]))),
        'kl z_s': klToStandardNormal(q.s).sum(1).mean(),
        'kl y': total(logits.map((one) => klToUniform(one).mean())),
      };
    }

    function labelled(b: Build) {
      const { x, y: known } = labelledItems(b, context);
      const q = posteriors(b, x);
      const zC = sample(q.c, b.noise('labelled noise of z_c', [ownWidth], 'normal'));
      const zS = sample(q.s, b.noise('labelled noise of z_s', [latents], 'normal'));
      const logits = classify(b, zC);
      const logQyx = logMarginal(b, q.c, known);
      const w = logQ(classify(b, stopGradient(zC)), known)
        .minus(logQyx)
        .exp();
      const priors = classPriors(b, sizes);
      const klC = total(
        ofEach(q.c).map((one, k) =>
          klToPrior(one, matmul(known[k], priors[k].mean), matmul(known[k], priors[k].logVariance)),
        ),
      );
      const kl = klC.plus(klToStandardNormal(q.s).sum(1));
      const cost = costs(b, zC, zS, x);
      const classification = logQyx.mean().negate();
      return {
        bound: w
          .times(cost.plus(kl).plus(logQ(logits, known)))
          .mean()
          .plus(classification)
          .plus(surpriseOfClasses(y)),
        terms: {
          'labelled reconstruction': cost.mean(),
          'labelled kl': kl.mean(),
          weight: w.mean(),
          classification,
          'labelled accuracy': classTerms(logits, known).accuracy,
        },
      };
    }

    /** ln q(y|x) of known classes, as the mean over samples of z_c. */
    function logMarginal(b: Build, { mean, logVariance }: GaussianPosterior, known: readonly Tensor[]): Tensor {
      const rows = mean.shape[0];
      const each = (one: Tensor) => one.reshape([rows, 1, Number(one.shape[1])]);
      const noise = b.noise('noise of q(y|x)', [samples, ownWidth], 'normal');
      const drawn = sample({ mean: each(mean), logVariance: each(logVariance) }, noise);
      const logits = classify(b, drawn.reshape([Number(rows) * samples, ownWidth]));
      const logs = logits.map((one, k) =>
        logSoftmax(one).reshape([rows, samples, classes[k]]).times(each(known[k])).sum(2),
      );
      return logSumExp(total(logs), 1).minus(Math.log(samples));
    }

    return {
      blocks: [...y, ...own, { name: 'z_s', size: latents, kind: 'gaussian', role: 'shared' }],
      // In use the class is told by the mean of z_c.
      encode(b, x) {
        const q = posteriors(b, x);
        return {
          ...classPosteriors(y, classify(b, q.c.mean)),
          ...Object.fromEntries(
            ofEach(q.c).map((one, k): [string, Posterior] => [own[k].name, { kind: 'gaussian', ...one }]),
          ),
          z_s: { kind: 'gaussian', ...q.s },
        };
      },
      decode: (b, codes) =>
        generatedItems(
          decoderOutput(b, context, settings, concat([joinedCodes(own, codes), codes.z_s], 1)),
          context,
          settings,
        ),
      steps(b) {
        const without = unlabelled(b);
        const bound = total(Object.values(without));
        if (context.labelled === 0) return [trainingStep(b, { minimises: bound, terms: without })];
        const known = labelled(b);
        const share = labelShare(context);
        return [
          trainingStep(b, {
            minimises: bound.times(1 - share).plus(known.bound.times(gamma).times(share)),
            terms: { ...without, ...known.terms },
          }),
        ];
      },
      priors: (b) => Object.fromEntries(classPriors(b, sizes).map((prior, k) => [own[k].name, prior])),
    };
  },
});

/** KL(q(z_c|x) ‖ p(z_c|y)) of each item with its own class's prior. */
function klToPrior({ mean, logVariance }: GaussianPosterior, priorMean: Tensor, priorLogVariance: Tensor): Tensor {
  const logRatio = logVariance.minus(priorLogVariance);
  return mean
    .minus(priorMean)
    .square()
    .times(priorLogVariance.negate().exp())
    .plus(logRatio.exp())
    .minus(logRatio)
    .minus(1)
    .times(0.5)
    .sum(1);
}
