import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shapesDataset } from '../data/sets/shapes.ts';
import { inspectRun, openRun, readCheckpoint } from '../runs/index.ts';
import { openRunData } from '../training/index.ts';
import { TrainedModel } from '../use/index.ts';
import { type TestStudio, testStudio, until } from './testing/studio.ts';

let studio: TestStudio;
beforeAll(async () => {
  studio = await testStudio();
});
afterAll(() => studio.close());

const tiny = ['batchSize=16', 'latents=4', 'network=mlp', 'logEvery=5', 'validateEvery=50'];
const numbers = async (path: string) => {
  const response = await fetch(studio.url(path), { headers: { cookie: studio.cookie } });
  return { values: new Float32Array(await response.arrayBuffer()), headers: response.headers, status: response.status };
};

test('a run is started, watched, stopped, resumed, looked into and deleted', async () => {
  const started = await studio.call('POST', '/api/runs', {
    method: 'beta-vae',
    data: 'shapes',
    set: [...tiny, 'steps=1000000'],
    seed: 3,
    name: 'mine',
  });
  expect([started.status, started.body.name]).toEqual([201, 'mine']);
  const detail = () => studio.get('/api/runs/mine');
  expect((await detail()).state).toBe('running');
  expect((await detail()).command).toBe(
    `untangle train beta-vae --data shapes --seed 3 ${[...tiny, 'steps=1000000'].map((one) => `--set ${one}`).join(' ')}`,
  );

  const watching = new AbortController();
  const steps: number[] = [];
  const states: string[] = [];
  const watched = (async () => {
    for await (const { event, data } of studio.events('/api/events?follow=mine:0', watching.signal)) {
      if (event === 'line') steps.push(data.line.step);
      for (const { state } of event === 'runs' ? data : event === 'changes' ? data.changed : [])
        if (state !== states.at(-1)) states.push(state);
    }
  })().catch(() => {});
  await until(async () => steps.length >= 20);
  expect(steps.filter((step) => step % 5 === 0).slice(0, 19)).toEqual(
    Array.from({ length: 19 }, (_, i) => 5 * (i + 1)),
  );
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/resume'],
    ['POST', '/evaluate'],
  ])
    expect([path, (await studio.call(method, `/api/runs/mine${path}`)).status]).toEqual([path, 409]);
  expect(
    (await studio.call('POST', '/api/runs', { method: 'beta-vae', data: 'shapes', name: 'mine' })).body.error,
  ).toBe(`There is a run “mine” in “${studio.root}” already.`);

  expect((await studio.call('POST', '/api/runs/mine/stop')).status).toBe(202);
  const stopped = await until(async () => {
    const run = await detail();
    return run.state !== 'running' && run;
  });
  expect([stopped.state, stopped.sentence]).toEqual(['stopped', 'It was stopped by hand.']);
  expect(stopped.step).toBeGreaterThanOrEqual(95);
  expect(stopped.model.step).toBe(stopped.step);
  expect((await studio.call('POST', '/api/runs/mine/stop')).status).toBe(409);

  await until(async () => states.at(-1) === 'stopped', 3);
  expect((await studio.call('POST', '/api/runs/mine/resume')).status).toBe(202);
  expect((await detail()).state).toBe('running');
  await until(async () => steps[steps.length - 1] > stopped.step + 20);
  await studio.call('POST', '/api/runs/mine/stop');
  await until(async () => (await detail()).state === 'stopped');
  await until(async () => states.at(-1) === 'stopped', 3);
  expect(states.filter((state, i) => state !== states[i - 1])).toEqual(['running', 'stopped', 'running', 'stopped']);
  expect((await studio.get('/api/runs/mine/log')).lines.length).toBeGreaterThan(20);
  watching.abort();
  await watched;
}, 120_000);

