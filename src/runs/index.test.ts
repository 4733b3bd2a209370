import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../disk.ts';
import { readCheckpoint, recoverCheckpoints, writeCheckpoint } from './checkpoint.ts';
import { readEvaluation } from './evaluation.ts';
import { openLog, readLog } from './log.ts';
import { createRun, openRun } from './run.ts';
import { encodeSafetensors } from './safetensors.ts';
import { readStatus } from './status.ts';

const text = readFileSync(resolve(import.meta.dirname, '../../docs/run-folder.md'), 'utf8');

/** The JSON examples under a heading of docs/run-folder.md. */
function examples(heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`\`${heading}\``));
  return [...section!.matchAll(/^```jsonl?\n(.*?)^```$/gms)].map(([, example]) => example);
}

test('the examples in docs/run-folder.md are what this code reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'untangle-docs-'));
  for (const name of ['run.json', 'status.json', 'log.jsonl', 'evaluation.json'])
    writeFileSync(join(folder, name), examples(name)[0]);
  expect((await openRun(folder)).file.training.learningRate).toBe('cosine(0.001,0.00001,20000)');
  expect((await readStatus(folder))?.step).toBe(3100);
  const lines = [];
  for await (const line of readLog(join(folder, 'log.jsonl'))) lines.push(line);
  expect(lines.map((line) => line.terms.KL)).toEqual([57.5, Number.POSITIVE_INFINITY]);
  expect((await readEvaluation(folder))?.results[0].score).toBe(0.31);

  const [state, checksums] = examples('checkpoint/');
  const latest = join(folder, 'checkpoint', 'latest');
  mkdirSync(latest, { recursive: true });
  const files = { 'weights.safetensors': encodeSafetensors([]), 'optimiser.safetensors': encodeSafetensors([]) };
  const sums = JSON.parse(checksums);
  for (const [name, bytes] of Object.entries({ ...files, 'state.json': Buffer.from(state) })) {
    writeFileSync(join(latest, name), bytes);
    sums.files[name] = { bytes: bytes.length, sha256: await sha256(bytes) };
  }
  writeFileSync(join(latest, 'checksums.json'), JSON.stringify(sums));
  expect((await readCheckpoint(folder))?.state.schedules).toEqual({ plateau: { best: Infinity, waited: 0 } });
  rmSync(folder, { recursive: true });
});

test('a run that is stopped and resumed ends with the files of one that was never stopped', async () => {
  const root = mkdtempSync(join(tmpdir(), 'untangle-resume-'));
  const target = { source: 'shapes', fingerprint: 'f00d' };
  const optimiser = { optimiser: 'sgd', learningRate: 0.1 };
  const training = { seed: 1, steps: 40, batchSize: 8, ...optimiser, workers: 1, threads: 1 };
  const settings = { command: '', method: 'vae', options: {}, data: { target }, training };

  /** A toy training: x ← x − 0.1 x + step, logged at every step, with a checkpoint at every seventh. */
  async function train(folder: string, dies: number) {
    const found = await recoverCheckpoints(folder);
    const data = Float32Array.of(Number(found?.weights.get('x')?.data[0] ?? 1));
    const log = openLog(join(folder, 'log.jsonl'), found?.state.step ?? -1);
    for (let step = (found?.state.step ?? 0) + 1; step <= Math.min(dies, 40); step++) {
      data[0] += step - 0.1 * data[0];
      log.append({ step, epoch: 0, seconds: 0, terms: { x: data[0] } });
      if (step % 7 !== 0) continue;
      log.sync();
      const state = { step, epoch: 0, seconds: 0, schedules: {}, counts: {} };
      await writeCheckpoint(folder, { state, weights: new Map([['x', { shape: [1], data }]]), optimiser: new Map() });
    }
    log.close();
    return data[0];
  }

  const undisturbed = await createRun(root, settings);
  const disturbed = await createRun(root, settings);
  const expected = await train(undisturbed.folder, 40);
  for (const dies of [3, 12, 14, 27]) await train(disturbed.folder, dies);
  expect(await train(disturbed.folder, 40)).toBe(expected);
  for (const file of ['log.jsonl', 'checkpoint/latest/weights.safetensors', 'checkpoint/previous/checksums.json'])
    expect(readFileSync(join(disturbed.folder, file)).equals(readFileSync(join(undisturbed.folder, file)))).toBe(true);
  expect(existsSync(join(disturbed.folder, 'checkpoint', 'damaged'))).toBe(false);
  rmSync(root, { recursive: true });
});
