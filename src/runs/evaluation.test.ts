import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Scores } from '../metrics/score-all.ts';
import { readEvaluation, writeEvaluation } from './evaluation.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'untangle-evaluation-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const scores: Scores = {
  protocol: 'disentanglement-lib',
  results: [
    {
      name: 'mig',
      title: 'MIG',
      version: '1',
      describe: 'the gap between the two most informative dimensions',
      better: 'higher',
      options: { bins: 20 },
      seed: 3,
      score: 0.25,
      parts: { matrix: [[0.5, Number.NaN]], factors: ['scale'] },
      notes: [],
    },
  ],
  leftOut: [{ name: 'sap', why: 'needs known factors' }],
};

test('an evaluation comes back with every metric, its options and version', async () => {
  expect(await readEvaluation(folder)).toBeUndefined();
  await writeEvaluation(folder, { step: 100, part: 'test', items: 500, scores });
  expect(await readEvaluation(folder)).toMatchObject({ format: 1, step: 100, part: 'test', items: 500, ...scores });
  expect(readFileSync(join(folder, 'evaluation.json'), 'utf8')).toContain('"NaN"');
});

test('a number that was changed by hand is not shown as a measure', async () => {
  await writeEvaluation(folder, { step: 100, part: 'test', items: 500, scores });
  const path = join(folder, 'evaluation.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"score": 0.25', '"score": 0.92'));
  await expect(readEvaluation(folder)).rejects.toThrow('is not what was written');
  await writeEvaluation(folder, { step: 100, part: 'test', items: 500, scores });
  expect((await readEvaluation(folder))?.results[0].score).toBe(0.25);
});

test('a damaged evaluation of an earlier version is refused with its place', async () => {
  const path = join(folder, 'evaluation.json');
  await writeEvaluation(folder, { step: 100, part: 'test', items: 500, scores }, path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"score": 0.25', '"score": "good"'));
  await expect(readEvaluation(folder)).rejects.toThrow(
    'does not fit: “results.0.score”: Invalid input: expected a number',
  );
});