test('items are the test part’s pictures, with their labels and factors in the same order', async () => {
  const run = await openRun(join(studio.root, 'mine'));
  const { target } = await openRunData(run.file);
  const all = shapesDataset();
  const { values, headers } = await numbers('/api/runs/mine/items?part=test&from=3&count=4');
  expect([headers.get('x-items'), headers.get('x-total')]).toEqual(['4', `${target.split.test.length}`]);
  const { items, labels, factors } = await studio.get('/api/runs/mine/labels?part=test&from=3&count=4');
  expect(items.length).toBe(4);
  const indices = items.map((item: number) => target.split.test[item]);
  expect(values).toEqual(all.gather(indices));
  expect(labels.names).toEqual(['disc', 'square', 'triangle']);
  expect(labels.values).toEqual(indices.map((index: number) => all.labels?.values[index]));
  expect(factors.map(({ name }: { name: string }) => name)).toEqual(['shape', 'scale', 'x', 'y', 'brightness']);
  expect(factors[3].values).toEqual(indices.map((index: number) => all.factors?.values[5 * index + 3]));
  const whole = await studio.get('/api/runs/mine/labels?count=10000');
  expect([...whole.items].sort((a, b) => a - b)).toEqual(Array.from(target.split.test, (_, i) => i));
  const last = await numbers(`/api/runs/mine/items?from=${target.split.test.length - 1}&count=32`);
  expect([last.values.length, last.headers.get('x-items')]).toEqual([256, '1']);
  expect((await numbers('/api/runs/mine/items?from=100000')).values.length).toBe(0);
}, 30_000);

test('codes are the encoder’s means of those items, a row for each', async () => {
  const { values: items } = await numbers('/api/runs/mine/items?count=300');
  const model = await TrainedModel.open(join(studio.root, 'mine'));
  const [{ values, block }] = await model.encode(items);
  await model.close();
  const codes = await numbers(`/api/runs/mine/codes?block=${block.name}&count=300`);
  expect(codes.headers.get('x-size')).toBe(`${block.size}`);
  expect(codes.values.length).toBe(300 * block.size);
  const apart = codes.values.map((value, i) => Math.abs(value - values[i]));
  expect(Math.max(...apart)).toBeLessThan(1e-5);
  const start = performance.now();
  await numbers(`/api/runs/mine/codes?block=${block.name}&count=300`);
  expect(performance.now() - start).toBeLessThan(500);
}, 30_000);

test('wrong questions about items and codes get a sentence', async () => {
  const ask = async (path: string) => {
    const { status, body } = await studio.call('GET', `/api/runs/mine/${path}`);
    return [status, body.error];
  };
  expect(await ask('items?part=background')).toEqual([400, 'This run has no background set.']);
  expect(await ask('items?part=train')).toEqual([400, '“part” is test or background, not “train”.']);
  expect(await ask('items?count=-1')).toEqual([400, '“count” takes a whole number, not “-1”.']);
  expect(await ask('items?from=1e3')).toEqual([400, '“from” takes a whole number, not “1e3”.']);
  expect(await ask('codes')).toEqual([400, '“block” is missing: which block’s codes?']);
  expect(await ask('codes?block=y')).toEqual([400, 'There is no block “y”.']);
  expect(await ask('model/weights.onnx')).toEqual([404, 'This run has no weights.onnx.']);
});

test('a start that can’t be gets the sentence of the command line, and leaves no run behind', async () => {
  const start = async (form: object) => {
    const { status, body } = await studio.call('POST', '/api/runs', { set: [], ...form });
    return [status, body.error];
  };
  const before = await readdir(studio.root);
  expect(await start({ method: 'bta-vae', data: 'shapes' })).toEqual([400, 'There is no method “bta-vae”.']);
  expect(await start({ method: 'vae', data: 'shaps' })).toEqual([400, 'There is no dataset “shaps”.']);
  expect(await start({ method: 'vae', data: 'shapes', set: ['bta=4'] })).toEqual([
    400,
    'There is no option of vae “bta”.',
  ]);
  expect(await start({ method: 'vae', data: 'shapes', name: '../out' })).toEqual([
    400,
    "“../out” can't be the name of a run.",
  ]);
  expect(await readdir(studio.root)).toEqual(before);
}, 30_000);

