import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '../data/index.ts';
import { stream } from '../random/index.ts';
import { constant, type Tensor } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import { meanOf, trainBriefly } from '../training/testing/briefly.ts';
import { type Counts, countLoss, expectedItems, logarithmic } from './counts.ts';
import { methodNamed } from './registry.ts';

let path: string;
beforeAll(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'untangle-counts-')), 'visits.csv');
  const draws = stream(2, 'visits');
  const rows = Array.from({ length: 300 }, () => {
    const busy = draws.normal();
    const count = (base: number) => Math.round(Math.exp(base + 0.5 * busy + 0.1 * draws.normal()));
    return [count(1), count(3), count(0), (50 + 10 * draws.normal()).toFixed(2), busy > 0 ? 'town' : 'village'].join(
      ',',
    );
  });
  await writeFile(path, ['visits,calls,falls,age,place', ...rows].join('\n'));
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

const counts: Counts = { is: [true, true], mean: [2, 6], deviation: [2, 4] };
const row = (...values: number[]) => constant(values, [1, values.length]);
const valuesOf = async (tensor: Tensor) => [...(await evaluate([tensor]))[0]].map((value) => Number(value.toFixed(4)));

test('where all columns are counts the decoder gives shares of a row’s total, of the usual one for items', async () => {
  // Standardised 1 and 0 are counts of 4 and 6; with no word of the decoder shares are 2 and 6 of 8.
  const loss = await valuesOf(countLoss(row(0, 0), row(1, 0), counts, 'poisson'));
  const wanted = [2.5 - 4 * Math.log(2.5), 7.5 - 6 * Math.log(7.5)];
  expect(loss).toEqual(wanted.map((value) => Number(value.toFixed(4))));
  expect(await valuesOf(expectedItems(row(0, 0), counts, 'poisson'))).toEqual([0, 0]);
  // A share of e · 2 : 6 of the usual 8.
  const share = (Math.E * 2) / (Math.E * 2 + 6);
  expect((await valuesOf(expectedItems(row(1, 0), counts, 'poisson')))[0]).toBeCloseTo((8 * share - 2) / 2, 3);
  // Twice as many of both is the same kind of row to the encoder.
  expect(await valuesOf(logarithmic(row(0, 0), counts))).toEqual(await valuesOf(logarithmic(row(1, 1.5), counts)));
});

test('a number beside counts keeps its own likelihood and passes through', async () => {
  const mixed: Counts = { is: [true, false], mean: [2, 0], deviation: [2, 1] };
  expect((await valuesOf(countLoss(row(0, 3), row(1, -1), mixed, 'poisson')))[1]).toBeCloseTo(0, 6);
  expect(await valuesOf(expectedItems(row(0, 3), mixed, 'poisson'))).toEqual([0, 3]);
  expect((await valuesOf(logarithmic(row(1, -1), mixed)))[1]).toBe(-1);
});

test.each(['poisson', 'negative-binomial', 'zero-inflated'])(
  'a table with counts is learned with %s',
  async (likelihood) => {
    const data = await openTable(path, { counts: ['visits', 'calls', 'falls'] });
    const { session, history } = await trainBriefly(methodNamed('vae'), {
      data: { kind: 'single', data },
      set: [`likelihood=${likelihood}`, 'batchSize=32', 'learningRate=0.003', 'latents=2'],
      steps: 300,
    });
    await session.close();
    expect(meanOf(history, 'reconstruction', 200)).toBeLessThan(meanOf(history, 'reconstruction', 0, 20));
  },
);

test('what is no count is refused as one, and a likelihood of counts without any', async () => {
  await expect(openTable(path, { counts: ['age'] })).rejects.toThrow('The column age is said to hold counts');
  const data = await openTable(path);
  await expect(
    trainBriefly(methodNamed('vae'), { data: { kind: 'single', data }, set: ['likelihood=poisson'], steps: 1 }),
  ).rejects.toThrow('no column is said to hold any');
});
