/** Runs that were stopped by an earlier version, before the rooms were rebuilt: they go on as if nothing had changed. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeSafetensors, lengthenRun, openRun, thisMachine } from '../runs/index.ts';
import { trainRun } from './loop.ts';
import { copyEarlier, earlierRuns } from './testing/earlier.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-earlier-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function weightsIn(path: string) {
  return decodeSafetensors(await readFile(path), path).tensors;
}

test.each([
  ['two-piles', 'contrastive-w2 on two tables, one worker'],
  ['few-labels', 'parted-vae in two steps with some labels, one worker'],
  ['squares', 'beta-vae on images, two workers'],
  ['columns', 'dip-vae-ii on a table, two workers'],
])('%s goes on from step 20 to the weights that its own version had at step 40 (%s)', async (name) => {
  const run = await lengthenRun(await openRun(await copyEarlier(name, folder)), 40);
  const notes: string[] = [];
  const outcome = await trainRun(run, { onNote: (sentence) => notes.push(sentence) });
  expect(outcome).toMatchObject({ state: 'done', step: 40 });
  expect(notes).toEqual([]);
  const weights = await weightsIn(join(run.folder, 'checkpoint', 'latest', 'weights.safetensors'));
  const then = await weightsIn(join(earlierRuns, name, 'after-40-steps.safetensors'));
  expect([...weights.keys()]).toEqual([...then.keys()]);
  const isSameMachine = run.file.machine.cpu === thisMachine().cpu;
  for (const [parameter, { shape, data }] of then) {
    const now = weights.get(parameter);
    expect(now?.shape).toEqual(shape);
    if (isSameMachine) expect(now?.data, parameter).toEqual(data);
    else expect(relativeDifference(now?.data ?? [], data), parameter).toBeLessThan(1e-5);
  }
});

/** ‖a − b‖ / ‖b‖ */
function relativeDifference(a: ArrayLike<number | bigint>, b: ArrayLike<number | bigint>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let [apart, whole] = [0, 0];
  for (let i = 0; i < b.length; i++) {
    apart += (Number(a[i]) - Number(b[i])) ** 2;
    whole += Number(b[i]) ** 2;
  }
  return Math.sqrt(apart / whole);
}
