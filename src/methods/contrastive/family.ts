/**
 * The model of the contrastive and reference-based family: a code z of what target and background share and a code s of what
 * the target adds. Target items are decoded from [z, s], background items from [z, s⁰] with one neutral s⁰ for all of them.
 */
import { type Build, constantly } from '../../nn/index.ts';
import { type GaussianPosterior, klToStandardNormal, sample } from '../../objectives/index.ts';
import { choice, integer, number } from '../../options/index.ts';
import { concat, constant, expand, type Tensor, type TensorLike } from '../../tensor/index.ts';
import {
  addedOutput,
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  generatedItems,
  reconstructionsOf,
} from '../autoencoder.ts';
import { family } from '../family.ts';
import { backgroundItems, covariatesOf, dataNames, items } from '../inputs.ts';
import type { Context, Preset, Settings } from '../method.ts';
import { ourTerms } from './ours.ts';

/** Options of the model, which every method on it has; their order is that of run.json, from which studies name runs. */
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
  recoding: ourTerms.recoding.weight,
  independence: ourTerms.independence.weight,
  apartFromGiven: ourTerms.apartFromGiven.weight,
  givenTo: choice('who is told the covariates: the decoder, or the encoder as well', ['decoder', 'both'], {
    default: 'decoder',
  }),
  encoders: choice('one network with a head for each code, or a network for each', ['one', 'two'], { default: 'one' }),
  ...autoencoderOptions,
};

/** Options that say something of covariates alone: without any, a run's settings do not name them. */
export const covariateOptions = ['apartFromGiven', 'givenTo'] as const;

export type ContrastiveSettings = Settings<typeof contrastiveOptions>;

export interface Posteriors {
  z: GaussianPosterior;
  s: GaussianPosterior;
}

/** What an objective is made of. */
export interface ContrastiveParts {
  b: Build;
  context: Context;
  /** The target's batch; its s is sampled from the posterior. */
  target: { x: Tensor; posteriors: Posteriors; z: Tensor; s: Tensor; given: Tensor | undefined };
  /**
   * The background's batch; its s is the neutral code in every row, and its posterior of s is what an encoder makes of it. The
   * build hands out inputs with as many rows as it has.
   */
  background: { b: Build; x: Tensor; posteriors: Posteriors; z: Tensor; s: Tensor; given: Tensor | undefined };
  /** −ln p(x|z, s) of each item of both batches. */
  reconstructions: { target: Tensor; background: Tensor };
  /** The terms of Eq. 3, by the names that they are logged by. */
  terms: BoundTerms;
  /** The posteriors of any items, with the covariates of the target's unless others are given. */
  encode(x: Tensor, given?: Tensor): Posteriors;
  /** The decoder's last values for any codes, with covariates in the same way. */
  decode(z: Tensor, s: Tensor, given?: Tensor): Tensor;
  /** The same as items in the data's range. */
  generate(z: Tensor, s: Tensor, given?: Tensor): Tensor;
}

export interface BoundTerms extends Record<string, Tensor> {
  reconstruction: Tensor;
  'kl z': Tensor;
  'kl s': Tensor;
  'background reconstruction': Tensor;
  'background kl z': Tensor;
}

/**
 * The family with a neutral s⁰ that is zero, or learned as Rb-VAE's reference e^r is, and with one decoder of both codes, or one
 * that adds what s draws to what z draws.
 */
