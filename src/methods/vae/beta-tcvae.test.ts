import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { dependenceOf, ring } from '../testing/codes.ts';
import { betaTcvae } from './beta-tcvae.ts';

const set = ['learningRate=2e-3', 'latents=2', 'scale=0.3'];
const parts = ['mutual information', 'total correlation', 'dimension-wise kl'];

test.each(['weighted', 'stratified'])('%s parts of the KL add up to it', async (estimator) => {
  const { session, history } = await trainBriefly(betaTcvae, {
    data: ring(),
    steps: 300,
    set: [...set, 'beta=1', `estimator=${estimator}`],
  });
  await session.close();
  for (const terms of history) {
    const estimate = parts.reduce((sum, part) => sum + terms[part], 0);
    expect(Math.abs(terms.loss - terms.reconstruction - estimate)).toBeLessThan(1e-4);
  }
  // The parts are those of one sample of each code, the KL is exact: they agree on average.
  const estimate = parts.reduce((sum, part) => sum + meanOf(history, part, 100), 0);
  expect(Math.abs(estimate / meanOf(history, 'kl', 100) - 1)).toBeLessThan(0.02);
});

test('a weight on the total correlation makes the codes of a ring independent', async () => {
  const dependence = async (beta: number) => {
    const data = ring();
    const { session, history } = await trainBriefly(betaTcvae, {
      data,
      steps: 800,
      set: [...set, `beta=${beta}`, 'estimator=stratified'],
    });
    const measured = await dependenceOf(session, data);
    await session.close();
    return { measured, estimated: meanOf(history, 'total correlation', 600) };
  };
  const plain = await dependence(1);
  const heavy = await dependence(6);
  expect(plain.estimated).toBeGreaterThan(0.12);
  expect(Math.abs(plain.estimated - plain.measured)).toBeLessThan(0.05);
  expect(heavy.estimated).toBeLessThan(0.03);
  expect(heavy.measured).toBeLessThan(0.5 * plain.measured);
});
