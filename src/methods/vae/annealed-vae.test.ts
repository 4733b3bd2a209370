import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { ring } from '../testing/codes.ts';
import { annealedVae } from './annealed-vae.ts';

test('the KL follows the capacity', async () => {
  const { session, history } = await trainBriefly(annealedVae, {
    data: ring(),
    steps: 1000,
    set: ['learningRate=1e-3', 'latents=2', 'scale=0.3', 'gamma=20', 'capacity=linear(0,4,800)'],
  });
  expect(session.weights().capacity).toBe(4);
  await session.close();
  for (const step of [200, 400, 600])
    expect(Math.abs(meanOf(history, 'kl', step - 10, step + 10) - step / 200)).toBeLessThan(0.15);
  expect(Math.abs(meanOf(history, 'kl', 850) - 4)).toBeLessThan(0.15);
  for (const [step, { kl, distance }] of history.entries())
    expect(Math.abs(distance - Math.abs(kl - Math.min(4, step / 200)))).toBeLessThan(1e-4);
});
