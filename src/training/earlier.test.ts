/** Runs that were stopped by an earlier version, before the rooms were rebuilt: they go on as if nothing had changed. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeSafetensors, lengthenRun, openRun, type RunFile, readRunFile, thisMachine } from '../runs/index.ts';
import { trainRun } from './loop.ts';

const fixtures = join(import.meta.dirname, 'fixtures', 'earlier');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'untangle-earlier-'));
  await cp(join(fixtures, 'data'), folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

/** A copy of a run whose data lie beside it. */
async function copied(name: string): Promise<string> {
  const copy = join(folder, name);
  await cp(join(fixtures, name), copy, { recursive: true });
  const { data, ...file } = await readRunFile(join(copy, 'run.json'));
  const moved = <Set extends { source: string }>(set: Set): Set => ({ ...set, source: join(folder, set.source) });
  const here: RunFile = {
    ...file,
    data: { ...data, target: moved(data.target), ...(data.background && { background: moved(data.background) }) },
  };
  await writeFile(join(copy, 'run.json'), JSON.stringify(here));
  return copy;
}

async function weightsIn(path: string) {
  return decodeSafetensors(await readFile(path), path).tensors;
}

test.each([
  ['two-piles', 'contrastive-w2 on two tables, one worker'],
  ['few-labels', 'parted-vae in two steps with some labels, one worker'],
  ['squares', 'beta-vae on images, two workers'],
  ['columns', 'dip-vae-ii on a table, two workers'],
])('%s goes on from step 20 to the weights that its own version had at step 40 (%s)', async (name) => {
  const run = await lengthenRun(await openRun(await copied(name)), 40);
  const notes: string[] = [];
  const outcome = await trainRun(run, { onNote: (sentence) => notes.push(sentence) });
  expect(outcome).toMatchObject({ state: 'done', step: 40 });
  expect(notes).toEqual([]);
  const weights = await weightsIn(join(run.folder, 'checkpoint', 'latest', 'weights.safetensors'));
  const then = await weightsIn(join(fixtures, name, 'after-40-steps.safetensors'));
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
