/** Models of an earlier version, before the rooms were rebuilt: they give the codes and the measures that they gave then. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, readEvaluation } from '../runs/index.ts';
import { copyEarlier, earlierRuns } from '../training/testing/earlier.ts';
import { encodeItems } from './encode-items.ts';
import { evaluate } from './evaluate.ts';
import { dataForModel } from './model-data.ts';
import { type BlockCodes, TrainedModel } from './trained-model.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-earlier-'));
});
afterAll(() => rm(folder, { recursive: true }));

const names = ['two-piles', 'few-labels', 'squares', 'columns'];

/** The rows of a file of codes as it was written then. */
async function kept(name: string, file: string): Promise<number[]> {
  const text = await readFile(join(earlierRuns, name, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => line.split(',').map(Number));
}

/** Blocks side by side, a row for each item. */
function sideBySide(codes: readonly BlockCodes[], n: number): number[] {
  return Array.from({ length: n }, (_, i) =>
    codes.flatMap(({ block: { size }, values }) => [...values.subarray(i * size, (i + 1) * size)]),
  ).flat();
}

function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return Array.from(a, (value, i) => Math.abs(value - b[i])).reduce((most, one) => Math.max(most, one), 0);
}

async function opened(name: string) {
  const run = await openRun(await copyEarlier(name, folder));
  const model = await TrainedModel.open(run.folder);
  const data = await dataForModel(run, model.file, { choice: {}, part: 'all', onNote: () => {} });
  return { run, model, data };
}

test.each(names)('%s encodes its items to the codes that were written then', async (name) => {
  const { model, data } = await opened(name);
  const codes = await encodeItems(model, data.target.data, data.target.items);
  expect(farthest(sideBySide(codes, data.target.items.length), await kept(name, 'codes.csv'))).toBeLessThan(1e-6);
  if (data.background) {
    const { data: set, items } = data.background;
    const background = sideBySide(await encodeItems(model, set, items), items.length);
    expect(farthest(background, await kept(name, 'codes.background.csv'))).toBeLessThan(1e-6);
  }
  await model.close();
});

test.each(names)('%s measures what it measured then', async (name) => {
  const { run, model } = await opened(name);
  await model.close();
  const then = (await readEvaluation(run.folder))?.results ?? [];
  const measures = ['kl', 'elbo', 'reconstruction', 'class-accuracy', 'wasserstein'];
  // W2² was that of posterior means then.
  const options = { wasserstein: { of: 'means' } };
  const { scores } = await evaluate(run, { part: 'all', names: measures, options });
  expect(scores.results.length).toBeGreaterThan(2);
  for (const { name: metric, score } of scores.results)
    expect(score, metric).toBeCloseTo(then.find((one) => one.name === metric)?.score ?? Number.NaN, 5);
});

test('an export opens as the model that it was made of: the same codes, and the same rows from them', async () => {
  const { model, data } = await opened('two-piles');
  await cp(join(earlierRuns, 'export'), join(folder, 'exported', 'model'), { recursive: true });
  const exported = await TrainedModel.open(join(folder, 'exported'));
  expect(exported.file.blocks).toEqual(model.file.blocks);
  const { data: set, items } = data.target;
  const codes = await encodeItems(exported, set, items);
  expect(farthest(sideBySide(codes, items.length), await kept('two-piles', 'codes.csv'))).toBeLessThan(1e-6);
  const given = Object.fromEntries(codes.map(({ block, values }) => [block.name, values]));
  const rows = await exported.decode(given);
  expect(rows.length).toBe(80 * 4);
  expect(farthest(rows, await model.decode(given))).toBe(0);
  await Promise.all([model.close(), exported.close()]);
});
