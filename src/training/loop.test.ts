import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { claimRun, inspectRun, openRun, type Run, readCheckpoint, readLog, sha256, verifyRun } from '../runs/index.ts';
import { TrainedModel } from '../use/index.ts';
import { trainRun } from './loop.ts';
import { prepareRun, repeatRun } from './prepare.ts';
import { startTrainer, trainInChild } from './start.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-train-'));
});
afterAll(() => rm(root, { recursive: true }));

const small = ['batchSize=16', 'latents=4', 'network=mlp', 'logEvery=5'];

async function make(name: string, set: string[], method = 'beta-vae'): Promise<Run> {
  const { run } = await prepareRun({ method, data: 'shapes', set: [...small, ...set], root, name });
  return run;
}

const weightsOf = async ({ folder }: Run) =>
  sha256(await readFile(join(folder, 'checkpoint', 'latest', 'weights.safetensors')));

async function logOf({ folder }: Run) {
  const lines = [];
  for await (const { seconds: _, ...line } of readLog(join(folder, 'log.jsonl'))) lines.push(line);
  return lines;
}

test('a run that is killed at random moments and resumed ends with the same weights and the same log', async () => {
  const set = ['steps=150', 'checkpointEvery=15', 'validateEvery=50', 'beta=linear(0,4,100)', 'plateauFactor=0.5'];
  const calm = await make('calm', set);
  await trainRun(calm);
  const killed = await repeatRun(calm.file, root, 'killed');
  const random = stream(5, 'kills');
  let kills = 0;
  for (; kills < 6; kills++) {
    const { process: child, order } = startTrainer();
    const ended = order({ folder: killed.folder }).catch(() => {});
    const timer = setTimeout(() => child.kill('SIGKILL'), 500 + 1000 * random.uniform());
    await ended;
    clearTimeout(timer);
    child.kill('SIGKILL');
    if ((await inspectRun(killed.folder)).state === 'done') break;
  }
  await trainRun(killed);
  expect(kills).toBeGreaterThan(0);
  expect(await weightsOf(killed)).toBe(await weightsOf(calm));
  expect(await logOf(killed)).toEqual(await logOf(calm));
}, 120_000);

test('a damaged latest checkpoint is noticed, and the one before it is gone on from', async () => {
  const run = await make('damaged', ['steps=60', 'checkpointEvery=20']);
  await trainRun(run);
  const whole = await weightsOf(run);
  await writeFile(join(run.folder, 'checkpoint', 'latest', 'weights.safetensors'), 'not weights');
  const notes: string[] = [];
  await trainRun(run, { onNote: (sentence) => notes.push(sentence) });
  expect(notes.join(' ')).toContain('latest');
  expect(await weightsOf(run)).toBe(whole);
  // The damaged one is put aside, so the one before the newest is whole: it is there when the newest is damaged too.
  expect((await readdir(join(run.folder, 'checkpoint'))).sort()).toEqual(['damaged', 'latest', 'previous']);
  await writeFile(join(run.folder, 'checkpoint', 'latest', 'state.json'), '');
  expect((await readCheckpoint(run.folder))?.state.step).toBe(40);
}, 60_000);

test('a call that is refused leaves the run as it was', async () => {
  const run = await make('refused', ['steps=10']);
  const path = join(run.folder, 'run.json');
  const before = await readFile(path, 'utf8');
  const claim = await claimRun(run.folder);
  await expect(trainRun(run, { steps: 20 })).rejects.toThrow('is being trained by process');
  expect(await readFile(path, 'utf8')).toBe(before);
  await claim.end('stopped', 0);
  expect(await trainRun(run, { steps: 20 })).toMatchObject({ state: 'done', step: 20 });
  await expect(trainRun(run, { steps: 5 })).rejects.toThrow('5 would not be more');
}, 60_000);

test('a process that has lost its run changes nothing more of it', async () => {
  const run = await make('lost', ['steps=400', 'checkpointEvery=10']);
  let files: string[] = [];
  const training = trainRun(run, {
    onProgress: ({ step }) => {
      if (step !== 25) return;
      // Another machine thinks that this one is dead, and claims the run.
      const status = JSON.parse(readFileSync(join(run.folder, 'status.json'), 'utf8'));
      const { check: _, ...taken } = { ...status, host: 'another-machine', claim: status.claim + 1 };
      writeFileSync(join(run.folder, 'status.json'), JSON.stringify(taken));
      files = changesOf(run.folder);
    },
  });
  await expect(training).rejects.toThrow('was taken over by another process');
  expect(changesOf(run.folder)).toEqual(files);
  expect((await readCheckpoint(run.folder))?.state.step).toBe(20);
}, 60_000);

