import { expect, test } from 'vitest';
import { build, initialValues } from '../../nn/index.ts';
import { parseOptions } from '../../options/index.ts';
import { grad, scalar, type Tensor } from '../../tensor/index.ts';
import { evaluate } from '../../tensor/testing/evaluate.ts';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import type { Context } from '../method.ts';
import { distance, drawnOfClasses, heaps, middleShapes, unseenAccuracy } from '../testing/classes.ts';
import { nVae } from './n-vae.ts';

const context: Context = {
  item: { kind: 'table', columns: ['a', 'b', 'c', 'd', 'e'] },
  range: 'real',
  items: 10,
  variables: [{ name: 'class', classes: ['a', 'b', 'c'] }],
  labelled: 10,
};

test('an item moves the factors of its own class alone, in encoder and decoder', async () => {
  const { betaC: _, ...options } = parseOptions(nVae.options, { classLatents: 2, latents: 3 });
  const b = build({ size: 2, workers: 1 });
  const [{ terms }] = nVae.build(context, { ...options, betaC: scalar(2) }).steps(b);
  const names = ['z_c.mean.weight', 'z_c.log variance.weight', 'decoder.linear1.weight'];
  const tensors: Tensor[] = names.map((name) => b.declared.get(name)!.tensor);
  const feeds: Record<string, Float32Array | BigInt64Array> = {
    x: Float32Array.from({ length: 10 }, (_, i) => Math.sin(i)),
    y: BigInt64Array.of(1n, 1n),
    'noise of z_c': Float32Array.from({ length: 12 }, (_, i) => Math.cos(i)),
    'noise of z_s': Float32Array.from({ length: 6 }, (_, i) => Math.cos(2 * i)),
  };
  for (const { name, initial } of initialValues(b.declared, 1)) feeds[name] = initial;
  const [mean, logVariance, decoder] = await evaluate(grad(terms.reconstruction, tensors), feeds);
  // Heads have two rows of weights for each class; the decoder's columns are y (3), z_c (3 × 2) and z_s (3).
  for (const head of [mean, logVariance]) {
    const width = head.length / 6;
    for (let row = 0; row < 6; row++) {
      const moved = head.subarray(row * width, (row + 1) * width).some((value) => value !== 0);
      expect(moved, `row ${row}`).toBe(Math.floor(row / 2) === 1);
    }
  }
  const own = new Set([1, 5, 6, 9, 10, 11]);
  for (let column = 0; column < 12; column++) {
    const moved = decoder.some((value, at) => at % 12 === column && value !== 0);
    expect(moved, `column ${column}`).toBe(own.has(column));
  }
});

test('it names shapes, and its decoder draws another picture for another class', async () => {
  const { session, data, history } = await trainBriefly(nVae, {
    data: await middleShapes(),
    set: ['batchSize=32', 'learningRate=1e-3'],
    steps: 200,
    labels: { labels: 120 },
  });
  expect(meanOf(history, 'loss', 180)).toBeLessThan(0.5 * meanOf(history, 'loss', 0, 10));
  const [accuracy] = await unseenAccuracy(session, data);
  expect(accuracy).toBeGreaterThan(0.6);
  const [disc, square, triangle] = await drawnOfClasses(session, 1);
  for (const pair of [distance(disc, square), distance(square, triangle), distance(disc, triangle)])
    expect(pair).toBeGreaterThan(0.2);
  const { program } = session.assembled;
  const zeros = (size: number) => new Float32Array(size);
  const codes = { y: Float32Array.of(1, 0, 0), z_s: zeros(4), 'z_c disc': zeros(1) };
  const decode = async (square: Float32Array) =>
    (await program.run('decode', { ...codes, 'z_c square': square, 'z_c triangle': zeros(1) })).x;
  expect(await decode(Float32Array.of(3))).toEqual(await decode(zeros(1)));
  await session.close();
}, 60_000);

test('the exact Dirichlet divergence teaches the classes too, and the decoder can do without the one-hot bias', async () => {
  const { session, history } = await trainBriefly(nVae, {
    data: heaps(),
    set: ['learningRate=1e-3', 'classTerm=dirichlet', 'oneHotBias=false'],
    steps: 120,
  });
  expect(meanOf(history, 'classification', 100)).toBeLessThan(0.2 * meanOf(history, 'classification', 0, 10));
  expect(meanOf(history, 'accuracy', 100)).toBeGreaterThan(0.95);
  await session.close();
}, 60_000);

test('several labels are refused with what would be right', async () => {
  const run = trainBriefly(nVae, { steps: 1, labels: { labelFactors: ['shape', 'scale'] } });
  await expect(run).rejects.toThrow('N-VAE takes one label for each item; there are 2: shape, scale.');
});
