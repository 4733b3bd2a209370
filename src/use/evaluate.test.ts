import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareRun, trainRun } from '../training/index.ts';
import { evaluate } from './evaluate.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-evaluate-'));
});
afterAll(() => rm(root, { recursive: true }));

async function trained(method: string, data = 'shapes') {
  const set = ['steps=4', 'batchSize=16', 'network=mlp'];
  const { run } = await prepareRun({ method, data, set, root });
  await trainRun(run);
  return run;
}

test('a metric that is asked for by name and finds no class block, or no labels, says so', async () => {
  const { scores } = await evaluate(await trained('vae'), { names: ['class-accuracy'] });
  expect(scores.results).toEqual([]);
  expect(scores.leftOut).toEqual([{ name: 'class-accuracy', why: 'needs the probabilities of a class block' }]);

  const path = join(root, 'table.csv');
  const rows = Array.from({ length: 80 }, (_, i) => `${(i * 37) % 80},${i % 7},${Math.sin(i)}`);
  await writeFile(path, `a,b,c\n${rows.join('\n')}\n`);
  const joint = await evaluate(await trained('joint-vae', path), { names: ['class-accuracy'] });
  expect(joint.scores.leftOut).toEqual([{ name: 'class-accuracy', why: 'needs labels' }]);
});

test('the class block is measured as a classifier, and the likelihood is the one that was trained with', async () => {
  const run = await trained('joint-vae');
  const { scores } = await evaluate(run, { names: ['class-accuracy', 'elbo'], items: 300 });
  expect(scores.leftOut).toEqual([]);
  const [accuracy, elbo] = scores.results;
  expect(accuracy.parts.block).toBe('c');
  expect(accuracy.parts.chance).toBeCloseTo(1 / 3, 1);
  expect(elbo.options).toEqual({ likelihood: 'bernoulli', scale: 1 });
});

test('the clustering of the salient block comes with that of the shared one, where low is wanted', async () => {
  const run = await trained('contrastive-correct', 'shapes-contrast');
  const { scores } = await evaluate(run, {
    names: ['clustering'],
    items: 60,
    options: { clustering: { embed: 'none' } },
  });
  expect(scores.results.map(({ name, title, better, parts }) => [name, title, better, parts.block])).toEqual([
    ['clustering', 'Clustering accuracy', 'higher', 's'],
    ['clustering of z', 'Clustering accuracy of z', 'lower', 'z'],
  ]);
});