test('a stopped run is drawn by a process of its own, and what fails says why', async () => {
  expect((await studio.call('POST', '/api/runs/mine/pictures', { kinds: ['curves', 'transfer'] })).status).toBe(202);
  expect((await studio.call('POST', '/api/runs/mine/pictures', { kinds: ['--help'] })).status).toBe(400);
  const drawn = await until(async () => {
    const run = await studio.get('/api/runs/mine');
    return run.work.pictures?.state !== 'running' && run;
  }, 30);
  expect(drawn.pictures).toEqual(['curves-kl.png', 'curves.png']);
  expect(drawn.work.pictures.sentence).toContain('transfer');
  const picture = await fetch(studio.url('/api/runs/mine/pictures/curves.png'), { headers: { cookie: studio.cookie } });
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect([picture.headers.get('content-type'), bytes.toString('latin1', 1, 4)]).toEqual(['image/png', 'PNG']);
}, 60_000);

test('the catalogue holds every method with its options, and datasets with a preview where files are here', async () => {
  const methods = await studio.get('/api/methods');
  const beta = methods.find(({ name }: { name: string }) => name === 'beta-vae');
  expect(beta.options.properties.beta.default).toBe(4);
  expect(beta.options.properties.steps.type).toBe('integer');
  expect(beta.needs).toBe('data');
  const datasets = await studio.get('/api/datasets');
  const kinds = Object.fromEntries(datasets.map((set: { name: string; kind: string }) => [set.name, set.kind]));
  expect([kinds.shapes, kinds['shapes-contrast'], kinds.celeba]).toEqual(['single', 'contrast', 'unknown']);
  const preview = await fetch(studio.url('/api/datasets/shapes/preview.png'), { headers: { cookie: studio.cookie } });
  const bytes = Buffer.from(await preview.arrayBuffer());
  expect([preview.status, bytes.toString('latin1', 1, 4)]).toEqual([200, 'PNG']);
  const absent = datasets.find(({ here }: { here: boolean }) => !here);
  if (absent)
    expect((await studio.call('GET', `/api/datasets/${absent.name}/preview.png`)).body).toEqual({
      error: `The files of ${absent.name} are not here.`,
      hint: `“untangle data show ${absent.name}” says how to get them.`,
    });
}, 30_000);

test('the server is not held up while data is opened, items are encoded and runs are made', async () => {
  const { name } = (await studio.get('/api/runs/mine')).model.blocks[0];
  const longest: number[] = [];
  // The least of three, since other programs share the machine.
  for (let attempt = 0; attempt < 3; attempt++) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await Promise.all([
      numbers(`/api/runs/mine/codes?block=${name}&count=${200 + attempt}`),
      numbers('/api/runs/mine/items?count=300'),
      studio.get('/api/runs/mine/labels?count=300'),
      studio.get('/api/runs'),
      studio.call('POST', '/api/runs', { method: 'vae', data: 'mnist', set: ['wrong=1'] }),
      studio.call('POST', '/api/runs', { method: 'n-vae', data: 'shapes', labels: 100_000 }),
    ]);
    delay.disable();
    longest.push(delay.max / 1e6);
  }
  expect(Math.min(...longest)).toBeLessThan(50);
}, 30_000);

test('a deleted run is gone with all its files', async () => {
  expect((await studio.call('DELETE', '/api/runs/mine')).status).toBe(200);
  expect((await studio.call('GET', '/api/runs/mine')).status).toBe(404);
  expect(await readdir(studio.root)).toEqual([]);
});

test('closing the studio stops a training with a checkpoint, from which it can go on', async () => {
  const other = await testStudio();
  const set = [...tiny, 'steps=1000000'];
  const { name } = (await other.call('POST', '/api/runs', { method: 'beta-vae', data: 'shapes', set })).body;
  expect(name).toBe('beta-vae-shapes-1');
  const folder = join(other.root, name);
  await until(async () => (await other.get(`/api/runs/${name}`)).step >= 10);
  await other.end();
  const { state, status } = await inspectRun(folder);
  expect(state).toBe('stopped');
  expect((await readCheckpoint(folder))?.state.step).toBe(status?.step);
  await rm(other.root, { recursive: true });
}, 30_000);
