import { expect, test } from 'vitest';
import { compile } from '../../runtime/index.ts';
import { nodeBackend } from '../../runtime/node/index.ts';
import { constant } from '../../tensor/index.ts';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { dependenceOf, ring } from '../testing/codes.ts';
import { factorVae, permuteDimensions } from './factor-vae.ts';
import { vae } from './vae.ts';

test('each dimension of the codes is permuted by its own order', async () => {
  const codes = constant([1, 10, 2, 20, 3, 30], [3, 2]);
  const orders = constant([2, 0, 0, 2, 1, 1], [3, 2], 'int64');
  const program = await compile(
    { parameters: [], functions: { f: { permuted: permuteDimensions(codes, orders) } } },
    { backend: await nodeBackend() },
  );
  const { permuted } = await program.run('f', {});
  await program.close();
  expect([...permuted]).toEqual([3, 10, 1, 30, 2, 20]);
});

test('the total correlation of a ring’s codes falls against a VAE’s', async () => {
  const data = ring();
  const set = ['learningRate=2e-3', 'latents=2', 'scale=0.3'];
  const discriminator = ['discriminatorWidth=64', 'discriminatorDepth=2', 'discriminatorRate=1e-3'];
  const train = async (gamma: number) => {
    const { session, history } = await trainBriefly(factorVae, {
      data,
      steps: 1000,
      set: [...set, ...discriminator, `gamma=${gamma}`],
    });
    const measured = await dependenceOf(session, data);
    await session.close();
    return { measured, estimated: meanOf(history, 'total correlation', 800), history };
  };
  const plain = await train(0);
  const factor = await train(5);
  // With no weight the model is the VAE: the discriminator watches, and estimates what a histogram measures.
  const { session, history } = await trainBriefly(vae, { data, steps: 50, set });
  await session.close();
  for (const [step, { reconstruction }] of history.entries())
    expect(plain.history[step].reconstruction / reconstruction).toBeCloseTo(1, 5);
  expect(plain.estimated).toBeGreaterThan(0.12);
  expect(Math.abs(plain.estimated - plain.measured)).toBeLessThan(0.05);
  expect(factor.estimated).toBeLessThan(0.06);
  expect(factor.measured).toBeLessThan(0.6 * plain.measured);
});
