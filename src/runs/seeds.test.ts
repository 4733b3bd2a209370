import { expect, test } from 'vitest';
import type { RunFile } from './run.ts';
import { seedGroups, spreadOf } from './seeds.ts';

/** A run's file with a seed and an option. */
const file = (seed: number, beta = 4, workers = 1) =>
  ({
    method: 'beta-vae',
    options: { beta },
    data: { target: { source: 'shapes', options: {}, fingerprint: 'f' } },
    training: { seed, steps: 10, batchSize: 8, optimiser: 'adam', learningRate: 1e-3, workers, threads: 1 },
  }) as unknown as RunFile;

test('runs that differ in the seed alone are a group, whoever shared their batches out', () => {
  expect(seedGroups([file(1), file(1, 8), file(2, 4, 2), undefined, file(2, 8), file(3, 16)])).toEqual([
    [0, 2],
    [1, 4],
  ]);
});

test('a run and its copy are no seeds', () => {
  expect(seedGroups([file(1), file(1)])).toEqual([]);
});

test('a spread is mean and deviation over seeds, of finite numbers alone', () => {
  expect(spreadOf([1, 2, 3, 6])).toEqual({ mean: 3, deviation: Math.sqrt(14 / 3), seeds: 4 });
  expect(spreadOf([1, Number.NaN])).toBeUndefined();
  expect(spreadOf([1, undefined])).toBeUndefined();
  expect(spreadOf([1])).toBeUndefined();
});
