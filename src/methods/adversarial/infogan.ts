/**
 * InfoGAN (Chen et al. 2016, Eq. 3 to 6): a GAN whose generator is given codes c beside the noise z, and a head Q of the discriminator
 * that has to tell them from what was drawn. L_I = E ln Q(c|G(z, c)) + H(c) is at most the mutual information of codes and items;
 * generator and Q minimise the GAN's loss − λ L_I. The codes are discrete ones (blocks c) and continuous ones (block u), which are
 * N(0, I) here and uniform in the paper.
 */
import { UntangleError } from '../../errors.ts';
import type { Block } from '../../model/index.ts';
import { apply, type Build, type Layer, linear } from '../../nn/index.ts';
import { mostProbable, surprise } from '../../objectives/index.ts';
import { integer, list, number } from '../../options/index.ts';
import { concat, constant, softplus, stackRows, stopGradient, type Tensor, unstackRows } from '../../tensor/index.ts';
import { gaussianHead } from '../autoencoder.ts';
import {
  classPosteriors,
  classTerms,
  discreteBlocks,
  joinedCodes,
  parts,
  surpriseOfClasses,
} from '../classes/class-blocks.ts';
import { items } from '../inputs.ts';
import { method } from '../method.ts';
import { frozen } from '../parameters.ts';
import { adversaries, ganOptions, ganTraining, generate, noiseBlock, realFeatures, tellApart } from './cgan.ts';

export const infogan = method({
  name: 'infogan',
  title: 'InfoGAN',
  summary: 'Draws items against a discriminator that also has to tell the codes that they were drawn from.',
  paper: { cite: 'Chen, Duan, Houthooft, Schulman, Sutskever and Abbeel 2016', equations: 'Eq. 3 to 6' },
  needs: 'data',
  options: {
    ...ganOptions,
    classes: list('classes of each discrete code', { of: 'integer', default: [10], min: 1, max: 10_000 }),
    codes: integer('size of u, the continuous codes', { default: 2, min: 1, max: 4096 }),
    lambda: number('weight λ of the information of discrete codes', { default: 1, min: 0 }),
    lambdaU: number('weight λ of the information of continuous codes', { default: 0.1, min: 0 }),
  },
  presets: {
    mnist: { network: 'parted-mnist', latents: 62, classes: [10], codes: 2, steps: 50_000 },
    'fashion-mnist': { network: 'parted-mnist', latents: 62, classes: [10], codes: 2, steps: 50_000 },
  },
  training: ganTraining,
  build(context, { latents, network, gamma, classes, codes, lambda, lambdaU }) {
    if (classes.length === 0) {
      throw new UntangleError('InfoGAN needs at least one discrete code; “classes” is empty.', { kind: 'call' });
    }
    const c = discreteBlocks(classes);
    const u: Block = { name: 'u', size: codes, kind: 'gaussian', role: 'shared' };
    const width = classes.reduce((sum, size) => sum + size, 0);
    const drawn = (b: Build, z: Tensor, code: Tensor) => generate(b, context, network, z, code);
    const featuresOf = (b: Build, x: Tensor) => realFeatures(b, context, network, x);
    /** Q(c|x) and Q(u|x), off the discriminator's features. */
    function told(b: Build, h: Tensor) {
      const hidden = apply(b.at('codes'), hiddenLayers, h);
      return { logits: parts(linear(b.at('c'), hidden, width), classes), u: gaussianHead(b.at('u'), hidden, codes) };
    }
    return {
      blocks: [...c, u, noiseBlock(latents)],
      encode(b, x) {
        const d = b.at('discriminator');
        const h = featuresOf(d, x);
        const q = told(d, h);
        // Nothing is told of the noise: its posterior is its prior.
        const nothing = h
          .slice(1, 0, 1)
          .times(0)
          .plus(constant(new Float32Array(latents), [1, latents]));
        return {
          ...classPosteriors(c, q.logits),
          u: { kind: 'gaussian', ...q.u },
          z: { kind: 'gaussian', mean: nothing, logVariance: nothing },
        };
      },
      decode: (b, given) => drawn(b, given.z, joinedCodes([...c, u], given)),
      steps(b) {
        const x = items(b, context);
        const ofC = c.map(({ name, size }) => mostProbable(b.noise(`draw of ${name}`, [size], 'gumbel')));
        const ofU = b.noise('draw of u', [codes], 'normal');
        const made = drawn(b, b.noise('noise of z', [latents], 'normal'), concat([...ofC, ofU], 1));
        const d = b.at('discriminator');
        const source = (at: Build, h: Tensor) => linear(at.at('source'), h, 1);
        const scores = source(d, featuresOf(d, stackRows([x, stopGradient(made)])));
        const [real, fake] = unstackRows(scores, [x, made]);
        const judged = tellApart(real, fake, x, gamma);
        const generator = softplus(source(frozen(d), featuresOf(frozen(d), made)).negate()).mean();
        // Generator and Q learn this together, so nothing in it is held still.
        const q = told(d, featuresOf(d, made));
        const { classification, accuracy } = classTerms(q.logits, ofC);
        const ofClasses = classification.negate().plus(surpriseOfClasses(c));
        const ofNumbers = surprise(ofU, q.u)
          .negate()
          .plus(codes * halfLogTauE);
        return [
          {
            name: 'train',
            minimises: generator.plus(judged.loss).minus(ofClasses.times(lambda)).minus(ofNumbers.times(lambdaU)),
            terms: { generator, ...judged.terms, 'information c': ofClasses, 'information u': ofNumbers, accuracy },
            groups: adversaries(b),
          },
        ];
      },
    };
  },
});

/** Between the features and Q, as wide as in the paper's appendix C. */
const hiddenLayers: readonly Layer[] = [
  { kind: 'linear', out: 128 },
  { kind: 'leakyRelu', slope: 0.1 },
];

/** The entropy of one standard normal number. */
const halfLogTauE = 0.5 * Math.log(2 * Math.PI * Math.E);
