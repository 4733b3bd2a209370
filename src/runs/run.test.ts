import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRun, findRun, inspectRun, listRuns, openRun, type RunSettings, readRunFile } from './run.ts';
import { claimRun } from './status.ts';

let root: string;
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), 'untangle-run-')), 'runs');
});
afterEach(() => rmSync(join(root, '..'), { recursive: true, force: true }));

const settings: RunSettings = {
  command: 'untangle train beta-vae --data dsprites --seed 1',
  method: 'beta-vae',
  preset: 'dsprites',
  options: { beta: 'linear(0,4,10000)', latent: 10, channels: [32, 32] },
  data: { target: { source: 'dsprites', fingerprint: 'f00d' }, labels: 256 },
  training: {
    seed: 1,
    steps: 1000,
    batchSize: 64,
    optimiser: 'adam',
    learningRate: 'cosine(1e-3,1e-5,1000)',
    workers: 2,
    threads: 1,
  },
};

const damage = (name: string, text: string) => {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, 'run.json'), text);
};

test('a new run’s file holds everything that decides it, and reads back the same', async () => {
  const run = await createRun(root, settings);
  expect(run.name).toBe('beta-vae-dsprites-1');
  const read = await openRun(run.folder);
  expect(read).toEqual(run);
  expect(read.file).toMatchObject({
    ...settings,
    format: 1,
    data: { target: { source: 'dsprites', options: {}, fingerprint: 'f00d' }, labels: 256 },
    versions: { node: process.versions.node },
    machine: { platform: `${process.platform}-${process.arch}` },
  });
  expect(Date.now() - Date.parse(read.file.created)).toBeLessThan(60_000);
  expect(readdirSync(run.folder)).toEqual(['manifest.json', 'run.json']);
  expect(await readRunFile(join(run.folder, 'run.json'))).toEqual(read.file);
});

test('a run never overwrites another one', async () => {
  const runs = await Promise.all(Array.from({ length: 6 }, () => createRun(root, settings)));
  const base = 'beta-vae-dsprites-1';
  expect(runs.map((run) => run.name).sort()).toEqual([base, ...[2, 3, 4, 5, 6].map((n) => `${base}-${n}`)]);
  await createRun(root, settings, 'mine');
  await expect(createRun(root, settings, 'mine')).rejects.toThrow('There is a run “mine”');
  writeFileSync(join(root, 'file'), 'precious');
  await expect(createRun(root, settings, 'file')).rejects.toThrow('There is a run “file”');
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('precious');
  expect(readdirSync(root).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a name is made of method, data and seed, whatever the data’s path', async () => {
  const named = async (source: string) => {
    const data = { target: { source, fingerprint: '' } };
    return (await createRun(root, { ...settings, data })).name;
  };
  expect(await named('/data/My Photos (2)/cats.zip')).toBe('beta-vae-cats-1');
  expect(await named('../../Gäste')).toBe('beta-vae-gaste-1');
  expect(await named('…')).toBe('beta-vae-data-1');
});

test('a name that could leave the folder or confuse a file system is refused', async () => {
  for (const name of ['', '..', '../x', 'a/b', 'a\\b', '.hidden', 'a\0', 'end.', 'end ', 'x'.repeat(101), '-rf', 'a:b'])
    await expect(createRun(root, settings, name), name).rejects.toThrow("can't be the name of a run");
  expect((await createRun(root, settings, 'β-Versuch 2.b')).name).toBe('β-Versuch 2.b');
});

test('settings that don’t fit are not written', async () => {
  const wrong = { ...settings, training: { ...settings.training, learningRate: 'fast' } };
  await expect(createRun(root, wrong)).rejects.toThrow('a schedule such as linear(0,4,10000)');
  expect(await listRuns(root)).toEqual([]);
});

test('the state of a run follows its files', async () => {
  const { folder } = await createRun(root, settings);
  expect(await inspectRun(folder)).toMatchObject({ state: 'stopped', sentence: 'It has not been trained yet.' });
  const claim = await claimRun(folder);
  expect((await inspectRun(folder)).state).toBe('running');
  await claim.end('stopped', 40, 'Stopped by the user.');
  expect(await inspectRun(folder)).toMatchObject({ state: 'stopped', sentence: 'Stopped by the user.' });
  await (await claimRun(folder)).end('failed', 41, 'The loss is not finite at step 41.');
  expect(await inspectRun(folder)).toMatchObject({ state: 'failed', sentence: 'The loss is not finite at step 41.' });
  await (await claimRun(folder)).end('done', 1000);
  expect((await inspectRun(folder)).state).toBe('done');
});

test('a run whose process was killed shows as stopped', async () => {
  const { folder } = await createRun(root, settings);
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((ended) => child.once('exit', ended));
  const time = new Date().toISOString();
  const status = { state: 'running', pid: child.pid, host: hostname(), started: time, heartbeat: time, step: 12 };
  writeFileSync(join(folder, 'status.json'), JSON.stringify(status));
  const { state, sentence } = await inspectRun(folder);
  expect(state).toBe('stopped');
  expect(sentence).toBe(`Its process ended without a word; it was last heard of at step 12, ${time}.`);
});

test('damaged, half-written and newer runs are in the list, and break nothing', async () => {
  const whole = await createRun(root, settings);
  const text = readFileSync(join(whole.folder, 'run.json'), 'utf8');
  damage('empty', '');
  damage('cut', text.slice(0, 300));
  damage('wrong', text.replace('"method": "beta-vae"', '"method": 7'));
  damage('newer', '{"format": 2, "everything": "else"}');
  mkdirSync(join(root, 'half', 'checkpoint'), { recursive: true });
  mkdirSync(join(root, 'odd', 'run.json'), { recursive: true });
  mkdirSync(join(root, 'somebody’s folder'));
  mkdirSync(join(root, '.hidden', 'checkpoint'), { recursive: true });
  symlinkSync('nowhere', join(root, 'link'));
  writeFileSync(join(root, 'notes.txt'), '');
  const runs = await listRuns(root);
  expect(Object.fromEntries(runs.map((run) => [run.name, run.state]))).toEqual({
    'beta-vae-dsprites-1': 'stopped',
    cut: 'damaged',
    empty: 'damaged',
    half: 'damaged',
    newer: 'newer',
    odd: 'damaged',
    wrong: 'damaged',
  });
  const sentences = Object.fromEntries(runs.map((run) => [run.name, run.sentence]));
  expect(sentences.half).toContain('There is no “');
  expect(sentences.wrong).toContain('run.json” does not fit: “method”: Invalid input: expected string');
  expect(sentences.newer).toContain('was written by a newer version of untangle');
  await expect(openRun(join(root, 'newer'))).rejects.toThrow('newer version');
  await expect(openRun(join(root, 'cut'))).rejects.toThrow('is not a JSON file');
});

test('a folder that may not be read does not hide the others', async () => {
  const { folder } = await createRun(root, settings, 'closed');
  await createRun(root, settings, 'open');
  chmodSync(join(folder, 'run.json'), 0);
  const closed = (await listRuns(root)).find((run) => run.name === 'closed');
  // The superuser may read everything.
  expect(closed?.state).toBe(process.getuid?.() === 0 ? 'stopped' : 'damaged');
  chmodSync(join(folder, 'run.json'), 0o644);
});

test('whatever stands in run.json, the list shows the run', async () => {
  const whole = await createRun(root, settings);
  const text = readFileSync(join(whole.folder, 'run.json'), 'utf8');
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: text.length }), fc.string(), fc.nat({ max: 20 }), async (at, inserted, removed) => {
      damage('x', text.slice(0, at) + inserted + text.slice(at + removed));
      const found = await inspectRun(join(root, 'x'));
      expect(['stopped', 'damaged', 'newer']).toContain(found.state);
      expect(found.sentence).toMatch(/\.$/);
    }),
  );
});

