import { fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import ts from 'typescript';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BeforeChange, Change } from '../disk.ts';
import { stream } from '../random/index.ts';
import { type Checkpoint, readCheckpoint, recoverCheckpoints, writeCheckpoint } from './checkpoint.ts';

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'untangle-checkpoint-'));
});
afterEach(() => rmSync(run, { recursive: true, force: true }));

function checkpointAt(step: number): Checkpoint {
  const tensor = (purpose: string) => ({ shape: [4, 3], data: stream(1, purpose, step).normals(12) });
  return {
    state: {
      step,
      epoch: step / 7,
      seconds: step / 3,
      schedules: { plateau: { best: Infinity } },
      counts: { main: step },
    },
    weights: new Map([['w', tensor('w')]]),
    optimiser: new Map([
      ['w.m', tensor('m')],
      ['w.v', tensor('v')],
    ]),
  };
}

/** A process that is killed before its change number `at`, in the middle of it if it is a write. */
function killedAt(at: number, torn = false): { before: BeforeChange; changes: Change[] } {
  const changes: Change[] = [];
  const before = (change: Change) => {
    if (changes.length >= at) {
      if (torn && changes.length === at && change.kind === 'write') writeFileSync(change.path, '{"half');
      throw new Error('killed');
    }
    changes.push(change);
  };
  return { before, changes };
}

const within = (folder: string) => readdirSync(join(run, 'checkpoint', folder)).sort();

test('a checkpoint comes back bit for bit', async () => {
  expect(await readCheckpoint(run)).toBeUndefined();
  await writeCheckpoint(run, checkpointAt(10));
  expect(await readCheckpoint(run)).toEqual(checkpointAt(10));
  await writeCheckpoint(run, checkpointAt(20));
  await writeCheckpoint(run, checkpointAt(30));
  expect(await readCheckpoint(run)).toEqual(checkpointAt(30));
  expect(within('.')).toEqual(['latest', 'previous']);
  const files = ['checksums.json', 'optimiser.safetensors', 'state.json', 'weights.safetensors'];
  expect(within('latest')).toEqual(files);
  expect(within('previous')).toEqual(files);
});

test('training may go on while a checkpoint is written', async () => {
  const checkpoint = checkpointAt(10);
  const writing = writeCheckpoint(run, checkpoint);
  const weights = checkpoint.weights.get('w')?.data;
  if (weights instanceof Float32Array) weights.fill(0);
  checkpoint.state.step = 11;
  await writing;
  expect(await readCheckpoint(run)).toEqual(checkpointAt(10));
});

test('a kill at any moment leaves a whole checkpoint, and the next one can be written', async () => {
  for (const known of [0, 1, 2]) {
    const prepare = async () => {
      rmSync(join(run, 'checkpoint'), { recursive: true, force: true });
      for (let i = 1; i <= known; i++) await writeCheckpoint(run, checkpointAt(10 * i));
    };
    await prepare();
    const undisturbed = killedAt(Number.POSITIVE_INFINITY);
    await writeCheckpoint(run, checkpointAt(90), undisturbed.before);
    for (const torn of [false, true]) {
      for (let at = 0; at < undisturbed.changes.length; at++) {
        if (torn && undisturbed.changes[at].kind !== 'write') continue;
        await prepare();
        await expect(writeCheckpoint(run, checkpointAt(90), killedAt(at, torn).before)).rejects.toThrow('killed');
        const seen = await readCheckpoint(run);
        const { warning: _, ...found } = (await recoverCheckpoints(run)) ?? { warning: undefined, state: undefined };
        expect(seen?.state).toEqual(found.state);
        if (found.state === undefined) expect(known).toBe(0);
        else expect(found).toEqual(checkpointAt(found.state.step === 90 ? 90 : 10 * known));
        await writeCheckpoint(run, checkpointAt(100));
        expect(await readCheckpoint(run)).toEqual(checkpointAt(100));
        expect(within('.').filter((name) => name !== 'latest' && name !== 'previous')).toEqual([]);
      }
    }
  }
});

