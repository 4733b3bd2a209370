/**
 * The conditional GAN (Mirza and Osindero 2014, Eq. 2): a generator draws x from noise z and class y, a discriminator is shown x
 * with y and tells real from drawn. Both learn in one step, each from the weights of before it. Its networks are the decoder
 * and encoder of the other methods, so that comparisons are fair.
 */

import type { Block } from '../../model/index.ts';
import { apply, type Build, discriminatorLayers, type Layer, linear, networkFor } from '../../nn/index.ts';
import { gradientPenalty, intoRange } from '../../objectives/index.ts';
import { integer, number } from '../../options/index.ts';
import { concat, softplus, stackRows, stopGradient, type Tensor, unstackRows } from '../../tensor/index.ts';
import { autoencoderOptions } from '../autoencoder.ts';
import { classBlocks, joinedCodes } from '../classes/class-blocks.ts';
import { classes, items } from '../inputs.ts';
import { type Context, method, type Preset } from '../method.ts';
import { frozen, parametersUnder } from '../parameters.ts';

export const ganOptions = {
  latents: integer('size of the noise that is drawn from', { default: 64, min: 1, max: 4096 }),
  network: autoencoderOptions.network,
  gamma: number('weight γ of the penalty R1 on the discriminator’s slope at real items (0: none, in half the time)', {
    default: 0.3,
    min: 0,
    schedulable: false,
  }),
};

/** Adam about as GANs take it since Radford et al. 2016. */
export const ganTraining: Preset = { learningRate: 3e-4, beta1: 0.5, batchSize: 64 };

export const ganPresets: Readonly<Record<string, Preset>> = {
  mnist: { network: 'parted-mnist', latents: 64, steps: 50_000 },
  'fashion-mnist': { network: 'parted-mnist', latents: 64, steps: 50_000 },
};

export const cgan = method({
  name: 'cgan',
  title: 'Conditional GAN',
  summary: 'Draws pictures of a class against a discriminator that sees the class too.',
  paper: {
    cite: 'Mirza and Osindero 2014',
    equations: 'Eq. 2, with the generator’s non-saturating loss; the class by projection (Miyato and Koyama 2018)',
  },
  needs: 'labels',
  options: ganOptions,
  presets: ganPresets,
  training: ganTraining,
  build(context, { latents, network, gamma }) {
    const y = classBlocks(context);
    // Class and features meet in an inner product: in one more layer over both, the class goes unheard for long.
    const discriminate = (b: Build, x: Tensor, code: Tensor) => {
      const h = realFeatures(b, context, network, x);
      const fit = h.times(linear(b.at('class'), code, Number(h.shape[1]))).sum(1, { keepDimensions: true });
      return linear(b.at('source'), h, 1).plus(fit);
    };
    return {
      blocks: [...y, noiseBlock(latents)],
      decode: (b, codes) => generate(b, context, network, codes.z, joinedCodes(y, codes)),
      steps(b) {
        const x = items(b, context);
        const code = concat(classes(b, context), 1);
        const drawn = generate(b, context, network, b.noise('noise of z', [latents], 'normal'), code);
        const both = stackRows([x, stopGradient(drawn)]);
        const scores = discriminate(b.at('discriminator'), both, stackRows([code, code]));
        const [real, fake] = unstackRows(scores, [x, drawn]);
        const told = tellApart(real, fake, x, gamma);
        const judged = discriminate(frozen(b.at('discriminator')), drawn, code);
        const generator = softplus(judged.negate()).mean();
        return [
          {
            name: 'train',
            minimises: generator.plus(told.loss),
            terms: { generator, ...told.terms },
            groups: adversaries(b),
          },
        ];
      },
    };
  },
});

/** The block of a GAN's noise. */
export function noiseBlock(latents: number): Block {
  return { name: 'z', size: latents, kind: 'gaussian', role: 'shared' };
}

/**
 * Items in the data's range, from noise and classes. Every hidden layer is normalised over the batch (Radford et al. 2016):
 * without this, all noise soon gives one picture.
 */
export function generate(b: Build, { item, range }: Context, network: string, z: Tensor, y: Tensor): Tensor {
  const layers = networkFor(network, item).decoder.flatMap((layer): Layer[] =>
    layer.kind === 'relu' || layer.kind === 'leakyRelu' ? [{ kind: 'batchNorm' }, layer] : [layer],
  );
  return intoRange(apply(b.at('generator'), layers, concat([z, y], 1)), range);
}

/**
 * The discriminator's loss, to tell real from drawn, with R1 at real items, which is not worked out at all where its weight
 * is 0.
 */
export function tellApart(real: Tensor, drawn: Tensor, x: Tensor, gamma: number) {
  const discriminator = softplus(real.negate()).mean().plus(softplus(drawn).mean());
  const terms: Record<string, Tensor> = { discriminator };
  if (gamma === 0) return { loss: discriminator, terms };
  const slope = gradientPenalty(real, x);
  return { loss: discriminator.plus(slope.times(gamma)), terms: { ...terms, slope } };
}

/** What a discriminator makes of items: the encoder's layers without normalisation, all with slope 0.2. */
export function realFeatures(b: Build, { item }: Context, network: string, x: Tensor): Tensor {
  const layers = discriminatorLayers(networkFor(network, item)).map(
    (layer): Layer => (layer.kind === 'relu' || layer.kind === 'leakyRelu' ? { kind: 'leakyRelu', slope: 0.2 } : layer),
  );
  return apply(b.at('features'), layers, x);
}

/** The two players, each with its optimiser. */
export function adversaries(b: Build) {
  return [
    { name: 'generator', parameters: parametersUnder(b, 'generator') },
    { name: 'discriminator', parameters: parametersUnder(b, 'discriminator') },
  ];
}