test('the newest run comes first', async () => {
  for (const [name, year] of [
    ['a', 2024],
    ['b', 2026],
    ['c', 2025],
  ] as const) {
    const { folder } = await createRun(root, settings, name);
    const path = join(folder, 'run.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"created": "\d+/, `"created": "${year}`));
    // As an earlier version made it: without a list to compare with.
    rmSync(join(folder, 'manifest.json'));
  }
  expect((await listRuns(root)).map((run) => run.name)).toEqual(['b', 'c', 'a']);
  expect(await listRuns(join(root, 'missing'))).toEqual([]);
});

test('a run is found by name, by folder and by its file; a typo gets the nearest name', async () => {
  const { folder } = await createRun(root, settings);
  for (const meant of [folder, join(folder, 'run.json')]) expect((await findRun(meant, root)).folder).toBe(folder);
  expect((await findRun('beta-vae-dsprites-1', root)).folder).toBe(folder);
  await expect(findRun('beta-vae-dsprite-1', root)).rejects.toMatchObject({
    message: 'There is no run “beta-vae-dsprite-1”.',
    hint: 'Did you mean “beta-vae-dsprites-1”? Known: beta-vae-dsprites-1.',
  });
});

test('a folder with two hundred runs is listed quickly', async () => {
  const { folder } = await createRun(root, settings, 'run-0');
  const text = readFileSync(join(folder, 'run.json'), 'utf8');
  for (let i = 1; i < 200; i++) damage(`run-${i}`, text);
  // The processor's time, which other work on the machine does not lengthen.
  const start = process.cpuUsage();
  expect((await listRuns(root)).length).toBe(200);
  const { user, system } = process.cpuUsage(start);
  expect(user + system).toBeLessThan(2_000_000);
});

test('a password in an address is not written down', async () => {
  const command = "untangle train vae --mlflow 'http://me:pa%20ss@host:5000/x' --data redis://:word@queue";
  const { folder } = await createRun(root, { ...settings, command });
  expect((await openRun(folder)).file.command).toBe(
    "untangle train vae --mlflow 'http://host:5000/x' --data redis://queue",
  );
});
