import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareRun, type TrainRequest, trainRun } from '../training/index.ts';
import { type AugmentationRow, augmentationTest } from './augmentation.ts';

let root: string;
let runs: { nVae: string; conditional: string; plain: string; larger: string };
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-augmentation-'));
  const train = async (method: string, steps: number, request: Partial<TrainRequest> = {}) => {
    const set = ['network=mlp', 'batchSize=32', 'latents=2', `steps=${steps}`];
    const { run } = await prepareRun({ method, data: 'shapes', set, workers: 1, root, ...request });
    await trainRun(run);
    return run.folder;
  };
  runs = {
    nVae: await train('n-vae', 400),
    conditional: await train('conditional-vae', 1),
    plain: await train('vae', 1),
    larger: await train('cgan', 1, { choice: { size: 12 } }),
  };
}, 60_000);
afterAll(() => rm(root, { recursive: true }));

const small = { trainImages: 120, testImages: 300, perClass: 40 };

test('errors are told for every model, probability and spread, with those without generated images first', async () => {
  const rows = await augmentationTest(
    [
      { name: 'N-VAE', runs: [runs.nVae] },
      { name: 'conditional VAE', runs: [runs.conditional] },
    ],
    { ...small, sigmas: [1, 2], replace: [0, 1] },
  );
  expect(rows).toHaveLength(1 + 2 * 2 * 2);
  const [baseline, ...points] = rows;
  expect(baseline).toMatchObject({ name: 'baseline', replace: 0 });
  expect(points.map(({ name, replace, sigma }) => `${name} ${replace} ${sigma}`).slice(0, 5)).toEqual([
    'N-VAE 0 1',
    'N-VAE 0 2',
    'N-VAE 1 1',
    'N-VAE 1 2',
    'conditional VAE 0 1',
  ]);
  for (const { errors, mean, deviation } of rows) {
    expect(errors).toHaveLength(3);
    expect(mean).toBeCloseTo((errors[0] + errors[1] + errors[2]) / 3, 12);
    const squares = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0);
    expect(deviation).toBeCloseTo(Math.sqrt(squares / 2), 12);
  }
  for (const { errors } of points.filter(({ replace }) => replace === 0)) expect(errors).toEqual(baseline.errors);
  // A decoder of one step draws the same for every class, from which nothing can be learned: two of three are wrong.
  const at = (name: string) =>
    points.find((row): row is AugmentationRow => row.name === name && row.replace === 1 && row.sigma === 1)!.mean;
  expect(at('conditional VAE')).toBeGreaterThan(0.5);
  expect(at('N-VAE')).toBeLessThan(at('conditional VAE'));
  expect(baseline.mean).toBeLessThan(at('N-VAE'));
}, 60_000);

test('the same seeds give the same errors, and each repeat takes the next run of a model', async () => {
  const options = { ...small, sigmas: [1], replace: [1], seeds: [5, 6] };
  const errorsOf = async (first: string, ...others: string[]) =>
    (await augmentationTest([{ name: 'one', runs: [first, ...others] }], options))[1].errors;
  const trained = await errorsOf(runs.nVae);
  const both = await errorsOf(runs.conditional, runs.nVae);
  expect(both[1]).toBe(trained[1]);
  expect(both[0]).not.toBe(trained[0]);
}, 60_000);

test('runs that do not fit together are refused', async () => {
  const test = (...folders: string[]) =>
    augmentationTest(
      folders.map((folder, i) => ({ name: `${i}`, runs: [folder] })),
      { ...small, seeds: [1], sigmas: [1] },
    );
  await expect(test(runs.nVae, runs.larger)).rejects.toThrow('was trained on other data than');
  await expect(test(runs.nVae, runs.plain)).rejects.toThrow('draws no items of the classes disc, square, triangle');
  await expect(test(runs.plain)).rejects.toThrow('needs images with labels');
  await expect(test()).rejects.toThrow('at least one model');
});
