/** The studio's routes: what a page can ask for and do, each a few lines over the files of this room. */
import { rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { builtIn } from '../data/index.ts';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import { readModelAsIs, refuseChanged, theseVersions } from '../runs/index.ts';
import { failed, fileAnswer, floats, type JsonText, json, jsonAnswer, jsonText, Refusal, refused } from './answers.ts';
import { datasetList, methodList } from './catalogue.ts';
import { checkDataPlaces } from './data-places.ts';
import { eventStream } from './events.ts';
import { checkedRunFolder, runFile } from './folders.ts';
import { guard, type Keys, secured } from './guard.ts';
import type { Jobs } from './jobs.ts';
import { thinnedLog } from './log-lines.ts';
import { inTurn, nameDimension, nameRequest } from './names.ts';
import { notesRequest, writeNotes } from './notes.ts';
import { Recent } from './recent.ts';
import {
  body,
  chosenCodes,
  followed,
  largestBody,
  picturesRequest,
  span,
  startRequest,
  trainRequestOf,
} from './requests.ts';
import { isPicture, readRunFiles } from './run-files.ts';
import { markOf, type RunIndex } from './runs.ts';
import { appFile } from './static.ts';
import { studioTeller } from './tell.ts';
import type { Trainer } from './trainer.ts';
import type { SentEvaluation, SentLine, SentRow, StudioEvents } from './wire.ts';
import type { Workshop } from './workshop.ts';

export interface Parts {
  /** The folder of runs. */
  root: string;
  keys: Keys;
  /** The folders in which pages may name data. */
  dataRoots: readonly string[];
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

/** The routes as types: what each takes and gives, by which the pages call them. */
export type StudioApi = ReturnType<typeof studioApi>;

export function studioApp(parts: Parts): Hono {
  const app = new Hono();
  app.use(secured);
  app.use(guard(parts.keys, parts.port));
  app.use(
    bodyLimit({
      maxSize: largestBody,
      onError: (c) => refused(c, 413, `A request holds at most ${largestBody} bytes.`),
    }),
  );
  app.onError((error, c) => failed(c, error));
  app.notFound((c) => refused(c, 404, `The studio has no ${c.req.method} ${c.req.path.slice(0, 200)}.`));
  app.route('/', studioApi(parts));
  app.get('/*', (c) => (c.req.path.startsWith('/api/') ? c.notFound() : appFile(c, parts.app)));
  return app;
}

const studioApi = (parts: Parts) =>
  new Hono()
    .route('/api', routesOfStudio(parts))
    .route('/api/runs', routesOfRuns(parts))
    .route('/api/runs', routesOfRun(parts))
    .route('/api/runs', routesOfChanges(parts));

function routesOfStudio({ root, keys: { token }, jobs, runs, closing }: Parts) {
  const previews = new Recent<Uint8Array<ArrayBuffer>>(40);
  return new Hono()
    .get('/session', (c) =>
      json(c, { token, version: theseVersions().untangle, runsFolder: root, workers: availableParallelism() }),
    )
    .get('/events', followed, (c) =>
      eventStream<StudioEvents>(c, closing, 250, studioTeller(root, runs, c.req.valid('query').follow)),
    )
    .get('/methods', (c) => json(c, methodList()))
    .get('/datasets', (c) => json(c, datasetList()))
    .get('/datasets/:name/preview.png', async (c) => {
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

function routesOfRuns({ runs }: Parts) {
  return new Hono().get('/', async (c) => jsonAnswer<SentRow[]>(c, (await runs.list()).text));
}

function routesOfRun({ root, runs, trainer, jobs, looking }: Parts) {
  const folderOf = (c: Context) => checkedRunFolder(root, nameOf(c));
  const logs = new Recent<JsonText<{ lines: SentLine[] }>>(8);
  return new Hono()
    .get('/:name', async (c) => {
      const folder = await folderOf(c);
      const name = nameOf(c);
      const [row, summary, files] = await Promise.all([listed(runs, name), runs.summary(name), readRunFiles(folder)]);
      const { file, status } = summary ?? {};
      const { evaluation, ...others } = files;
      const measured: SentEvaluation | undefined = evaluation;
      return json(c, {
        ...row,
        ...defined({ file, command: file?.command, status, evaluation: measured }),
        ...others,
        work: jobs.of(name),
        /** Whether it is this studio that trains it. */
        here: trainer.isTraining(name),
        ...trainer.facts(name),
      });
    })
    .get('/:name/log', async (c) => {
      const path = await runFile(await folderOf(c), 'log.jsonl');
      const text = await logs.get(`${path} ${markOf(path)}`, async () =>
        jsonText({ lines: await thinnedLog(path, logLines) }),
      );
      return jsonAnswer(c, text);
    })
    .get('/:name/model/:file', async (c) => {
      const folder = await folderOf(c);
      const file = c.req.param('file');
      const missing = new Refusal(404, `This run has no ${file.slice(0, 100)}.`);
      if (file !== 'model.json' && file !== 'encoder.onnx' && file !== 'decoder.onnx') throw missing;
      const path = await runFile(folder, 'model', file).catch(() => Promise.reject(missing));
      await refuseChanged(folder, `model/${file}`);
      const answer = await fileAnswer(c, path);
      if (answer === undefined) throw missing;
      return answer;
    })
    .get('/:name/pictures/:file', async (c) => {
      const folder = await folderOf(c);
      const file = c.req.param('file');
      const missing = new Refusal(404, `This run has no picture “${file.slice(0, 100)}”.`);
      if (!isPicture(file)) throw missing;
      // An SVG is a document that could hold a script; here it is a picture and nothing else.
      const picture = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
      const answer = await fileAnswer(c, await runFile(folder, 'pictures', file), picture);
      if (answer === undefined) throw missing;
      return answer;
    })
    .get('/:name/items', span, async (c) => {
      const request = { folder: await folderOf(c), ...c.req.valid('query') };
      const { values, count, total, size } = await looking.order({ kind: 'items', request });
      return floats(c, values, { items: count, total, size });
    })
    .get('/:name/labels', span, async (c) => {
      const request = { folder: await folderOf(c), ...c.req.valid('query') };
      return jsonAnswer(c, await looking.order({ kind: 'labels', request }));
    })
    .get('/:name/codes', chosenCodes, async (c) => {
      const request = { folder: await folderOf(c), ...c.req.valid('query') };
      const { values, count: items, total, size, step } = await looking.order({ kind: 'codes', request });
      return floats(c, values, { items, total, size, step });
    });
}

function routesOfChanges({ root, dataRoots, runs, trainer, jobs, preparing }: Parts) {
  const folderOf = (c: Context) => checkedRunFolder(root, nameOf(c));

  /** What changes a run's files waits until nothing else does. */
  const atRest = async (c: Context): Promise<{ name: string; folder: string }> => {
    const [name, folder] = [nameOf(c), await folderOf(c)];
    const row = await runs.row(name);
    if (trainer.isTraining(name) || row?.state === 'running')
      throw new Refusal(409, `“${name}” is being trained.`, 'Stop it first.');
    if (jobs.isBusy(name)) throw new Refusal(409, `“${name}” is being measured or drawn.`, 'Wait until that is done.');
    return { name, folder };
  };

  return new Hono()
    .post('/', body(startRequest), async (c) => {
      const request = trainRequestOf(c.req.valid('json'), root);
      await checkDataPlaces(request, dataRoots);
      const { name, notes } = await preparing.order({ kind: 'prepare', request }).catch((error) => {
        // What can't be prepared as it was asked for is the asker's; what the machine lacks is not.
        const isAskers = error instanceof UntangleError && error.code === undefined;
        throw isAskers ? new Refusal(400, error.message, error.hint) : error;
      });
      await trainer.start(name, join(root, name), notes);
      return json(c, { name, notes }, 201);
    })
    .post('/:name/stop', async (c) => {
      await folderOf(c);
      trainer.stop(nameOf(c));
      return json(c, { name: nameOf(c) }, 202);
    })
    .post('/:name/resume', async (c) => {
      const { name, folder } = await atRest(c);
      const row = await runs.row(name);
      if (row?.state === 'done') throw new Refusal(409, `“${name}” is done: there is nothing left to train.`);
      await trainer.start(name, folder);
      return json(c, { name }, 202);
    })
    .post('/:name/evaluate', async (c) => {
      const { name, folder } = await atRest(c);
      jobs.evaluate(name, folder);
      return json(c, { name }, 202);
    })
    .post('/:name/pictures', body(picturesRequest), async (c) => {
      const { name, folder } = await atRest(c);
      jobs.draw(name, folder, c.req.valid('json').kinds);
      return json(c, { name }, 202);
    })
    .put('/:name/names', body(nameRequest), async (c) => {
      const folder = await folderOf(c);
      return json(c, { names: await nameDimension(folder, await readModelAsIs(folder), c.req.valid('json')) });
    })
    .put('/:name/notes', body(notesRequest), async (c) => {
      const folder = await folderOf(c);
      return json(c, await inTurn(folder, () => writeNotes(folder, c.req.valid('json'))));
    })
    .delete('/:name', async (c) => {
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

const nameOf = (c: Context): string => c.req.param('name') ?? '';

/** A run as the list shows it; one that has just gone is missing. */
async function listed(runs: RunIndex, name: string): Promise<SentRow> {
  const row = await runs.row(name);
  if (row === undefined) throw new Refusal(404, `There is no run “${name.slice(0, 100)}”.`);
  return row;
}