test('kills upon kills, also while recovering, never lose the newest whole checkpoint', async () => {
  const kills = fc.array(fc.tuple(fc.nat({ max: 14 }), fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(kills, async (history) => {
      rmSync(join(run, 'checkpoint'), { recursive: true, force: true });
      await writeCheckpoint(run, checkpointAt(1));
      let reached = 1;
      for (const [index, [at, torn, recoversFirst]] of history.entries()) {
        const process = killedAt(at, torn);
        const step = index + 2;
        try {
          if (recoversFirst) await recoverCheckpoints(run, process.before);
          await writeCheckpoint(run, checkpointAt(step), process.before);
          reached = step;
        } catch (error) {
          expect(String(error)).toContain('killed');
        }
        const { warning: _, ...found } = (await readCheckpoint(run))!;
        expect(found.state.step).toBeGreaterThanOrEqual(reached);
        expect(found).toEqual(checkpointAt(found.state.step));
        reached = found.state.step;
      }
    }),
    { numRuns: 15 },
  );
});

test('nothing gets its name before all of it is on the disk', async () => {
  await writeCheckpoint(run, checkpointAt(10));
  const { before, changes } = killedAt(Number.POSITIVE_INFINITY);
  await writeCheckpoint(run, checkpointAt(20), before);
  const published = changes.findIndex(({ kind, to }) => kind === 'rename' && to?.endsWith('latest'));
  const written = changes.filter(({ kind }) => kind === 'write').map(({ path }) => path);
  expect(written.length).toBe(4);
  for (const path of written)
    expect(changes.slice(0, published).some((change) => change.kind === 'sync' && change.path === path)).toBe(true);
  expect(changes[published - 2]).toEqual({ kind: 'sync folder', path: dirname(written[0]) });
  expect(changes[published + 1]).toEqual({ kind: 'sync folder', path: join(run, 'checkpoint') });
});

test('a damaged latest checkpoint is noticed, and the previous one is taken with a sentence', async () => {
  await writeCheckpoint(run, checkpointAt(10));
  await writeCheckpoint(run, checkpointAt(20));
  const whole = join(run, 'whole');
  cpSync(join(run, 'checkpoint'), whole, { recursive: true });
  for (const name of within('latest')) {
    const bytes = readFileSync(join(whole, 'latest', name));
    const flipped = Uint8Array.from(bytes, (byte, i) => (i === bytes.length >> 1 ? byte ^ 1 : byte));
    for (const broken of [
      flipped,
      bytes.subarray(0, bytes.length >> 1),
      Buffer.alloc(0),
      Buffer.alloc(bytes.length),
      undefined,
    ]) {
      rmSync(join(run, 'checkpoint'), { recursive: true });
      cpSync(whole, join(run, 'checkpoint'), { recursive: true });
      rmSync(join(run, 'checkpoint', 'latest', name));
      if (broken !== undefined) writeFileSync(join(run, 'checkpoint', 'latest', name), broken);
      const found = await readCheckpoint(run);
      expect(found?.state.step).toBe(10);
      expect(found?.warning).toMatch(/^The latest checkpoint is damaged \(.*“.*”.*\): the one of step 10 is taken\.$/);
    }
  }
});

test('a damaged checkpoint never pushes out a whole one', async () => {
  await writeCheckpoint(run, checkpointAt(10));
  await writeCheckpoint(run, checkpointAt(20));
  writeFileSync(join(run, 'checkpoint', 'latest', 'weights.safetensors'), 'x');
  expect((await recoverCheckpoints(run))?.state.step).toBe(10);
  expect(within('.')).toEqual(['damaged', 'previous']);
  await writeCheckpoint(run, checkpointAt(30));
  writeFileSync(join(run, 'checkpoint', 'latest', 'state.json'), '');
  expect(await readCheckpoint(run)).toEqual({
    ...checkpointAt(10),
    warning: 'The latest checkpoint is damaged (“state.json” does not have its checksum): the one of step 10 is taken.',
  });
});

test('whatever is damaged after a kill at any moment, a resume and two more checkpoints never leave fewer whole ones', async () => {
  const names = ['latest', 'previous', '.old'];
  const folderOf = (name: string) => join(run, 'checkpoint', name);
  /** How many of the three are whole, each looked at alone. */
  const whole = async () => {
    let count = 0;
    for (const name of names) {
      if (!existsSync(folderOf(name))) continue;
      const alone = mkdtempSync(join(tmpdir(), 'untangle-alone-'));
      cpSync(folderOf(name), join(alone, 'checkpoint', 'latest'), { recursive: true });
      count += await readCheckpoint(alone).then(
        () => 1,
        () => 0,
      );
      rmSync(alone, { recursive: true });
    }
    return count;
  };
  let cases = 0;
  for (const step of [1, 2]) await writeCheckpoint(run, checkpointAt(step));
  const { before, changes } = killedAt(Number.POSITIVE_INFINITY);
  await writeCheckpoint(run, checkpointAt(3), before);
  const first = changes.findIndex(({ kind }) => kind === 'rename');
  for (let at = first; at <= changes.length; at++) {
    for (let damaged = 0; damaged < 8; damaged++) {
      rmSync(join(run, 'checkpoint'), { recursive: true, force: true });
      for (const step of [10, 20]) await writeCheckpoint(run, checkpointAt(step));
      await writeCheckpoint(run, checkpointAt(30), killedAt(at).before).catch(() => {});
      const hit = names.filter((_, k) => damaged & (1 << k));
      if (!hit.every((name) => existsSync(folderOf(name)))) continue;
      for (const name of hit) writeFileSync(join(folderOf(name), 'weights.safetensors'), 'x');
      const wholeBefore = Math.min(2, await whole());
      if (wholeBefore === 0) continue;
      await recoverCheckpoints(run);
      const counts = [await whole()];
      for (const step of [40, 50]) {
        await writeCheckpoint(run, checkpointAt(step));
        counts.push(await whole());
      }
      cases++;
      expect(Math.min(...counts), `killed before change ${at}, damaged: ${hit}`).toBeGreaterThanOrEqual(wholeBefore);
      expect(counts[2]).toBe(2);
    }
  }
  expect(cases).toBeGreaterThan(12);
});

test('a kill while a damaged checkpoint is replaced leaves the whole one', async () => {
  const prepare = async () => {
    rmSync(join(run, 'checkpoint'), { recursive: true, force: true });
    for (const step of [10, 20]) await writeCheckpoint(run, checkpointAt(step));
    writeFileSync(join(run, 'checkpoint', 'latest', 'weights.safetensors'), 'x');
  };
  await prepare();
  const undisturbed = killedAt(Number.POSITIVE_INFINITY);
  await writeCheckpoint(run, checkpointAt(30), undisturbed.before);
  for (let at = 0; at < undisturbed.changes.length; at++) {
    await prepare();
    await expect(writeCheckpoint(run, checkpointAt(30), killedAt(at).before)).rejects.toThrow('killed');
    const { warning: _, ...found } = (await readCheckpoint(run))!;
    expect(found).toEqual(checkpointAt(found.state.step === 30 ? 30 : 10));
  }
});

test('a run whose checkpoints are all damaged says so, and keeps them', async () => {
  await writeCheckpoint(run, checkpointAt(10));
  await writeCheckpoint(run, checkpointAt(20));
  for (const name of ['latest', 'previous']) rmSync(join(run, 'checkpoint', name, 'state.json'));
  const sentence =
    'the latest checkpoint is damaged (“state.json” is missing) and the previous checkpoint is damaged (“state.json” is missing).';
  await expect(readCheckpoint(run)).rejects.toThrow(sentence);
  await expect(recoverCheckpoints(run)).rejects.toThrow(sentence);
  expect(within('.')).toEqual(['latest', 'previous']);
});

test('a checkpoint of a newer version is left alone', async () => {
  await writeCheckpoint(run, checkpointAt(10));
  const path = join(run, 'checkpoint', 'latest', 'checksums.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"format": 1', '"format": 2'));
  await expect(recoverCheckpoints(run)).rejects.toThrow('was written by a newer version of untangle');
  expect(existsSync(path)).toBe(true);
});

