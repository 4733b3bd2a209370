/**
 * The model of the contrastive and reference-based family: a code z of what target and background share and a code s of what
 * the target adds. Target items are decoded from [z, s], background items from [z, s⁰] with one neutral s⁰ for all of them.
 */
import { type Build, constantly } from '../../nn/index.ts';
import { type GaussianPosterior, intoRange, klToStandardNormal, sample } from '../../objectives/index.ts';
import { choice, integer, number, type Options } from '../../options/index.ts';
import { concat, constant, expand, type Tensor, type TensorLike } from '../../tensor/index.ts';
import {
  type AutoencoderSettings,
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  reconstructionOf,
} from '../autoencoder.ts';
import { backgroundItems, items } from '../inputs.ts';
import type { Context, Method, Preset, Settings } from '../method.ts';
import { parametersOutside, parametersUnder } from '../parameters.ts';
import { independence } from './independence.ts';
import { recoding } from './recoding.ts';

/** Options of the model, which every method on it has. */
export const contrastiveOptions = {
  zLatents: integer('size of the code z of what both sets share', { default: 8, min: 1, max: 4096 }),
  sLatents: integer('size of the code s of what the target adds', { default: 4, min: 1, max: 4096 }),
  backgroundBatch: integer('background items in a batch; 0 for as many as of the target', {
    default: 0,
    min: 0,
    max: 65_536,
  }),
  sharedFrom: choice(
    'whose reconstruction teaches z: both sets’ as in the papers, or the background’s alone, so that nothing of the target’s own is worth coding in z',
    ['both', 'background'],
    { default: 'both' },
  ),
  recoding: number(
    'weight of finding the z of a background item and the s of a target item again in what is decoded from both; 0 as in the papers',
    { default: 0, min: 0, schedulable: false },
  ),
  independence: number(
    'weight of the distance correlation between a target item’s z and its s, so that each says nothing of the other; 0 as in the papers',
    { default: 0, min: 0, schedulable: false },
  ),
  encoders: choice('one network with a head for each code, or a network for each', ['one', 'two'], { default: 'one' }),
  ...autoencoderOptions,
};

export type ContrastiveSettings = AutoencoderSettings & {
  zLatents: number;
  sLatents: number;
  backgroundBatch: number;
  sharedFrom: 'both' | 'background';
  recoding: number;
  independence: number;
  encoders: 'one' | 'two';
};

export interface Posteriors {
  z: GaussianPosterior;
  s: GaussianPosterior;
}

/** What an objective is made of. */
export interface ContrastiveParts {
  b: Build;
  context: Context;
  /** The target's batch; its s is sampled from the posterior. */
  target: { x: Tensor; posteriors: Posteriors; z: Tensor; s: Tensor };
  /**
   * The background's batch; its s is the neutral code in every row, and its posterior of s is what an encoder makes of it. The
   * build hands out inputs with as many rows as it has.
   */
  background: { b: Build; x: Tensor; posteriors: Posteriors; z: Tensor; s: Tensor };
  /** The terms of Eq. 3, by the names that they are logged by. */
  terms: BoundTerms;
  encode(b: Build, x: Tensor): Posteriors;
  /** The decoder's last values. */
  decode(b: Build, z: Tensor, s: Tensor): Tensor;
}

export interface BoundTerms extends Record<string, Tensor> {
  reconstruction: Tensor;
  'kl z': Tensor;
  'kl s': Tensor;
  'background reconstruction': Tensor;
  'background kl z': Tensor;
}

export interface ContrastiveObjective {
  minimises: Tensor;
  /** Terms to log beside those of Eq. 3. */
  terms?: Record<string, Tensor>;
  /** Paths of parameters that are an adversary's, not the model's. */
  adversaries?: readonly string[];
}

/** A method on this model, as its author writes it. */
export interface ContrastiveMethod<S extends Options> extends Omit<Method<S>, 'needs' | 'presets' | 'build'> {
  presets?: Readonly<Record<string, Preset>>;
  /** Whether the neutral s⁰ is zero, or learned as Rb-VAE's reference e^r is. */
  neutral?: 'zero' | 'learned';
  objective(parts: ContrastiveParts, options: Settings<S> & ContrastiveSettings): ContrastiveObjective;
}

