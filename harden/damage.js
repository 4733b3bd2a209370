/**
 * One bit of every file of a run is flipped, at places spread over each kind of byte that the file has, with its size and its time as
 * they were: the change is noticed, or whatever is read is the same.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  openRun,
  readCheckpoint,
  readEvaluation,
  readLog,
  readModelFiles,
  readStatus,
  verifyRun,
} from '../dist/runs/index.js';
import { prepareRun, trainRun } from '../dist/training/index.js';
import { evaluate } from '../dist/use/index.js';
import { randomFrom, room, tell } from './table.js';

/** A run with everything in it: two checkpoints, a model, a log, an evaluation. */
export async function wholeRun(root) {
  const set = ['steps=6', 'checkpointEvery=3', 'network=mlp', 'latents=2', 'batchSize=8', 'logEvery=1'];
  const { run } = await prepareRun({ method: 'vae', data: 'shapes', set, root, name: 'whole', workers: 1 });
  await trainRun(run);
  await evaluate(run, { names: ['kl'], items: 64 });
  return run;
}

const kindOf = (byte) =>
  byte < 0x20 ? 'control' : byte < 0x30 ? 'mark' : byte < 0x3a ? 'digit' : byte < 0x7f ? 'letter' : 'high';

/** @param {{ dose?: number, seed?: number }} given `dose` is how many bits of each kind of byte of each file */
export async function attack({ dose = 200, seed = 1 } = {}) {
  const root = mkdtempSync(join(room(), 'untangle-damage-'));
  const random = randomFrom(seed);
  const { folder } = await wholeRun(root);
  const expected = await readAll(folder);
  const rows = [];
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) {
    const row = { what: relative(folder, path), tried: 0, fine: 0, troubles: [] };
    rows.push(row);
    const whole = readFileSync(path);
    const { atime, mtime } = statSync(path);
    const places = {};
    for (const [at, byte] of whole.entries()) (places[kindOf(byte)] ??= []).push(at);
    for (const kind of Object.values(places)) {
      for (let i = 0; i < Math.min(dose, 8 * kind.length); i++) {
        const [at, bit] = [kind[random.below(kind.length)], random.below(8)];
        const changed = Buffer.from(whole);
        changed[at] ^= 1 << bit;
        writeFileSync(path, changed);
        utimesSync(path, atime, mtime);
        row.tried++;
        if (await isNoticedOrHarmless(folder, expected)) row.fine++;
        else row.troubles.push(`byte ${at}, bit ${bit}`);
      }
    }
    writeFileSync(path, whole);
    utimesSync(path, atime, mtime);
  }
  rmSync(root, { recursive: true });
  return tell('One flipped bit', rows);
}

/** Nothing that is read differs from what was written; and what differs on the disk is told, unless nothing reads it. */
async function isNoticedOrHarmless(folder, expected) {
  const now = await readAll(folder);
  const isSilent = Object.keys(expected).some(
    (part) => !now[part].error && !isDeepStrictEqual(now[part], expected[part]),
  );
  if (isSilent) return false;
  const isSame = isDeepStrictEqual(now, expected);
  return isSame || !(await verifyRun(folder)).isWhole;
}

/** Everything that a program reads of a run; for each part its value, or that it was refused. */
async function readAll(folder) {
  const parts = {
    run: async () => (await openRun(folder)).file,
    status: async () => (await readStatus(folder)) ?? Promise.reject(new Error('none')),
    evaluation: () => readEvaluation(folder),
    model: () => readModelFiles(folder),
    checkpoint: async () => {
      const found = await readCheckpoint(folder);
      // The one before it, with a sentence, is not silent.
      if (found?.warning) throw new Error(found.warning);
      return found;
    },
    log: async () => {
      const lines = [];
      for await (const line of readLog(join(folder, 'log.jsonl'))) lines.push(line);
      if (lines.length !== 6) throw new Error('lines are left out');
      return lines;
    },
  };
  const found = {};
  for (const [name, read] of Object.entries(parts))
    found[name] = await read().then(
      (value) => ({ value }),
      (error) => ({ error: error.message }),
    );
  return found;
}
