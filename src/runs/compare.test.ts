import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Comparison, compareRuns } from './compare.ts';
import { writeEvaluation } from './evaluation.ts';
import { openLog } from './log.ts';
import { createRun, type RunSettings } from './run.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'untangle-compare-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const settings = (beta: number | string, seed: number): RunSettings => ({
  command: `untangle train beta-vae --seed ${seed}`,
  method: 'beta-vae',
  options: { beta, latent: 10, channels: [32, 64] },
  data: { target: { source: 'shapes', fingerprint: 'f00d' } },
  training: {
    seed,
    steps: 100,
    batchSize: 64,
    optimiser: 'adam',
    learningRate: 1e-3,
    workers: 1,
    threads: 1,
  },
});

type Measured = [
  name: string,
  score: number,
  better: 'higher' | 'lower' | 'neither',
  options?: Record<string, unknown>,
];

async function makeRun(
  name: string,
  beta: number | string,
  seed: number,
  terms: Record<string, number>,
  ...measured: Measured[]
) {
  const { folder } = await createRun(root, settings(beta, seed), name);
  const log = openLog(join(folder, 'log.jsonl'));
  log.append({ step: 50, epoch: 1, seconds: 4, terms: {} });
  log.append({ step: 100, epoch: 2, seconds: 8, terms });
  log.close();
  const results = measured.map(([metric, score, better, options = {}]) => ({
    name: metric,
    title: metric,
    version: '1',
    describe: '',
    better,
    options,
    seed: 0,
    score,
    parts: {},
    notes: [],
  }));
  if (results.length > 0)
    await writeEvaluation(folder, { step: 100, part: 'test', items: 10, scores: { results, leftOut: [] } });
  return folder;
}

const rowsOf = ({ sections }: Comparison, kind: string) =>
  Object.fromEntries(sections.find((section) => section.kind === kind)!.rows.map((row) => [row.name, row.cells]));

test('runs stand side by side with the settings that differ, the last terms and the metrics', async () => {
  const comparison = await compareRuns([
    await makeRun('a', 4, 1, { loss: 90, KL: 7 }, ['mig', 0.2, 'higher'], ['error', 3, 'lower'], ['kl', 9, 'neither']),
    await makeRun(
      'b',
      'linear(0,4,50)',
      2,
      { loss: 80, TC: Number.NaN },
      ['mig', 0.3, 'higher'],
      ['error', 3, 'lower'],
    ),
  ]);
  expect(comparison.columns.map(({ name, state }) => [name, state])).toEqual([
    ['a', 'stopped'],
    ['b', 'stopped'],
  ]);
  expect(rowsOf(comparison, 'settings')).toEqual({ 'options.beta': [4, 'linear(0,4,50)'], 'training.seed': [1, 2] });
  expect(rowsOf(comparison, 'terms')).toEqual({
    step: [100, 100],
    epoch: [2, 2],
    seconds: [8, 8],
    loss: [90, 80],
    KL: [7, null],
    TC: [null, Number.NaN],
  });
  expect(rowsOf(comparison, 'metrics')).toEqual({ mig: [0.2, 0.3], error: [3, 3], kl: [9, null] });
  expect(comparison.sections[2].rows.map((row) => row.best)).toEqual([[1], [0, 1], []]);
  expect(comparison.notes).toEqual([]);
});

test('numbers that were measured in different ways stand in different rows', async () => {
  const comparison = await compareRuns([
    await makeRun('a', 4, 1, {}, ['mig', 0.2, 'higher', { bins: 20 }]),
    await makeRun('b', 4, 1, {}, ['mig', 0.3, 'higher', { bins: 10 }]),
  ]);
  expect(rowsOf(comparison, 'metrics')).toEqual({
    'mig (version 1, {"bins":20})': [0.2, null],
    'mig (version 1, {"bins":10})': [null, 0.3],
  });
  expect(comparison.sections[2].rows.flatMap((row) => row.best)).toEqual([]);
});

test('a run that can’t be read keeps an empty column, with a note', async () => {
  const a = await makeRun('a', 4, 1, { loss: 1 });
  const b = await makeRun('b', 4, 2, { loss: 2 });
  writeFileSync(join(b, 'evaluation.json'), '{');
  mkdirSync(join(root, 'c'));
  writeFileSync(join(root, 'c', 'run.json'), '');
  const comparison = await compareRuns([a, b, join(root, 'c')]);
  expect(comparison.columns.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'damaged']);
  expect(rowsOf(comparison, 'settings')).toEqual({ 'training.seed': [1, 2, null] });
  expect(rowsOf(comparison, 'terms').loss).toEqual([1, 2, null]);
  expect(comparison.notes.sort()).toEqual([
    `The metrics of b are left out. “${join(b, 'evaluation.json')}” is not a JSON file.`,
    `c is left empty. “${join(root, 'c', 'run.json')}” is not a JSON file.`,
  ]);
});
