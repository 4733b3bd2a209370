import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covariateRows, usualRows } from '../model/index.ts';
import { chooseData } from './choose.ts';
import { subset } from './split.ts';

let path: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'untangle-given-'));
  path = join(folder, 'people.csv');
  const rows = Array.from({ length: 40 }, (_, i) => {
    const pile = i % 4 === 0 ? 'ill' : 'well';
    return [i * 1.5, (i * 7) % 11, i === 3 ? '' : 30 + (i % 8), `site ${i % 3}`, pile, 1, '', pile].join(',');
  });
  await writeFile(path, ['a,b,age,site,pile,same,nothing,plate', ...rows].join('\n'));
});
afterAll(() => rm(join(path, '..'), { recursive: true }));

const piles = { where: 'pile = ill', backgroundWhere: 'pile = well' };

test('covariates are standardised over both piles, and are no columns of the model', async () => {
  const { opened, warnings } = await chooseData(path, { ...piles, given: ['age', 'site'], exclude: ['plate'] });
  expect(warnings).toEqual([]);
  if (opened.kind === 'single') throw new Error('two piles');
  const { target, background } = opened;
  expect(target.shape).toEqual({ kind: 'table', columns: ['a', 'b'] });
  const given = background.given;
  if (given === undefined) throw new Error('nothing was given');
  const rows = (data: typeof target) => covariateRows(data.given?.values ?? given.values, given.covariates, [0, 1, 2]);
  // Ages are 30 … 37, with item 3's missing: taken for the mean.
  const ages = Array.from({ length: 40 }, (_, i) => 30 + (i % 8)).filter((_, i) => i !== 3);
  const mean = ages.reduce((sum, age) => sum + age, 0) / 39;
  const deviation = Math.sqrt(ages.reduce((sum, age) => sum + (age - mean) ** 2, 0) / 39);
  const first = rows(target);
  expect(first[0]).toBeCloseTo((30 - mean) / deviation, 6);
  expect([...first.subarray(1, 4)]).toEqual([1, 0, 0]);
  // The background's third item is item 3 of the table.
  expect(rows(background)[8]).toBe(0);
  expect([...usualRows(given.covariates, 1)].map((value) => Number(value.toFixed(3)))).toEqual([0, 0.35, 0.325, 0.325]);
  const third = subset(background, [2, 0]).given;
  expect(third && [...third.values.subarray(0, 4)]).toEqual([0, 1, 0, 0]);
});

test('a covariate that says nothing is left out, and one that equals the pile is warned of', async () => {
  const { opened, warnings } = await chooseData(path, { ...piles, given: ['same', 'nothing', 'plate'] });
  expect(warnings).toEqual([
    'same is the same in every item, so it explains nothing and is not given.',
    'nothing is missing in every item, so there is nothing to be given.',
    'No value of plate is in both piles, so what the target adds can’t be told from what goes with plate: given plate, a model has nothing left to find.',
  ]);
  if (opened.kind === 'single') throw new Error('two piles');
  expect(opened.target.given?.covariates.map(({ name }) => name)).toEqual(['plate']);
  await expect(chooseData(path, { ...piles, given: ['sit'] })).rejects.toThrow(/“sit”/);
});
