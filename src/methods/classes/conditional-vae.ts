/**
 * The conditional VAE (Sohn, Lee and Yan 2015): −E ln p(x|z, y) + KL(q(z|x, y) ‖ N(0, I)), with the class shown to encoder and
 * decoder. In use the class has to be inferred: as in N-VAE, ln q(y|x) is learned on the encoder's features.
 */
import { apply, type Build, type Layer, linear } from '../../nn/index.ts';
import { klToStandardNormal, mostProbable, sample } from '../../objectives/index.ts';
import { integer, number } from '../../options/index.ts';
import { concat, type Tensor } from '../../tensor/index.ts';
import {
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  generatedItems,
  reconstructionOf,
} from '../autoencoder.ts';
import { classes, items } from '../inputs.ts';
import { method } from '../method.ts';
import { trainingStep } from '../parameters.ts';
import { classBlocks, classPosteriors, classTerms, joinedCodes, parts } from './class-blocks.ts';

export const conditionalVae = method({
  name: 'conditional-vae',
  title: 'Conditional VAE',
  summary: 'Shows the class to encoder and decoder; the latent code holds what is left.',
  paper: { cite: 'Sohn, Lee and Yan 2015', equations: 'Eq. 4, with the prior N(0, I)' },
  needs: 'labels',
  options: {
    latents: integer('size of the latent code', { default: 10, min: 1, max: 4096 }),
    beta: number('weight of the KL', { default: 1, min: 0 }),
    ...autoencoderOptions,
  },
  presets: {
    mnist: { network: 'parted-mnist', latents: 10, steps: 50_000 },
    'fashion-mnist': { network: 'parted-mnist', latents: 10, steps: 50_000 },
  },
  build(context, settings) {
    const { latents, beta } = settings;
    const y = classBlocks(context);
    const sizes = y.map(({ size }) => size);
    const width = sizes.reduce((total, size) => total + size, 0);
    const logitsOf = (b: Build, h: Tensor) => parts(linear(b.at('classifier'), h, width), sizes);
    const posterior = (b: Build, h: Tensor, code: Tensor) =>
      gaussianHead(b.at('z'), apply(b.at('join'), joinLayers, concat([h, code], 1)), latents);
    const decoded = (b: Build, z: Tensor, code: Tensor) => decoderOutput(b, context, settings, concat([z, code], 1));
    return {
      blocks: [...y, { name: 'z', size: latents, kind: 'gaussian', role: 'shared' }],
      encode(b, x) {
        const h = features(b, context, settings, x);
        const logits = logitsOf(b, h);
        const z = posterior(b, h, concat(logits.map(mostProbable), 1));
        return { ...classPosteriors(y, logits), z: { kind: 'gaussian', ...z } };
      },
      decode: (b, codes) => generatedItems(decoded(b, codes.z, joinedCodes(y, codes)), context, settings),
      steps(b) {
        const x = items(b, context);
        const known = classes(b, context);
        const code = concat(known, 1);
        const h = features(b, context, settings, x);
        const q = posterior(b, h, code);
        const z = sample(q, b.noise('noise of z', [latents], 'normal'));
        const reconstruction = reconstructionOf(decoded(b, z, code), x, context, settings);
        const kl = klToStandardNormal(q).sum(1).mean();
        const { classification, accuracy } = classTerms(logitsOf(b, h), known);
        return [
          trainingStep(b, {
            minimises: reconstruction.plus(kl.times(beta)).plus(classification),
            terms: { reconstruction, kl, classification, accuracy },
          }),
        ];
      },
    };
  },
});

/** Between the features with the class and the latent code, so that the class can change what is read off the features. */
export const joinLayers: readonly Layer[] = [{ kind: 'linear', out: 256 }, { kind: 'relu' }];
