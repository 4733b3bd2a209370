import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { ring } from '../testing/codes.ts';
import { betaVae } from './beta-vae.ts';

test('a larger β lowers the KL, at the price of the reconstruction', async () => {
  const train = async (beta: number) => {
    const set = ['learningRate=2e-3', 'latents=2', 'scale=0.3', `beta=${beta}`];
    const { session, history } = await trainBriefly(betaVae, { data: ring(), steps: 500, set });
    await session.close();
    for (const { loss, reconstruction, kl } of history)
      expect(Math.abs(loss - reconstruction - beta * kl)).toBeLessThan(1e-4 * loss);
    return { kl: meanOf(history, 'kl', 400), reconstruction: meanOf(history, 'reconstruction', 400) };
  };
  const light = await train(1);
  const heavy = await train(4);
  expect(heavy.kl).toBeLessThan(0.75 * light.kl);
  expect(heavy.reconstruction).toBeGreaterThan(1.5 * light.reconstruction);
});