test('a reader gets a whole checkpoint while a writer moves new ones in', async () => {
  await writeCheckpoint(run, checkpointAt(1));
  let done = false;
  const writing = (async () => {
    for (let step = 2; step <= 40; step++) await writeCheckpoint(run, checkpointAt(step));
    done = true;
  })();
  let reads = 0;
  while (!done) {
    const { warning: _, ...found } = (await readCheckpoint(run))!;
    expect(found).toEqual(checkpointAt(found.state.step));
    reads++;
  }
  await writing;
  expect(reads).toBeGreaterThan(3);
});

test('a process that is killed with SIGKILL again and again always leaves a whole checkpoint', async () => {
  const program = compile(['checkpoint.ts'], run);
  const script = join(run, 'writer.mjs');
  writeFileSync(
    script,
    `import { recoverCheckpoints, writeCheckpoint } from './${program}';
     const folder = process.argv[2];
     let step = (await recoverCheckpoints(folder))?.state.step ?? 0;
     for (;;) {
       step++;
       const data = new Float32Array(20000).fill(step);
       const tensors = new Map([['w', { shape: [20000], data }]]);
       const state = { step, epoch: 0, seconds: 0, schedules: {}, counts: {} };
       await writeCheckpoint(folder, { state, weights: tensors, optimiser: tensors });
       process.send(step);
     }`,
  );
  const folder = join(run, 'killed');
  mkdirSync(folder);
  let told = 0;
  for (let kill = 0; kill < 5; kill++) {
    const writer = fork(script, [folder], { execArgv: [] });
    const ended = new Promise((done) => writer.once('exit', done));
    await new Promise<void>((ready) =>
      writer.on('message', (step) => {
        told = Math.max(told, Number(step));
        ready();
      }),
    );
    await sleep(stream(3, 'moment of the kill', kill).integer(25));
    writer.kill('SIGKILL');
    await ended;
    const found = (await readCheckpoint(folder))!;
    expect(found.state.step).toBeGreaterThanOrEqual(told);
    for (const tensors of [found.weights, found.optimiser])
      expect(tensors.get('w')?.data).toEqual(new Float32Array(20000).fill(found.state.step));
  }
});

/** Compiles files of this room, and what they import, for a process of their own; gives the first one's path in `folder`. */
function compile(names: string[], folder: string): string {
  const source = resolve(import.meta.dirname, '..');
  const waiting = names.map((name) => join(import.meta.dirname, name));
  const outputs = new Map<string, string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const output = join(folder, 'program', relative(source, path)).replace(/\.ts$/, '.mjs');
    if (outputs.has(path)) continue;
    outputs.set(path, output);
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const text = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions: options }).outputText;
    for (const [, specifier] of text.matchAll(/from '(\.[^']+\.ts)'/g)) waiting.push(resolve(path, '..', specifier));
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, text.replace(/(from '\.[^']+)\.ts'/g, "$1.mjs'"));
  }
  symlinkSync(resolve(source, '..', 'node_modules'), join(folder, 'node_modules'));
  return relative(folder, [...outputs.values()][0]);
}
