import { expect, test } from 'vitest';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { betaTcvae } from './beta-tcvae.ts';
import { guidedBetaTcvae } from './guided-beta-tcvae.ts';

test('it is β-TCVAE with the guide’s terms added', async () => {
  const set = ['batchSize=16', 'latents=5', 'network=mlp', 'beta=3'];
  const plain = await trainBriefly(betaTcvae, { steps: 1, set });
  const guided = await trainBriefly(guidedBetaTcvae, { steps: 1, set: [...set, 'guide=0.5'] });
  await Promise.all([plain.session.close(), guided.session.close()]);
  const [{ loss, ...terms }] = plain.history;
  const [found] = guided.history;
  for (const [name, value] of Object.entries(terms)) expect(found[name]).toBeCloseTo(value, 4);
  const guide = found['guided reconstruction'] + found.orthogonality;
  expect(guide).toBeGreaterThan(1);
  expect((found.loss - loss) / (0.5 * guide)).toBeCloseTo(1, 4);
});
