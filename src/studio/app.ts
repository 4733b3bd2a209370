/** The studio's routes: what a page can ask for and do, each a few lines over the files of this room. */
import { rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { builtIn } from '../data/index.ts';
import { theseVersions, toJson } from '../runs/index.ts';
import { failed, fileAnswer, floats, json, jsonType, Refusal, refused } from './answers.ts';
import { datasetList, methodList } from './catalogue.ts';
import { eventStream } from './events.ts';
import { runFile, runFolder } from './folders.ts';
import { guard, secured } from './guard.ts';
import type { Jobs } from './jobs.ts';
import { logTeller } from './log-events.ts';
import { thinnedLog } from './log-lines.ts';
import { nameDimension, nameRequest } from './names.ts';
import { Recent } from './recent.ts';
import {
  bodyOf,
  largestBody,
  partQuery,
  picturesRequest,
  startRequest,
  trainRequestOf,
  wholeQuery,
} from './requests.ts';
import { isPicture, readModel, readRunFiles } from './run-files.ts';
import { markOf, type RunIndex } from './runs.ts';
import { appFile } from './static.ts';
import type { Trainer } from './trainer.ts';
import type { Workshop } from './workshop.ts';

export interface Parts {
  /** The folder of runs. */
  root: string;
  token: string;
  port: () => number;
  runs: RunIndex;
  trainer: Trainer;
  jobs: Jobs;
  /** Items and codes in one, new runs in another, so that neither waits for the other. */
  looking: Workshop;
  preparing: Workshop;
  /** Where the built pages are. */
  app: string | undefined;
  /** Aborts when the server closes. */
  closing: AbortSignal;
}

/** Lines of a log that a page gets at once. */
const logLines = 1500;

export function studioApp(parts: Parts): Hono {
  const app = new Hono();
  app.use(secured);
  app.use(guard(parts.token, parts.port));
  app.use(
    bodyLimit({
      maxSize: largestBody,
      onError: (c) => refused(c, 413, `A request holds at most ${largestBody} bytes.`),
    }),
  );
  app.onError((error, c) => failed(c, error));
  app.notFound((c) => refused(c, 404, `The studio has no ${c.req.method} ${c.req.path.slice(0, 200)}.`));
  routesOfStudio(app, parts);
  routesOfRuns(app, parts);
  routesOfRun(app, parts);
  routesOfChanges(app, parts);
  app.get('/*', (c) => (c.req.path.startsWith('/api/') ? c.notFound() : appFile(c, parts.app)));
  return app;
}

function routesOfStudio(app: Hono, { root, token, jobs }: Parts): void {
  app.get('/api/session', (c) =>
    json(c, { token, version: theseVersions().untangle, runsFolder: root, workers: availableParallelism() }),
  );
  let methods: string | undefined;
  app.get('/api/methods', (c) => c.body((methods ??= JSON.stringify(methodList())), 200, { 'content-type': jsonType }));
  app.get('/api/datasets', (c) => json(c, datasetList()));
  const previews = new Recent<Uint8Array<ArrayBuffer>>(40);
  app.get('/api/datasets/:name/preview.png', async (c) => {
    const name = c.req.param('name');
    if (!Object.hasOwn(builtIn, name)) throw new Refusal(404, `There is no dataset “${name.slice(0, 100)}”.`);
    const here = datasetList().find((set) => set.name === name)?.here;
    if (!here)
      throw new Refusal(
        404,
        `The files of ${name} are not here.`,
        `“untangle data show ${name}” says how to get them.`,
      );
    const png = await previews.get(name, () => jobs.preview(name));
    return c.body(png, 200, { 'content-type': 'image/png', 'cache-control': 'private, max-age=3600' });
  });
}

function routesOfRuns(app: Hono, { runs, closing }: Parts): void {
  app.get('/api/runs', async (c) => c.body((await runs.list()).text, 200, { 'content-type': jsonType }));
  app.get('/api/runs/events', (c) => {
    let told = 0;
    return eventStream(c, closing, 1000, async ({ tellText }) => {
      const { version, text } = await runs.list();
      if (version !== told) await tellText('runs', text);
      told = version;
    });
  });
}

function routesOfRun(app: Hono, parts: Parts): void {
  const { root, runs, trainer, jobs, looking, closing } = parts;
  const folderOf = (c: Context) => runFolder(root, nameOf(c));

  app.get('/api/runs/:name', async (c) => {
    const folder = await folderOf(c);
    const name = nameOf(c);
    const [row, summary, files] = await Promise.all([runs.row(name), runs.summary(name), readRunFiles(folder)]);
    const { file, status } = summary ?? {};
    return json(c, {
      ...row,
      ...(file && { file, command: file.command }),
      ...(status && { status }),
      ...files,
      work: jobs.of(name),
      ...trainer.facts(name),
    });
  });

  const logs = new Recent<string>(8);
  app.get('/api/runs/:name/log', async (c) => {
    const path = await runFile(await folderOf(c), 'log.jsonl');
    const text = await logs.get(`${path} ${markOf(path)}`, async () =>
      toJson({ lines: await thinnedLog(path, logLines) }),
    );
    return c.body(text, 200, { 'content-type': jsonType });
  });

  app.get('/api/runs/:name/log/events', async (c) => {
    const [folder, name] = [await folderOf(c), nameOf(c)];
    const last = Number(c.req.header('last-event-id'));
    const after = last > 0 ? last : wholeQuery(c, 'after', 0, Number.MAX_SAFE_INTEGER);
    const teller = logTeller(folder, after, async () => {
      const row = await runs.row(name);
      if (row === undefined) return undefined;
      const { state, sentence } = row;
      return {
        state,
        ...(sentence !== undefined && { sentence }),
        work: jobs.of(name),
        model: markOf(join(folder, 'model', 'model.json')),
      };
    });
    return eventStream(c, closing, 250, teller);
  });

  app.get('/api/runs/:name/model/:file', async (c) => {
    const folder = await folderOf(c);
    const file = c.req.param('file');
    const missing = new Refusal(404, `This run has no ${file.slice(0, 100)}.`);
    if (!['model.json', 'encoder.onnx', 'decoder.onnx'].includes(file)) throw missing;
    const path = await runFile(folder, 'model', file).catch(() => Promise.reject(missing));
    const answer = await fileAnswer(c, path);
    if (answer === undefined) throw missing;
    return answer;
  });

  app.get('/api/runs/:name/pictures/:file', async (c) => {
    const folder = await folderOf(c);
    const file = c.req.param('file');
    const missing = new Refusal(404, `This run has no picture “${file.slice(0, 100)}”.`);
    if (!isPicture(file)) throw missing;
    // An SVG is a document that could hold a script; here it is a picture and nothing else.
    const picture = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
    const answer = await fileAnswer(c, await runFile(folder, 'pictures', file), picture);
    if (answer === undefined) throw missing;
    return answer;
  });

  app.get('/api/runs/:name/items', async (c) => {
    const request = { folder: await folderOf(c), part: partQuery(c), ...spanQuery(c) };
    const { values, count, total, size } = await looking.order({ kind: 'items', request });
    return floats(c, values, { items: count, total, size });
  });

  app.get('/api/runs/:name/labels', async (c) => {
    const request = { folder: await folderOf(c), part: partQuery(c), ...spanQuery(c) };
    return c.body(await looking.order({ kind: 'labels', request }), 200, { 'content-type': jsonType });
  });

  app.get('/api/runs/:name/codes', async (c) => {
    const folder = await folderOf(c);
    const block = c.req.query('block');
    if (block === undefined) throw new Refusal(400, '“block” is missing: which block’s codes?');
    const count = wholeQuery(c, 'count', 2000, mostCodes);
    const request = { folder, part: partQuery(c), block, count };
    const { values, count: items, total, size, step } = await looking.order({ kind: 'codes', request });
    return floats(c, values, { items, total, size, step });
  });
}

function routesOfChanges(app: Hono, { root, runs, trainer, jobs, preparing }: Parts): void {
  const folderOf = (c: Context) => runFolder(root, nameOf(c));

  /** What changes a run's files waits until nothing else does. */
  const atRest = async (c: Context): Promise<{ name: string; folder: string }> => {
    const [name, folder] = [nameOf(c), await folderOf(c)];
    const row = await runs.row(name);
    if (trainer.isTraining(name) || row?.state === 'running')
      throw new Refusal(409, `“${name}” is being trained.`, 'Stop it first.');
    if (jobs.isBusy(name)) throw new Refusal(409, `“${name}” is being measured or drawn.`, 'Wait until that is done.');
    return { name, folder };
  };

  app.post('/api/runs', async (c) => {
    const form = await bodyOf(c, startRequest);
    const { name, notes } = await preparing.order({ kind: 'prepare', request: trainRequestOf(form, root) });
    await trainer.start(name, join(root, name), notes);
    return json(c, { name, notes }, 201);
  });

  app.post('/api/runs/:name/stop', async (c) => {
    await folderOf(c);
    trainer.stop(nameOf(c));
    return json(c, { name: nameOf(c) }, 202);
  });

  app.post('/api/runs/:name/resume', async (c) => {
    const { name, folder } = await atRest(c);
    const row = await runs.row(name);
    if (row?.state === 'done') throw new Refusal(409, `“${name}” is done: there is nothing left to train.`);
    await trainer.start(name, folder);
    return json(c, { name }, 202);
  });

  app.post('/api/runs/:name/evaluate', async (c) => {
    const { name, folder } = await atRest(c);
    jobs.evaluate(name, folder);
    return json(c, { name }, 202);
  });

  app.post('/api/runs/:name/pictures', async (c) => {
    const { kinds } = await bodyOf(c, picturesRequest);
    const { name, folder } = await atRest(c);
    jobs.draw(name, folder, kinds);
    return json(c, { name }, 202);
  });

  app.put('/api/runs/:name/names', async (c) => {
    const request = await bodyOf(c, nameRequest);
    const folder = await folderOf(c);
    return json(c, { names: await nameDimension(folder, await readModel(folder), request) });
  });

  app.delete('/api/runs/:name', async (c) => {
    const { name, folder } = await atRest(c);
    // Gone from the list at once, also if a part of it can't be removed.
    const aside = join(root, `.deleted-${Date.now()}-${name.slice(0, 100)}`);
    await rename(folder, aside);
    await rm(aside, { recursive: true, force: true, maxRetries: 3 });
    trainer.forget(name);
    jobs.forget(name);
    return json(c, { name });
  });
}

/** Items whose codes are computed, at most. */
const mostCodes = 20_000;

const nameOf = (c: Context): string => c.req.param('name') ?? '';

function spanQuery(c: Context): { from: number; count: number } {
  return { from: wholeQuery(c, 'from', 0, 2 ** 31), count: wholeQuery(c, 'count', 32, mostCodes) };
}
