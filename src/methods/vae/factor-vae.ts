/**
 * FactorVAE (Kim and Mnih 2018, Eq. 2): the ELBO with γ on the total correlation TC = KL(q(z) ‖ Π_k q(z_k)), which a
 * discriminator estimates as E[ln D(z) − ln(1 − D(z))] (Eq. 3). It tells codes from codes whose dimensions were shuffled over
 * the batch (Algorithm 1). The paper shuffles a second batch; here, as in disentanglement_lib, it is the same one.
 */
import { apply, type Build, type Layer } from '../../nn/index.ts';
import { densityRatioLoss } from '../../objectives/index.ts';
import { integer, number } from '../../options/index.ts';
import { constant, gather, stackRows, type Tensor, unstackRows, wholeBatch } from '../../tensor/index.ts';
import { frozen } from '../parameters.ts';
import { vaeMethod } from './family.ts';

export const factorVae = vaeMethod({
  name: 'factor-vae',
  title: 'FactorVAE',
  summary: 'Puts a weight γ on the total correlation, which a discriminator estimates.',
  paper: { cite: 'Kim and Mnih 2018', equations: 'Eq. 2, 3; Algorithms 1, 2' },
  options: {
    gamma: number('weight of the total correlation', { default: 35, min: 0 }),
    discriminatorDepth: integer('hidden layers of the discriminator', { default: 6, min: 1, max: 20 }),
    discriminatorWidth: integer('units in each of them', { default: 1000, min: 1, max: 10_000 }),
    discriminatorRate: number('learning rate of the discriminator', { default: 1e-4, min: 0, schedulable: false }),
  },
  training: { learningRate: 1e-4 },
  presets: {
    dsprites: { gamma: 35, latents: 10, network: 'beta-conv', batchSize: 64, learningRate: 1e-4, steps: 300_000 },
  },
  objective({ b, z, reconstruction, kl }, { gamma, latents, discriminatorRate, ...shape }) {
    const codes = z.stopGradient();
    const permuted = permuteDimensions(codes, b.noise('permutation of z', [latents], 'permutation'));
    const discriminator = b.at('discriminator');
    const totalCorrelation = ratioOf(frozen(discriminator), shape, z).mean();
    const [onCodes, onPermuted] = unstackRows(ratioOf(discriminator, shape, stackRows([codes, permuted])), [
      codes,
      permuted,
    ]);
    const learned = densityRatioLoss(onCodes, onPermuted);
    return {
      minimises: reconstruction.plus(kl).plus(totalCorrelation.times(gamma)).plus(learned),
      terms: { 'total correlation': totalCorrelation, discriminator: learned },
      adversaries: [
        {
          name: 'discriminator',
          optimiser: {
            kind: 'adam',
            learningRate: { kind: 'constant', value: discriminatorRate },
            beta1: 0.5,
            beta2: 0.9,
          },
        },
      ],
    };
  },
});

/** Each dimension of the batch's codes in an order of its own: a sample of Π_k q(z_k) (Algorithm 1). */
export function permuteDimensions(codes: Tensor, orders: Tensor): Tensor {
  const [rows, size] = orders.shape.map(Number);
  const all = wholeBatch(codes);
  const dimensions = constant(
    Array.from({ length: size }, (_, k) => k),
    [1, size],
    'int64',
  );
  const places = orders
    .times(size)
    .plus(dimensions)
    .reshape([rows * size]);
  return gather(all.reshape([Number(all.shape[0]) * size]), places).reshape([rows, size]);
}

/** ln q(z) / Π_k q(z_k) of each code: the discriminator's logit for codes less that for permuted ones. */
function ratioOf(
  b: Build,
  { discriminatorDepth, discriminatorWidth }: { discriminatorDepth: number; discriminatorWidth: number },
  z: Tensor,
): Tensor {
  const hidden = Array.from({ length: discriminatorDepth }, (): Layer[] => [
    { kind: 'linear', out: discriminatorWidth },
    { kind: 'leakyRelu', slope: 0.2 },
  ]);
  const logits = apply(b, [...hidden.flat(), { kind: 'linear', out: 2 }], z);
  return logits.slice(1, 0, 1).minus(logits.slice(1, 1, 2));
}