/** Makes a method of an objective on this model. @see contrastive-correct.ts for an example */
export function contrastiveMethod<const S extends Options>(given: ContrastiveMethod<S>): Method {
  const { presets = {}, neutral = 'zero', objective, ...rest } = given;
  return {
    ...rest,
    needs: 'target+background',
    presets,
    options: { ...contrastiveOptions, ...rest.options },
    build(context, checked) {
      // Whoever builds a method has checked its options against the schema above.
      const options = checked as Settings<S> & ContrastiveSettings;
      const { zLatents, sLatents } = options;
      const encode = (b: Build, x: Tensor): Posteriors => {
        const [forZ, forS] = options.encoders === 'one' ? [b, b] : [b.at('z'), b.at('s')];
        return {
          z: gaussianHead(b.at('z'), features(forZ, context, options, x), zLatents),
          s: gaussianHead(b.at('s'), features(forS, context, options, x), sLatents),
        };
      };
      const decode = (b: Build, z: Tensor, s: Tensor) => decoderOutput(b, context, options, concat([z, s], 1));
      const neutralCode = (b: Build) =>
        neutral === 'zero'
          ? constant(new Float32Array(sLatents), [1, sLatents])
          : b.parameter('reference', [1, sLatents], constantly(0));

      function partsOf(b: Build): ContrastiveParts {
        const forY = b.sized(options.backgroundBatch || undefined);
        const x = items(b, context);
        const y = backgroundItems(forY, context);
        const ofX = encode(b, x);
        const ofY = encode(b, y);
        const zx = sample(ofX.z, b.noise('noise of z', [zLatents], 'normal'));
        const sx = sample(ofX.s, b.noise('noise of s', [sLatents], 'normal'));
        const zy = sample(ofY.z, forY.noise('background noise of z', [zLatents], 'normal'));
        const sy = expand(neutralCode(b), ofY.s.mean);
        const kl = (posterior: GaussianPosterior) => klToStandardNormal(posterior).sum(1).mean();
        // Where the target's items do not reward a code in z, they must not charge for it either: z would fall to its prior.
        const shared = (term: Tensor) => (options.sharedFrom === 'both' ? term : term.stopGradient());
        return {
          b,
          context,
          target: { x, posteriors: ofX, z: zx, s: sx },
          background: { b: forY, x: y, posteriors: ofY, z: zy, s: sy },
          terms: {
            reconstruction: reconstructionOf(decode(b, shared(zx), sx), x, context, options),
            'kl z': shared(kl(ofX.z)),
            'kl s': kl(ofX.s),
            'background reconstruction': reconstructionOf(decode(b, zy, sy), y, context, options),
            'background kl z': kl(ofY.z),
          },
          encode,
          decode,
        };
      }

      return {
        blocks: [
          { name: 'z', size: zLatents, kind: 'gaussian', role: 'shared' },
          { name: 's', size: sLatents, kind: 'gaussian', role: 'salient' },
        ],
        encode(b, x) {
          const { z, s } = encode(b, x);
          return { z: { kind: 'gaussian', ...z }, s: { kind: 'gaussian', ...s } };
        },
        decode: (b, { z, s }) => intoRange(decode(b, z, s), context.range),
        ...(neutral === 'learned' && { neutral: (b: Build) => ({ s: neutralCode(b) }) }),
        steps(b) {
          const parts = partsOf(b);
          const { minimises, terms, adversaries = [] } = withOurs(parts, objective(parts, options), options);
          const groups = [
            { name: 'model', parameters: parametersOutside(b, ...adversaries) },
            ...adversaries.map((name) => ({ name, parameters: parametersUnder(b, name) })),
          ];
          return [{ name: 'train', minimises, terms: { ...parts.terms, ...terms }, groups }];
        },
      };
    },
  };
}

/** Terms that no paper has, by the option that is their weight. */
const ours = { recoding, independence };

/** An objective with those of our terms that have a weight. */
function withOurs(
  parts: ContrastiveParts,
  objective: ContrastiveObjective,
  weights: Record<keyof typeof ours, number>,
): ContrastiveObjective {
  let { minimises, terms } = objective;
  for (const name of ['recoding', 'independence'] as const) {
    if (weights[name] === 0) continue;
    const term = ours[name](parts);
    minimises = minimises.plus(term.times(weights[name]));
    terms = { ...terms, [name]: term };
  }
  return { ...objective, minimises, ...(terms && { terms }) };
}

/** L_VAE, Eq. 3: the negative ELBOs of both sets, the background's without an s, with β on the KL. */
export function bound(terms: BoundTerms, beta: TensorLike = 1): Tensor {
  const kl = terms['kl z'].plus(terms['kl s']).plus(terms['background kl z']);
  return terms.reconstruction.plus(terms['background reconstruction']).plus(kl.times(beta));
}

/** The weight that the contrastive paper gives the KL (appendix A.3). */
export const beta = number('weight of the KL', { default: 2, min: 0 });

/** The contrastive paper's settings for each dataset (appendix A.3). */
export const contrastivePresets = {
  // The text prints sizes 16/8 and 8/4; the W2 of its Table 1 can only be that of 8 dimensions.
  'grassy-mnist': {
    zLatents: 8,
    sLatents: 4,
    beta: 2,
    network: 'contrastive-28',
    batchSize: 128,
    learningRate: 1e-3,
    epochs: 200,
  },
  celeba: { zLatents: 16, sLatents: 6, beta: 2, network: 'contrastive-64', batchSize: 128, learningRate: 1e-3 },
  affectnet: { zLatents: 32, sLatents: 32, beta: 2, network: 'contrastive-64', batchSize: 128, learningRate: 1e-3 },
} satisfies Record<string, Preset>;
