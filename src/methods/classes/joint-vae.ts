/**
 * JointVAE (Dupont 2018, Eq. 7): −E ln p(x|z, c) + γ |KL(q(z|x) ‖ p(z)) − C_z| + γ |KL(q(c|x) ‖ p(c)) − C_c|, with a continuous z and
 * relaxed discrete c, each with a capacity that rises over the training. It sees no labels.
 */
import { UntangleError } from '../../errors.ts';
import type { Block } from '../../model/index.ts';
import { linear } from '../../nn/index.ts';
import { gumbelSoftmax, klToStandardNormal, klToUniform, sample } from '../../objectives/index.ts';
import { integer, list, number } from '../../options/index.ts';
import { concat, minimum } from '../../tensor/index.ts';
import {
  autoencoderOptions,
  decoderOutput,
  features,
  gaussianHead,
  generatedItems,
  reconstructionOf,
} from '../autoencoder.ts';
import { items } from '../inputs.ts';
import { method } from '../method.ts';
import { trainingStep } from '../parameters.ts';
import { classPosteriors, discreteBlocks, joinedCodes, parts, total } from './class-blocks.ts';

export const jointVae = method({
  name: 'joint-vae',
  title: 'JointVAE',
  summary: 'Learns discrete beside continuous factors, with a rising capacity for each kind.',
  paper: { cite: 'Dupont 2018', equations: 'Eq. 7' },
  needs: 'data',
  options: {
    latents: integer('size of z, the continuous factors', { default: 10, min: 1, max: 4096 }),
    classes: list('classes of each discrete factor', { of: 'integer', default: [10], min: 1, max: 10_000 }),
    gammaZ: number('weight of the capacity of z', { default: 30, min: 0 }),
    gammaC: number('weight of the capacity of c', { default: 30, min: 0 }),
    capacityZ: number('nats that z may carry', { default: 'linear(0,5,25000)', min: 0 }),
    capacityC: number('nats that c may carry, never more than Σ ln of the classes', {
      default: 'linear(0,5,25000)',
      min: 0,
    }),
    temperature: number('temperature of the Gumbel-softmax samples of c', { default: 0.67, min: 0.01 }),
    ...autoencoderOptions,
  },
  presets: {
    mnist: {
      ...{ network: 'parted-mnist', latents: 10, classes: [10], gammaZ: 30, gammaC: 30 },
      ...{ capacityZ: 'linear(0,5,25000)', capacityC: 'linear(0,5,25000)', epochs: 100 },
    },
    'fashion-mnist': {
      ...{ network: 'parted-mnist', latents: 10, classes: [10], gammaZ: 100, gammaC: 100 },
      ...{ capacityZ: 'linear(0,5,50000)', capacityC: 'linear(0,10,50000)', epochs: 100 },
    },
    dsprites: {
      ...{ network: 'parted-dsprites', latents: 6, classes: [3], gammaZ: 150, gammaC: 150 },
      ...{ capacityZ: 'linear(0,40,300000)', capacityC: 'linear(0,1.1,300000)', epochs: 30 },
    },
    chairs: {
      ...{ network: 'parted-dsprites', latents: 32, classes: [2, 2, 2], gammaZ: 300, gammaC: 300 },
      ...{ capacityZ: 'linear(0,30,100000)', capacityC: 'linear(0,5,100000)', learningRate: 1e-4, epochs: 100 },
    },
    celeba: {
      ...{ network: 'parted-dsprites', latents: 32, classes: [10], gammaZ: 100, gammaC: 100 },
      ...{ capacityZ: 'linear(0,50,100000)', capacityC: 'linear(0,10,100000)', epochs: 100 },
    },
  },
  training: { batchSize: 64, learningRate: 5e-4 },
  build(context, settings) {
    const { latents, classes, gammaZ, gammaC, capacityZ, capacityC, temperature } = settings;
    if (classes.length === 0) {
      throw new UntangleError('JointVAE needs at least one discrete factor; “classes” is empty.', {
        kind: 'call',
        hint: 'For continuous factors alone, take annealed-vae.',
      });
    }
    const width = classes.reduce((total, count) => total + count, 0);
    const greatest = classes.reduce((total, count) => total + Math.log(count), 0);
    const c = discreteBlocks(classes);
    const z: Block = { name: 'z', size: latents, kind: 'gaussian', role: 'shared' };
    return {
      blocks: [...c, z],
      encode(b, x) {
        const h = features(b, context, settings, x);
        const logits = parts(linear(b.at('c'), h, width), classes);
        return { ...classPosteriors(c, logits), z: { kind: 'gaussian', ...gaussianHead(b.at('z'), h, latents) } };
      },
      decode: (b, codes) =>
        generatedItems(decoderOutput(b, context, settings, joinedCodes([z, ...c], codes)), context, settings),
      steps(b) {
        const x = items(b, context);
        const h = features(b, context, settings, x);
        const posterior = gaussianHead(b.at('z'), h, latents);
        const logits = parts(linear(b.at('c'), h, width), classes);
        const code = concat(
          [
            sample(posterior, b.noise('noise of z', [latents], 'normal')),
            ...logits.map((one, k) =>
              gumbelSoftmax(one, b.noise(`noise of ${c[k].name}`, [c[k].size], 'gumbel'), temperature),
            ),
          ],
          1,
        );
        const reconstruction = reconstructionOf(decoderOutput(b, context, settings, code), x, context, settings);
        const klZ = klToStandardNormal(posterior).sum(1).mean();
        const klC = total(logits.map((one) => klToUniform(one).mean()));
        const minimises = reconstruction
          .plus(klZ.minus(capacityZ).abs().times(gammaZ))
          .plus(klC.minus(minimum(capacityC, greatest)).abs().times(gammaC));
        return [
          trainingStep(b, {
            minimises,
            terms: { reconstruction, 'kl z': klZ, 'kl c': klC },
          }),
        ];
      },
    };
  },
});