/** Every file of a run with its content, apart from what is only being written. */
function changesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('/.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => `${path} ${readFileSync(path).toString('base64')}`);
}

test('a checkpoint of other settings is not gone on from', async () => {
  const run = await make('other', ['steps=10']);
  await trainRun(run);
  const { options, ...file } = run.file;
  await writeFile(join(run.folder, 'run.json'), JSON.stringify({ ...file, options: { ...options, beta: 5 } }));
  // Without its list, the change is seen by the checkpoint alone.
  await rm(join(run.folder, 'manifest.json'));
  await expect(trainRun(await openRun(run.folder))).rejects.toThrow('is of other settings than “run.json” now says');
  const { files } = await verifyRun(run.folder);
  expect(files.find(({ name }) => name === 'checkpoint/latest')?.sentence).toContain('is of other settings');
}, 60_000);

test('stopping keeps a checkpoint and a model, and says that it was stopped', async () => {
  const run = await make('stopped', ['steps=100000']);
  const stop = new AbortController();
  const outcome = await trainInChild(run, {
    signal: stop.signal,
    onProgress: ({ step }) => {
      if (step > 20) stop.abort();
    },
  });
  expect(outcome.state).toBe('stopped');
  expect((await readCheckpoint(run.folder))?.state.step).toBe(outcome.step);
  expect((await inspectRun(run.folder)).state).toBe('stopped');
  const model = await TrainedModel.open(run.folder);
  expect(model.file.step).toBe(outcome.step);
  await model.close();
}, 60_000);

test('a loss that is not finite stops the run with the step and the term, and keeps the last good state', async () => {
  const run = await make('infinite', ['steps=50', 'learningRate=1e18', 'optimiser=sgd']);
  await expect(trainRun(run)).rejects.toThrow(/^At step \d+ .*(loss|reconstruction|kl) became (NaN|Infinity)/);
  const { state, sentence } = await inspectRun(run.folder);
  expect(state).toBe('failed');
  expect(sentence).toContain('The last good state, of step');
  expect(await readCheckpoint(run.folder)).toBeDefined();
}, 60_000);

test('training stops early when the held-out loss no longer falls', async () => {
  const run = await make('early', ['steps=5000', 'validateEvery=5', 'patience=2', 'learningRate=0']);
  const outcome = await trainRun(run);
  expect(outcome.state).toBe('done');
  expect(outcome.step).toBe(15);
  expect(outcome.message).toContain('it was best at step 5');
}, 60_000);

test('schedules are in the log, and weights follow them', async () => {
  const run = await make('scheduled', [
    'steps=20',
    'beta=linear(0,4,10)',
    'learningRate=warmup(10,1e-3)',
    'clipNorm=1',
  ]);
  await trainRun(run);
  const lines = await logOf(run);
  expect(lines.map(({ step, weights }) => [step, weights?.beta])).toEqual([
    [1, 0.4],
    [5, 2],
    [10, 4],
    [15, 4],
    [20, 4],
  ]);
  expect(lines[1].weights?.['model learning rate']).toBeCloseTo(5e-4, 12);
}, 60_000);

test('a run on data that changed since is refused', async () => {
  const path = join(root, 'table.csv');
  const rows = (n: number) =>
    `a,b,c\n${Array.from({ length: n }, (_, i) => `${(i * 37) % 80},${i % 7},${Math.sin(i)}`).join('\n')}\n`;
  await writeFile(path, rows(80));
  const { run } = await prepareRun({ method: 'vae', data: path, set: ['steps=4', 'batchSize=8', 'latents=2'], root });
  await trainRun(run);
  const model = await TrainedModel.open(run.folder);
  expect(model.file.data.transformation?.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  await model.close();
  await writeFile(path, rows(81));
  await expect(trainRun(run)).rejects.toThrow('no longer holds the data that this run was trained on');
}, 60_000);

test('a request that can’t be met is refused before anything is written', async () => {
  const ask = (more: object) => prepareRun({ method: 'vae', data: 'shapes', root: join(root, 'none'), ...more });
  await expect(ask({ method: 'vea' })).rejects.toThrow('There is no method “vea”.');
  await expect(ask({ set: ['latent=4'] })).rejects.toThrow('There is no option of vae “latent”.');
  await expect(ask({ preset: 'mnist' })).rejects.toThrow('There is no preset “mnist”');
  await expect(ask({ set: ['batchSize=10'], workers: 4 })).rejects.toThrow(
    '10 can’t be shared by 4 workers'.replace('’', "'"),
  );
});