export function contrastiveFamily(
  neutral: 'zero' | 'learned',
  options = contrastiveOptions,
  decoder: 'of both' | 'of a sum' = 'of both',
) {
  return family({
    needs: 'target+background',
    options,
    ours: ['backgroundBatch', 'sharedFrom', 'givenTo'],
    ourTerms,
    logged: ({ terms }: ContrastiveParts) => terms,
    model(context, settings) {
      const { zLatents, sLatents, encoders, backgroundBatch, sharedFrom } = settings;
      const forEncoder = (given: Tensor | undefined) => (settings.givenTo === 'both' ? given : undefined);
      const encode = (b: Build, x: Tensor, given: Tensor | undefined): Posteriors => {
        const told = forEncoder(given);
        const [forZ, forS] = encoders === 'one' ? [b, b] : [b.at('z'), b.at('s')];
        return {
          z: gaussianHead(b.at('z'), features(forZ, context, settings, x, told), zLatents),
          s: gaussianHead(b.at('s'), features(forS, context, settings, x, told), sLatents),
        };
      };
      const decode = (b: Build, z: Tensor, s: Tensor, given: Tensor | undefined) => {
        const told = given ? [given] : [];
        return decoder === 'of both'
          ? decoderOutput(b, context, settings, concat([z, s, ...told], 1))
          : addedOutput(b, context, settings, concat([z, ...told], 1), s);
      };
      const neutralCode = (b: Build) =>
        neutral === 'zero'
          ? constant(new Float32Array(sLatents), [1, sLatents])
          : b.parameter('reference', [1, sLatents], constantly(0));
      return {
        blocks: [
          { name: 'z', size: zLatents, kind: 'gaussian', role: 'shared' },
          { name: 's', size: sLatents, kind: 'gaussian', role: 'salient' },
        ],
        encode(b, x) {
          const { z, s } = encode(b, x, forEncoder(covariatesOf(b, context)));
          return { z: { kind: 'gaussian', ...z }, s: { kind: 'gaussian', ...s } };
        },
        decode: (b, { z, s }) => generatedItems(decode(b, z, s, covariatesOf(b, context)), context, settings),
        neutral: neutral === 'learned' ? (b: Build) => ({ s: neutralCode(b) }) : undefined,
        partsOf(b) {
          const forY = b.sized(backgroundBatch || undefined);
          const x = items(b, context);
          const y = backgroundItems(forY, context);
          const given = covariatesOf(b, context);
          const givenY = covariatesOf(forY, context, dataNames.backgroundGiven);
          const ofX = encode(b, x, given);
          const ofY = encode(b, y, givenY);
          const zx = sample(ofX.z, b.noise('noise of z', [zLatents], 'normal'));
          const sx = sample(ofX.s, b.noise('noise of s', [sLatents], 'normal'));
          const zy = sample(ofY.z, forY.noise('background noise of z', [zLatents], 'normal'));
          const sy = expand(neutralCode(b), ofY.s.mean);
          const kl = (posterior: GaussianPosterior) => klToStandardNormal(posterior).sum(1).mean();
          // Where the target's items do not reward a code in z, they must not charge for it either: z would fall to its prior.
          const shared = (term: Tensor) => (sharedFrom === 'both' ? term : term.stopGradient());
          const reconstructions = {
            target: reconstructionsOf(decode(b, shared(zx), sx, given), x, context, settings),
            background: reconstructionsOf(decode(b, zy, sy, givenY), y, context, settings),
          };
          return {
            b,
            context,
            reconstructions,
            target: { x, posteriors: ofX, z: zx, s: sx, given },
            background: { b: forY, x: y, posteriors: ofY, z: zy, s: sy, given: givenY },
            terms: {
              reconstruction: reconstructions.target.mean(),
              'kl z': shared(kl(ofX.z)),
              'kl s': kl(ofX.s),
              'background reconstruction': reconstructions.background.mean(),
              'background kl z': kl(ofY.z),
            },
            encode: (others, told = given) => encode(b, others, told),
            decode: (z, s, told = given) => decode(b, z, s, told),
            generate: (z, s, told = given) => generatedItems(decode(b, z, s, told), context, settings),
          };
        },
      };
    },
  });
}

/** Makes a method of an objective on this model, with a neutral s⁰ of zero. @see contrastive-correct.ts for an example */
export const contrastiveMethod = contrastiveFamily('zero');

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
