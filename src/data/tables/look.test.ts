import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseData } from '../choose.ts';
import { lookAtTable } from './look.ts';

test('a look at a table says of each column what it holds, what is missing and what a model gets of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'untangle-look-'));
  const path = join(folder, 'people.csv');
  const rows = ['p1,20,f,ill,1', 'p2,30,m,well,1', 'p3,,f,well,1', 'p4,50,f,ill,1', 'p5,60,,well,1', 'p6,70,m,ill,1'];
  await writeFile(path, `name,age,sex,state,site\n${rows.join('\n')}\n`);
  const { opened } = await chooseData(path, { label: 'state', where: 'state = ill or state = well' });
  if (opened.kind !== 'single') throw new Error('One table is one set.');
  const look = lookAtTable(opened.data);
  await rm(folder, { recursive: true });

  expect(look.map(({ name, kind, missing, use }) => [name, kind, missing, use])).toEqual([
    ['name', 'text', 0, 'left out: it is an id, different in every row'],
    ['age', 'number', 1, 'standardised'],
    ['sex', 'text', 1, '2 columns, one of them 1'],
    ['state', 'text', 0, 'the class, which the model does not see'],
    ['site', 'number', 0, 'left out: it has the same value in every row'],
  ]);
  expect(look[1].range).toEqual({ min: 20, median: 50, mean: 46, max: 70 });
  expect(look[1].bins).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  expect(look[2].categories).toEqual([
    { name: 'f', count: 3 },
    { name: 'm', count: 2 },
  ]);
});
