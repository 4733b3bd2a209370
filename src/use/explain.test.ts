import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handMadeRun } from '../runs/testing/hand-made.ts';
import { prepareRun, trainRun } from '../training/index.ts';
import { explain } from './explain.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-explain-'));
});
afterAll(() => rm(root, { recursive: true }));

test('each dimension of a model is told, those first that carry most, and those that carry nothing are not looked at', async () => {
  const { folder } = await handMadeRun(root);
  const { dimensions, step } = await explain(folder, { factors: false });
  expect([step, dimensions.map(({ block, index }) => `${block}${index}`).slice(0, 4)]).toEqual([
    10,
    ['z1', 'z3', 'z2', 's0'],
  ]);
  const [first] = dimensions;
  // Each number of the code is the brightness of one pixel of its own.
  expect([first.kl, first.changes.length > 0, first.factors]).toEqual([2, true, []]);
  expect(dimensions.find(({ block, index }) => block === 'z' && index === 0)?.name).toBe('does next to nothing');
});

test('columns of a table are told in their units, and known factors by how closely codes go with them', async () => {
  const path = join(root, 'table.csv');
  const rows = Array.from({ length: 240 }, (_, i) => [100 + 40 * Math.sin(i), 5 + 2 * Math.sin(i), (i * 37) % 80]);
  await writeFile(path, `height,weight,other\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  const { run } = await prepareRun({
    method: 'vae',
    data: path,
    set: ['steps=400', 'batchSize=32', 'latents=2', 'learningRate=0.005'],
    root,
  });
  await trainRun(run);
  const { dimensions } = await explain(run, { factors: false });
  const words = dimensions.flatMap(({ changes }) => changes.map((change) => change.words)).join(' ');
  expect(words).toMatch(/height [+−]\d+/);
  expect(words).toMatch(/weight [+−]\d\.\d/);
}, 60_000);
