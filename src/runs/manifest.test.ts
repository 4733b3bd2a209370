import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from './log.ts';
import { checkFiles, listAs, refuseChanged, writeListed } from './manifest.ts';
import { readModelFile, readModelFiles, writeModel } from './model.ts';
import { createRun, inspectRun, lengthenRun, openRun, type Run, type RunSettings, readRunFile } from './run.ts';
import { handMadeRun } from './testing/hand-made.ts';
import { verifyRun } from './verify.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'untangle-manifest-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A run with everything that a manifest lists. */
async function wholeRun(): Promise<Run> {
  const run = await handMadeRun(root);
  const log = openLog(join(run.folder, 'log.jsonl'));
  for (const step of [1, 2]) log.append({ step, epoch: 0, seconds: 0, terms: { loss: step } });
  await listAs(run.folder, 'log.jsonl', log.listed());
  log.close();
  await writeListed(run.folder, 'evaluation.json', '{"format":1}\n');
  return run;
}

const names = [
  'run.json',
  'log.jsonl',
  'model/model.json',
  'model/encoder.onnx',
  'model/decoder.onnx',
  'evaluation.json',
];

/** One bit of a file is another, with its size and its time as they were. */
function flip(path: string, bit: number) {
  const bytes = readFileSync(path);
  const { atime, mtime } = statSync(path);
  bytes[bit >> 3] ^= 1 << (bit & 7);
  writeFileSync(path, bytes);
  utimesSync(path, atime, mtime);
}

test('a run lists what it holds, and all of it is what was written', async () => {
  const { folder } = await wholeRun();
  const listed = [...['manifest.json', ...names].map((name) => ({ name, state: 'whole' }))];
  expect(await checkFiles(folder)).toEqual(listed);
  expect(await verifyRun(folder)).toEqual({ hasManifest: true, isWhole: true, files: listed });
  expect((await inspectRun(folder)).changed).toBeUndefined();
});

test.each([...names, 'manifest.json'])(
  'a flipped bit in %s is named, also when size and time are the same',
  async (name) => {
    const { folder } = await wholeRun();
    flip(join(folder, name), 8 * 11);
    const { isWhole, files } = await verifyRun(folder);
    expect(isWhole).toBe(false);
    expect(files.filter(({ state }) => state === 'changed').map((file) => file.name)).toEqual([name]);
  },
);

test.each(names)('a %s that was changed later is named at a look', async (name) => {
  const { folder } = await wholeRun();
  flip(join(folder, name), 8 * 11);
  const later = new Date(Date.now() + 5_000);
  utimesSync(join(folder, name), later, later);
  const { state, sentence } = await inspectRun(folder);
  expect(state).toBe('damaged');
  expect(sentence).toContain(`“${join(folder, name)}” is not what was written`);
});

test('a copy of a run is whole although its files are of another time', async () => {
  const { folder } = await wholeRun();
  for (const name of names) {
    const path = join(folder, name);
    copyFileSync(path, `${path}.copy`);
    rmSync(path);
    copyFileSync(`${path}.copy`, path);
    rmSync(`${path}.copy`);
    utimesSync(path, 1, 1);
  }
  expect((await checkFiles(folder)).every(({ state }) => state === 'whole')).toBe(true);
});

test('a model with a flipped bit is not opened, and a list that fails neither', async () => {
  const { folder } = await wholeRun();
  expect((await readModelFiles(folder))?.file.blocks.length).toBe(4);
  flip(join(folder, 'model', 'encoder.onnx'), 4321);
  await expect(readModelFiles(folder)).rejects.toThrow('encoder.onnx” is not what was written');
  await expect(readModelFiles(folder, { asIs: true })).rejects.toThrow('encoder.onnx” is not what was written');
  flip(join(folder, 'model', 'encoder.onnx'), 4321);
  flip(join(folder, 'model', 'model.json'), 8 * 200);
  await expect(readModelFile(folder)).rejects.toThrow('model.json” is not what was written');
  flip(join(folder, 'model', 'model.json'), 8 * 200);
  flip(join(folder, 'manifest.json'), 8 * 100);
  await expect(readModelFiles(folder)).rejects.toThrow('manifest.json');
  await expect(refuseChanged(folder, 'model/encoder.onnx')).rejects.toThrow('manifest.json');
});

test('a learning rate that was changed by hand is refused in its run, and taken from an edited copy', async () => {
  const { folder } = await wholeRun();
  const path = join(folder, 'run.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"learningRate": 0.001', '"learningRate": 0.1'));
  await expect(openRun(folder)).rejects.toMatchObject({ hint: expect.stringContaining('untangle train --from') });
  const copy = join(root, 'run.json');
  copyFileSync(path, copy);
  expect((await readRunFile(copy)).training.learningRate).toBe(0.1);
});

const settings: RunSettings = {
  command: '',
  method: 'vae',
  options: {},
  data: { target: { source: 'shapes', fingerprint: 'f00d' } },
  training: { seed: 1, steps: 9, batchSize: 8, optimiser: 'sgd', learningRate: 0.1, workers: 1, threads: 1 },
};

test('a kill at any moment leaves files that fit their list', async () => {
  const facts = { ...(await readModelFile((await handMadeRun(root)).folder))! };
  let kills = 0;
  for (let at = 0; ; at++) {
    const run = await createRun(root, settings);
    let left = Number.POSITIVE_INFINITY;
    const before = () => {
      if (left-- <= 0) throw new Error('killed');
    };
    const work = async (step: number) => {
      await writeListed(
        run.folder,
        'run.json',
        JSON.stringify({ ...run.file, created: run.file.created, step }),
        before,
      );
      const files = { decoder: new Uint8Array(step), encoder: new Uint8Array(9 + step) };
      await writeModel(run.folder, { ...facts, step }, files, before);
      await listAs(run.folder, 'evaluation.json', undefined, before);
    };
    await work(1);
    left = at;
    const killed = await work(2).then(
      () => false,
      () => true,
    );
    left = Number.POSITIVE_INFINITY;
    await readModelFile(run.folder);
    const states = (await verifyRun(run.folder)).files.filter(({ state }) => state !== 'whole');
    expect(states, `killed before change ${at}`).toEqual([]);
    if (!killed) break;
    kills++;
    await work(3);
    expect((await verifyRun(run.folder)).isWhole).toBe(true);
  }
  expect(kills).toBeGreaterThan(20);
});

test('a longer run is listed as such', async () => {
  const run = await createRun(root, settings);
  await lengthenRun(run, 20);
  expect((await openRun(run.folder)).file.training.steps).toBe(20);
  expect((await verifyRun(run.folder)).isWhole).toBe(true);
});

test('a run that was made before there were manifests opens, and is said to have none', async () => {
  const run = await wholeRun();
  rmSync(join(run.folder, 'manifest.json'));
  expect(await openRun(run.folder)).toEqual(run);
  const { hasManifest, isWhole, files } = await verifyRun(run.folder);
  expect([hasManifest, isWhole]).toEqual([false, true]);
  expect(files.map(({ state }) => state)).toEqual(names.map(() => 'unlisted'));
  expect(existsSync(join(run.folder, 'manifest.json'))).toBe(false);
});
