import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { dependenceOf, ring } from '../testing/codes.ts';
import { hfvae } from './hfvae.ts';

const set = ['learningRate=2e-3', 'scale=0.3'];
const parts = ['mutual information', 'correlation between groups', 'correlation inside groups', 'dimension-wise kl'];

test('mutual information, correlation between and inside groups, and dimension-wise KL add up to the KL', async () => {
  const { session, history } = await trainBriefly(hfvae, {
    data: ring(),
    steps: 300,
    set: [...set, 'latents=3', 'groups=2,1', 'beta=1', 'gamma=1'],
  });
  await session.close();
  for (const terms of history) {
    const estimate = parts.reduce((sum, part) => sum + terms[part], 0);
    expect(Math.abs(terms.loss - terms.reconstruction - estimate)).toBeLessThan(1e-4);
  }
  const estimate = parts.reduce((sum, part) => sum + meanOf(history, part, 100), 0);
  expect(Math.abs(estimate / meanOf(history, 'kl', 100) - 1)).toBeLessThan(0.02);
});

test('a weight between groups makes them independent, and leaves dimensions inside a group as they are', async () => {
  const data = ring();
  const dependence = async (groups: string) => {
    const { session, history } = await trainBriefly(hfvae, {
      data,
      steps: 800,
      set: [...set, 'latents=2', `groups=${groups}`, 'beta=6', 'gamma=1'],
    });
    const measured = await dependenceOf(session, data);
    await session.close();
    return { measured, inside: meanOf(history, 'correlation inside groups', 600) };
  };
  const apart = await dependence('1,1');
  const together = await dependence('2');
  expect(Math.abs(apart.inside)).toBeLessThan(1e-6);
  expect(together.inside).toBeGreaterThan(0.12);
  expect(apart.measured).toBeLessThan(0.5 * together.measured);
});

test('groups that do not cover the code are an error that says so', async () => {
  await expect(trainBriefly(hfvae, { data: ring(), steps: 1, set: ['latents=4', 'groups=2,1'] })).rejects.toThrow(
    'The groups 2, 1 hold 3 dimensions, but the code has 4.',
  );
});
