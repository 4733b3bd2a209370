import { expect, test } from 'vitest';
import { w2Squared } from '../../analysis/index.ts';
import type { Dataset } from '../../data/index.ts';
import { trainBriefly } from '../../training/testing/briefly.ts';
import type { Method } from '../method.ts';
import { methodNamed } from '../registry.ts';
import { codesOf, explained, mixedTables } from '../testing/contrast.ts';

async function trained(method: Method, set: string[] = []) {
  const data = mixedTables();
  const { session } = await trainBriefly(method, {
    data,
    set: ['beta=1', 'zLatents=4', 'sLatents=2', 'scale=0.3', 'batchSize=32', 'learningRate=3e-3', ...set],
    steps: 500,
    seed: 2,
  });
  const target = await codesOf(session, data.target);
  const background = await codesOf(session, data.background);
  await session.close();
  const salient = 3;
  return {
    w2: w2Squared(target.z, target.n, background.z, background.n, 4),
    inS: explained(target.s, data.target, target.items, salient),
    inZ: explained(target.z, data.target, target.items, salient),
    shared: [0, 1, 2].map((factor) => explained(target.z, data.target, target.items, factor)),
    background: background.salientMean / target.salientMean,
  };
}

test('where Eq. 3 puts a table’s salient factor into z, Eq. 7 and 8 find it in s, and Eq. 8 leaves little of it in z', async () => {
  const base = await trained(methodNamed('contrastive-vae'));
  const correct = await trained(methodNamed('contrastive-correct'));
  const found = await trained(methodNamed('contrastive-w2'), ['solver=sinkhorn', 'lambdaZ=10']);
  // The seed is one at which the base ends in the degenerate solution; at seeds 1 and 3 it happens not to.
  expect(base.inZ).toBeGreaterThan(0.8);
  expect(base.background).toBeGreaterThan(0.3);
  for (const { inS, background } of [correct, found]) {
    expect(inS).toBeGreaterThan(0.9);
    expect(background).toBeLessThan(0.02);
  }
  expect(found.inZ).toBeLessThan(0.4);
  expect(found.w2).toBeLessThan(0.4 * correct.w2);
  expect(Math.min(...found.shared)).toBeGreaterThan(0.9);
}, 60_000);

test('where the background alone teaches z, the target’s own factor has no way into it', async () => {
  const w2 = ['lambdaZ=10', 'match=means'];
  const both = await trained(methodNamed('contrastive-w2'), w2);
  const apart = await trained(methodNamed('contrastive-w2'), [...w2, 'sharedFrom=background']);
  expect(both.inZ).toBeGreaterThan(0.02);
  expect(apart.inZ).toBeLessThan(0.01);
  expect(apart.inS).toBeGreaterThan(0.9);
  expect(Math.min(...apart.shared)).toBeGreaterThan(0.9);
}, 60_000);

test.each([
  [8, 4],
  [8, 12],
])('with batches of %i and %i the term is the exact W2² of all their means', async (batch, backgroundBatch) => {
  // Sets of one batch each, and a learning rate that leaves the codes as they are.
  const target = allForTraining(mixedTables(batch).target);
  const background = allForTraining(mixedTables(backgroundBatch).background);
  const { session, history } = await trainBriefly(methodNamed('contrastive-w2'), {
    data: { kind: 'contrast', target, background },
    set: [
      'zLatents=3',
      'sLatents=2',
      `batchSize=${batch}`,
      `backgroundBatch=${backgroundBatch}`,
      'match=means',
      'learningRate=0',
      'validation=0',
    ],
    steps: 1,
  });
  const means = async (data: Dataset) =>
    (await session.assembled.program.run('encode', { x: data.gather(everyItem(data)) }))['z mean'];
  const expected = w2Squared(await means(target), batch, await means(background), backgroundBatch, 3);
  await session.close();
  expect(expected).toBeGreaterThan(1e-3);
  expect(history[0].w2).toBeCloseTo(expected, 5);
});

const everyItem = ({ length }: Dataset) => Uint32Array.from({ length }, (_, i) => i);

function allForTraining(data: Dataset): Dataset {
  return { ...data, split: { train: everyItem(data), test: new Uint32Array(0) } };
}

test('batches whose exact matching would be too large are refused with a way out', async () => {
  const training = trainBriefly(methodNamed('contrastive-w2'), {
    data: mixedTables(200),
    set: ['zLatents=3', 'sLatents=2', 'batchSize=64', 'backgroundBatch=63'],
    steps: 1,
  });
  await expect(training).rejects.toThrow(/64 and 63/);
});
