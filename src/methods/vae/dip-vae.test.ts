import { expect, test } from 'vitest';
import { shapesDataset } from '../../data/sets/shapes.ts';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import type { Method } from '../method.ts';
import { codesOf, covarianceOf, ring } from '../testing/codes.ts';
import { dipVae1, dipVae2 } from './dip-vae.ts';
import { vae } from './vae.ts';

// With sharp pixels a VAE spends its code on them, and lets its covariance go where it will.
const set = ['learningRate=1e-3', 'batchSize=32', 'network=mlp', 'latents=5', 'likelihood=gaussian', 'scale=0.1'];
const weights = ['lambdaOffDiagonal=500', 'lambdaDiagonal=500'];

/** Σ (C − I)² of the codes' covariance, or of that of their means alone. */
async function distances(method: Method, more: string[] = []) {
  const { session } = await trainBriefly(method, { steps: 150, set: [...set, ...more] });
  const codes = await codesOf(session, shapesDataset());
  await session.close();
  const toIdentity = (covariance: Float64Array) =>
    covariance.reduce((sum, value, i) => sum + (value - (i % (codes.size + 1) === 0 ? 1 : 0)) ** 2, 0);
  const means = { ...codes, logVariance: codes.logVariance.map(() => -Infinity) };
  return { ofCodes: toIdentity(covarianceOf(codes)), ofMeans: toIdentity(covarianceOf(means)) };
}

test('the covariance of the codes goes to the identity with DIP-VAE-II, that of the means with DIP-VAE-I', async () => {
  const plain = await distances(vae);
  const one = await distances(dipVae1, weights);
  const two = await distances(dipVae2, weights);
  expect(two.ofCodes).toBeLessThan(0.2 * plain.ofCodes);
  expect(one.ofMeans).toBeLessThan(0.2 * plain.ofMeans);
});

test('a running covariance starts at zero and keeps its share of the past', async () => {
  const train = async (running: boolean) => {
    const { session, history } = await trainBriefly(dipVae2, {
      data: ring(),
      steps: 1,
      set: ['latents=2', `running=${running}`, 'runningDecay=0.75'],
    });
    const { parameters } = await session.state();
    await session.close();
    return { terms: history[0], estimate: parameters.get('running covariance') };
  };
  const batch = await train(false);
  const running = await train(true);
  expect(batch.estimate).toBeUndefined();
  const [c11, c12, c21, c22] = running.estimate ?? [];
  expect(c12).toBe(c21);
  expect((c11 - 1) ** 2 + (c22 - 1) ** 2).toBeCloseTo(running.terms.diagonal, 5);
  expect(2 * c12 ** 2).toBeCloseTo(running.terms['off-diagonal'], 6);
  expect((4 * c11 - 1) ** 2 + (4 * c22 - 1) ** 2).toBeCloseTo(batch.terms.diagonal, 4);
  expect(2 * (4 * c12) ** 2).toBeCloseTo(batch.terms['off-diagonal'], 5);
});

test('third central moments fall when they have a weight', async () => {
  const train = async (weight: number) => {
    const { session, history } = await trainBriefly(dipVae2, {
      data: ring(),
      steps: 400,
      set: ['learningRate=2e-3', 'latents=2', 'scale=0.1', 'batchSize=256', `lambdaThird=${weight}`],
    });
    await session.close();
    return meanOf(history, 'third moments', 300);
  };
  expect(await train(200)).toBeLessThan(0.5 * (await train(0)));
});
