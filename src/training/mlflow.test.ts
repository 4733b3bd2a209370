import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { posix } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type MlflowOptions, openMlflow } from './mlflow.ts';

const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]);
const pair = z.object({ key: z.string(), value: z.string() });
const metric = z.object({ key: z.string(), value: number, timestamp: z.int(), step: z.int() });
const body = z.looseObject({
  name: z.string().optional(),
  experiment_id: z.string().optional(),
  run_id: z.string().optional(),
  run_name: z.string().optional(),
  status: z.string().optional(),
  metrics: z.array(metric).default([]),
  params: z.array(pair).default([]),
  tags: z.array(pair).default([]),
});

interface ServedRun {
  experiment: string;
  name: string;
  status: string;
  metrics: z.infer<typeof metric>[];
  params: Map<string, string>;
  tags: Map<string, string>;
}

/** A server that keeps the rules of MLflow's REST API 2.0, with the limits of its tracking server's validation. */
function mlflowServer() {
  const experiments = new Map<string, { id: string; stage: string }>();
  const runs = new Map<string, ServedRun>();
  const calls: string[] = [];
  const authorizations = new Set<string | undefined>();
  /** Answers that take the place of the next ones; 'hang' never answers. */
  const instead: (number | 'hang' | 'garbage' | 'endless')[] = [];

  class Wrong extends Error {
    readonly code: string;
    readonly status: number;
    constructor(code: string, message: string, status = 400) {
      super(message);
      this.code = code;
      this.status = status;
    }
  }
  const invalid = (message: string) => new Wrong('INVALID_PARAMETER_VALUE', message);
  const missing = (message: string) => new Wrong('RESOURCE_DOES_NOT_EXIST', message, 404);
  const checkKey = (key: string) => {
    if (!/^[/\p{L}\p{N}_.\- ]*$/u.test(key) || posix.normalize(key) !== key || /^(\/|\.\.|\.$)|\/$/.test(key))
      throw invalid(`Invalid name: '${key}'`);
    if ([...key].length > 250) throw invalid('name too long');
  };

  function answer(path: string, query: URLSearchParams, text: string): unknown {
    if (path === 'experiments/get-by-name') {
      const name = query.get('experiment_name') ?? '';
      const found = experiments.get(name);
      if (found === undefined) throw missing(`Could not find experiment with name '${name}'`);
      return { experiment: { experiment_id: found.id, name, lifecycle_stage: found.stage } };
    }
    const given = body.parse(JSON.parse(text));
    if (path === 'experiments/create') {
      const name = given.name ?? '';
      if (experiments.has(name)) throw new Wrong('RESOURCE_ALREADY_EXISTS', `Experiment '${name}' already exists.`);
      experiments.set(name, { id: `${experiments.size + 1}`, stage: 'active' });
      return { experiment_id: `${experiments.size}` };
    }
    if (path === 'runs/create') {
      const id = `run${runs.size + 1}`;
      const tags = new Map(given.tags.map(({ key, value }) => [key, value]));
      const experiment = given.experiment_id ?? '';
      runs.set(id, { experiment, name: given.run_name ?? '', status: 'RUNNING', metrics: [], params: new Map(), tags });
      return { run: { info: { run_id: id, experiment_id: given.experiment_id } } };
    }
    const run = runs.get(given.run_id ?? '');
    if (run === undefined) throw missing(`Run '${given.run_id}' not found`);
    if (path === 'runs/update') {
      run.status = given.status ?? run.status;
      return { run_info: {} };
    }
    if (path !== 'runs/log-batch') throw new Wrong('ENDPOINT_NOT_FOUND', path, 404);
    const { metrics, params, tags } = given;
    if (text.length > 1_000_000) throw invalid(`Batched logging API requests must be at most 1000000 bytes`);
    if (metrics.length > 1000) throw invalid(`at most 1000 metrics. Got ${metrics.length}`);
    if (params.length > 100) throw invalid(`at most 100 params. Got ${params.length}`);
    if (tags.length > 100) throw invalid(`at most 100 tags. Got ${tags.length}`);
    if (metrics.length + params.length + tags.length > 1000) throw invalid('at most 1000 in total');
    for (const { key } of [...metrics, ...params, ...tags]) checkKey(key);
    for (const { key, value } of params) {
      if (value.length > 6000) throw invalid(`Param value had length ${value.length}`);
      if ((run.params.get(key) ?? value) !== value) throw invalid(`Changing param values is not allowed: '${key}'`);
      run.params.set(key, value);
    }
    for (const { key, value } of tags) {
      if (value.length > 5000) throw invalid(`Tag value had length ${value.length}`);
      run.tags.set(key, value);
    }
    run.metrics.push(...metrics);
    return {};
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const path = pathname.replace(/^(\/proxy)?\/api\/2\.0\/mlflow\//, '');
    calls.push(`${request.method} ${path}`);
    authorizations.add(request.headers.authorization);
    request.setEncoding('utf8');
    let text = '';
    for await (const chunk of request) text += chunk;
    const trick = instead.shift();
    if (trick === 'hang') return undefined;
    if (trick === 'garbage') return response.end('<html>Hello</html>');
    if (trick === 'endless') return response.end('x'.repeat(2_000_000));
    if (trick !== undefined) {
      response.statusCode = trick;
      return response.end('busy');
    }
    try {
      return response.end(JSON.stringify(answer(path, searchParams, text)));
    } catch (error) {
      response.statusCode = error instanceof Wrong ? error.status : 500;
      const code = error instanceof Wrong ? error.code : 'INTERNAL_ERROR';
      return response.end(
        JSON.stringify({ error_code: code, message: String(error instanceof Error ? error.message : error) }),
      );
    }
  }
  const server = createServer((request, response) => void serve(request, response));
  return { server, experiments, runs, calls, authorizations, instead };
}

let mlflow: ReturnType<typeof mlflowServer>;
let url: string;
let warnings: string[];
beforeEach(async () => {
  mlflow = mlflowServer();
  await new Promise<void>((ready) => mlflow.server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(mlflow.server.address() as AddressInfo).port}`;
  warnings = [];
});
afterEach(async () => {
  mlflow.server.closeAllConnections();
  await new Promise((closed) => mlflow.server.close(closed));
});

const open = (options: Partial<MlflowOptions> = {}) =>
  openMlflow({
    url,
    experiment: 'faces & more',
    runName: 'beta-vae-shapes-1',
    warn: (sentence) => warnings.push(sentence),
    timeoutMs: 5000,
    retryMs: 5,
    ...options,
  });

test('a run arrives with its experiment, settings, numbers and end', async () => {
  const logger = open({
    params: { beta: 'linear(0,4,100)', latent: 10, channels: [32, 64] },
    tags: { data: 'shapes' },
  });
  logger.log(1, { loss: 91.5, 'KL of z': 0.25 });
  logger.log(2, { loss: Number.NaN, 'KL of z': -Infinity });
  expect(await logger.close('FINISHED')).toBe(true);
  expect(logger.runId).toBe('run1');
  expect(mlflow.experiments.get('faces & more')).toEqual({ id: '1', stage: 'active' });
  const run = mlflow.runs.get('run1')!;
  expect(run).toMatchObject({ experiment: '1', name: 'beta-vae-shapes-1', status: 'FINISHED' });
  expect(Object.fromEntries(run.params)).toEqual({ beta: 'linear(0,4,100)', latent: '10', channels: '[32,64]' });
  expect(Object.fromEntries(run.tags)).toEqual({ 'mlflow.runName': 'beta-vae-shapes-1', data: 'shapes' });
  expect(run.metrics.map(({ key, value, step }) => [key, value, step])).toEqual([
    ['loss', 91.5, 1],
    ['KL of z', 0.25, 1],
    ['loss', 'NaN', 2],
    ['KL of z', '-Infinity', 2],
  ]);
  for (const { timestamp } of run.metrics) expect(Math.abs(Date.now() - timestamp)).toBeLessThan(60_000);
  expect(warnings).toEqual([]);
});

test('a second run joins the experiment, also when both make it at the same moment', async () => {
  const both = [open(), open()];
  await Promise.all(both.map((logger) => logger.close('FINISHED')));
  expect(await open().close('KILLED')).toBe(true);
  expect([...mlflow.runs.values()].map((run) => run.experiment)).toEqual(['1', '1', '1']);
  expect(mlflow.runs.get('run3')?.status).toBe('KILLED');
  expect(warnings).toEqual([]);
});

test('the limits of the API are kept, and nothing is lost by them', async () => {
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value]));
  const logger = open({
    params: { ...many(250, '€'.repeat(7000)) },
    tags: many(130, 'x'.repeat(6000)),
  });
  for (let step = 0; step < 2500; step++) logger.log(step, { loss: step });
  expect(await logger.close('FINISHED')).toBe(true);
  const run = mlflow.runs.get('run1')!;
  expect(run.params.size).toBe(250);
  expect(run.params.get('p249')).toBe('€'.repeat(6000));
  expect(run.tags.size).toBe(131);
  expect(run.tags.get('p0')?.length).toBe(5000);
  expect(run.metrics.map(({ step }) => step)).toEqual(Array.from({ length: 2500 }, (_, step) => step));
});

test('names that MLflow refuses are made fit', async () => {
  const logger = open();
  logger.log(1, { '/a//b/../c:d/': 1, β: 2, '..': 3, ['n'.repeat(300)]: 4, '😀': 5 });
  expect(await logger.close('FINISHED')).toBe(true);
  const keys = mlflow.runs.get('run1')?.metrics.map(({ key }) => key);
  expect(keys).toEqual(['a/b/c_d', 'β', '_', 'n'.repeat(250), '_']);
});

test('a server that is busy or silent for a moment is tried again, without a word', async () => {
  mlflow.instead.push(503, 'hang');
  const logger = open({ timeoutMs: 500 });
  logger.log(1, { loss: 1 });
  await expect.poll(() => mlflow.runs.get('run1')?.metrics.length, { timeout: 5000 }).toBe(1);
  mlflow.instead.push(500, 429);
  logger.log(2, { loss: 2 });
  expect(await logger.close('FINISHED')).toBe(true);
  expect(mlflow.runs.get('run1')?.metrics.map(({ step }) => step)).toEqual([1, 2]);
  expect(warnings).toEqual([]);
});

test('a server that is away for a while gets everything later, and one warning is given', async () => {
  mlflow.instead.push(...Array(6).fill(503));
  const logger = open({ retryMs: 1 });
  logger.log(1, { loss: 1 });
  expect(await logger.close('FINISHED')).toBe(true);
  expect(mlflow.runs.get('run1')).toMatchObject({ status: 'FINISHED', metrics: [{ step: 1 }] });
  expect(warnings).toEqual([`MLflow at ${url}: it answers 503. Training goes on; numbers may be missing there.`]);
});

test('a missing server never stops or slows a training', async () => {
  mlflow.server.close();
  const logger = open();
  const start = performance.now();
  for (let step = 0; step < 1000; step++) logger.log(step, { loss: 1, KL: 2 });
  expect(performance.now() - start).toBeLessThan(1000);
  expect(await logger.close('FINISHED', 100)).toBe(false);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(warnings.length).toBe(1);
  expect(warnings[0]).toMatch(/can't be reached|not answer in time/);
});

test('a silent server holds up the end of a run only as long as it may', async () => {
  mlflow.instead.push(...Array(100).fill('hang'));
  const logger = open({ timeoutMs: 60_000 });
  logger.log(1, { loss: 1 });
  const start = performance.now();
  expect(await logger.close('FINISHED', 150)).toBe(false);
  expect(performance.now() - start).toBeLessThan(5000);
  expect(warnings).toEqual([
    `MLflow at ${url}: it does not answer in time. Training goes on; numbers may be missing there.`,
  ]);
});

test('an answer that is not MLflow’s, or without end, is one warning', async () => {
  mlflow.instead.push('garbage');
  const garbage = open();
  await expect.poll(() => warnings.length).toBe(1);
  garbage.log(1, { loss: 1 });
  expect(await garbage.close('FINISHED')).toBe(false);
  expect(warnings.pop()).toContain('its answers are not those of an MLflow server');
  mlflow.instead.push('endless', 'endless', 'endless');
  expect(await open().close('FINISHED')).toBe(true);
  expect(warnings.pop()).toContain('its answer is far too long');
});

test('what the server refuses costs a warning, and the rest still arrives', async () => {
  const logger = open({ params: { 'a:': 1, 'a;': 2 } });
  logger.log(3, { loss: 3 });
  expect(await logger.close('FINISHED')).toBe(false);
  expect(mlflow.runs.get('run1')?.metrics.map(({ step }) => step)).toEqual([3]);
  expect(warnings).toEqual([
    `MLflow at ${url}: it answers 400 (Changing param values is not allowed: 'a_'). Training goes on; numbers may be missing there.`,
  ]);
});

test('a resumed run goes on with its MLflow run; a lost one is a warning', async () => {
  await open().close('KILLED');
  const logger = open({ runId: 'run1', params: { changed: 1 } });
  await expect.poll(() => mlflow.runs.get('run1')?.status).toBe('RUNNING');
  logger.log(2, { loss: 2 });
  await logger.close('FINISHED');
  expect(mlflow.runs.size).toBe(1);
  expect(mlflow.runs.get('run1')).toMatchObject({ status: 'FINISHED', metrics: [{ step: 2 }] });
  expect(await open({ runId: 'gone' }).close('FINISHED')).toBe(false);
  expect(warnings).toEqual([
    `MLflow at ${url}: it answers 404 (Run 'gone' not found). Training goes on; numbers may be missing there.`,
  ]);
});

test('a deleted experiment is told', async () => {
  mlflow.experiments.set('faces & more', { id: '7', stage: 'deleted' });
  expect(await open().close('FINISHED')).toBe(false);
  expect(warnings[0]).toContain('its experiment “faces & more” was deleted');
});

test('user, password and path in the address are used, and the password is never shown', async () => {
  const secret = url.replace('http://', 'http://me:pass%20word@');
  expect(await open({ url: `${secret}/proxy/` }).close('FINISHED')).toBe(true);
  expect([...mlflow.authorizations]).toEqual([`Basic ${Buffer.from('me:pass word').toString('base64')}`]);
  mlflow.instead.push(...Array(9).fill(503));
  await open({ url: secret, retryMs: 1 }).close('FINISHED');
  expect(warnings[0]).not.toContain('pass');
});

test.each([
  [{ MLFLOW_TRACKING_USERNAME: 'me', MLFLOW_TRACKING_PASSWORD: 'secret' }, 'Basic bWU6c2VjcmV0'],
  [{ MLFLOW_TRACKING_TOKEN: 'abc' }, 'Bearer abc'],
])('who may log is said by the environment: %o', async (variables, authorization) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  await open().close('FINISHED');
  vi.unstubAllEnvs();
  expect([...mlflow.authorizations]).toEqual([authorization]);
});

test('an address that is none is a wrong call', () => {
  expect(() => open({ url: 'ftp://me:secret@host' })).toThrow('“ftp://host” is not the address of an MLflow server.');
  for (const wrong of ['localhost:5000', 'file:///x', ''])
    expect(() => open({ url: wrong })).toThrow(`“${wrong}” is not the address of an MLflow server.`);
});
