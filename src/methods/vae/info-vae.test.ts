import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { codesOf, covarianceOf, ring } from '../testing/codes.ts';
import { infoVae } from './info-vae.ts';

const set = ['latents=2', 'learningRate=2e-3', 'batchSize=64'];

async function trained(settings: string[]) {
  const data = ring();
  const { session, history } = await trainBriefly(infoVae, { data, steps: 600, set: [...set, ...settings] });
  const covariance = covarianceOf(await codesOf(session, data.data));
  await session.close();
  const [kl, mmd, reconstruction] = ['kl', 'mmd', 'reconstruction'].map((term) => meanOf(history, term, 500));
  return { covariance, kl, mmd, reconstruction, history };
}

test('where the VAE gives up what a code tells, InfoVAE keeps it, and all codes together stay at the prior', async () => {
  // At α = 0 and λ = 1 it is the VAE.
  const vae = await trained(['alpha=0', 'lambda=1']);
  const info = await trained(['alpha=1', 'lambda=10']);
  // At the likelihood's scale of 1 the ring's two columns are worth 1 nat.
  expect(vae.kl).toBeLessThan(0.1);
  expect(info.kl).toBeGreaterThan(3);
  expect(info.reconstruction).toBeLessThan(0.1 * vae.reconstruction);
  // Two batches of 64 from one law are 0.016 apart.
  expect(info.mmd).toBeLessThan(0.025);
  const [first, across, , second] = info.covariance;
  for (const variance of [first, second]) expect(Math.abs(variance - 1)).toBeLessThan(0.35);
  expect(Math.abs(across)).toBeLessThan(0.2);
}, 60_000);

test('at α = 0 and λ = 1 the discrepancy counts nothing', async () => {
  const { history } = await trained(['alpha=0', 'lambda=1']);
  for (const { loss, reconstruction, kl } of history.slice(0, 20)) expect(loss).toBeCloseTo(reconstruction + kl, 4);
}, 60_000);
