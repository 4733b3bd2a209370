/**
 * A run's folder and its `run.json`, which holds everything that decides the run and is not changed afterwards, unless to make
 * the run longer. The state of a run is read from its files, and a folder that is damaged or of a newer version is told as such.
 */

import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { z } from 'zod';
import {
  createFolder,
  exists,
  isMissing,
  move,
  readBounded,
  remove,
  sha256,
  syncFolder,
  temporaryBeside,
  writeToDisk,
} from '../disk.ts';
import { codeOf } from '../errno.ts';
import { UntangleError, unknownName } from '../errors.ts';
import { parseSchedule } from '../options/index.ts';
import { withoutSecrets } from '../shell.ts';
import { checkJson, isRecord, jsonSchema, parseJson, readJson, toJson } from './json.ts';
import { theseVersions, thisMachine } from './machine.ts';
import { checkFiles, manifestOf, readListed, writeListed } from './manifest.ts';
import { isRunning, readStatus, type Status } from './status.ts';

/** The version of the run folder's layout that this code writes, and the newest that it reads. */
const format = 1;

/** A number, or text that is a schedule. */
const scheduled = z.union([
  z.number(),
  z.string().refine(isSchedule, 'Invalid input: expected a number or a schedule such as linear(0,4,10000)'),
]);

/** A set of items: a dataset's name or a path, which items of it, how it was read, and what came out. */
const sourceSchema = z.looseObject({
  source: z.string().min(1),
  condition: z.string().optional(),
  options: z.record(z.string(), jsonSchema).default({}),
  fingerprint: z.string(),
});

/** What the caller decides. */
const settingsSchema = z.looseObject({
  /** The call that made the run, for people. */
  command: z.string(),
  method: z.string().min(1),
  preset: z.string().optional(),
  /** Code of the user's own that gives the run its method, network or data. */
  plugins: z.array(z.looseObject({ path: z.string().min(1), sha256: z.string() })).optional(),
  options: z.record(z.string(), jsonSchema),
  data: z.looseObject({
    target: sourceSchema,
    background: sourceSchema.optional(),
    /** How many labels are used. */
    labels: z.int().min(0).optional(),
  }),
  training: z.looseObject({
    seed: z.int().min(0),
    steps: z.int().min(1),
    epochs: z.number().positive().optional(),
    batchSize: z.int().min(1),
    optimiser: z.string().min(1),
    learningRate: scheduled,
    workers: z.int().min(1),
    threads: z.int().min(1),
  }),
});
export type RunSettings = z.input<typeof settingsSchema>;

const runFileSchema = z.looseObject({
  format: z.int().min(1).max(format),
  created: z.iso.datetime(),
  ...settingsSchema.shape,
  versions: z.record(z.string(), z.string()),
  machine: z.looseObject({ platform: z.string(), cpu: z.string(), cores: z.int().min(1) }),
});
export type RunFile = z.infer<typeof runFileSchema>;

export interface Run {
  name: string;
  folder: string;
  file: RunFile;
}

export type RunState = 'running' | 'done' | 'stopped' | 'failed' | 'damaged' | 'newer';

/** A run as a list shows it; `file` is missing if it can't be read. */
export interface RunSummary {
  name: string;
  folder: string;
  state: RunState;
  /** What a person should know of the state. */
  sentence?: string;
  /** Files that are not what was written, as paths inside the run. */
  changed?: string[];
  file?: RunFile;
  status?: Status;
}

/**
 * Makes the folder of a new run in `root`. Without a name it is made from method, data and seed, with a number behind it if
 * there is such a run; a name that is given must be free. Nothing that exists is ever overwritten.
 *
 * @example const run = await createRun('runs', settings) // runs/beta-vae-dsprites-1
 */
export async function createRun(root: string, settings: RunSettings, name?: string): Promise<Run> {
  const made = { versions: theseVersions(), machine: thisMachine() };
  const command = withoutSecrets(settings.command);
  const whole = { format, created: new Date().toISOString(), ...settings, command, ...made };
  const file = checkJson(whole, 'run.json', runFileSchema);
  if (name !== undefined) checkName(name);
  const base = name ?? runName(file);
  await createFolder(root);
  const fresh = temporaryBeside(join(root, base));
  await createFolder(fresh);
  try {
    await writeToDisk(join(fresh, 'run.json'), `${toJson(file, 2)}\n`);
    await writeToDisk(join(fresh, 'manifest.json'), await manifestOf({ 'run.json': join(fresh, 'run.json') }));
    await syncFolder(fresh);
    for (let number = 1; ; number++) {
      const folder = join(root, number === 1 ? base : `${base}-${number}`);
      if (await moveToFree(fresh, folder)) {
        await syncFolder(root);
        return { name: basename(folder), folder, file };
      }
      if (name !== undefined)
        throw new UntangleError(`There is a run “${name}” in “${root}” already.`, {
          kind: 'call',
          hint: 'Give another name, or go on with that run with --resume.',
        });
    }
  } finally {
    await remove(fresh);
  }
}

/** Opens the run in `folder`; an error if it is missing, damaged or of a newer version. */
export async function openRun(folder: string): Promise<Run> {
  const file = await readRunFile(join(folder, 'run.json'));
  return { name: basename(resolve(folder)), folder, file };
}

/** An error unless `steps` are more than the run was made for. */
export function checkLonger({ name, file }: Run, steps: number): void {
  if (steps > file.training.steps) return;
  throw new UntangleError(`“${name}” was made for ${file.training.steps} steps; ${steps} would not be more.`, {
    kind: 'call',
  });
}

/**
 * The SHA-256 of everything in a run's file that its weights follow from, apart from how long it is to be trained: a checkpoint
 * belongs to a run of this hash.
 */
export async function decidesHash({ method, options, data, training }: RunFile): Promise<string> {
  const { steps: _, epochs: __, ...rest } = training;
  return await sha256(new TextEncoder().encode(toJson({ method, options, data, training: rest })));
}

/** Gives a run more steps than it was made for. With the same schedules it is the run that would have been made for as many. */
export async function lengthenRun(run: Run, steps: number): Promise<Run> {
  checkLonger(run, steps);
  const { epochs: _, ...training } = run.file.training;
  const file = { ...run.file, training: { ...training, steps } };
  await writeListed(run.folder, 'run.json', `${toJson(file, 2)}\n`);
  return { ...run, file };
}

/** Reads a `run.json`, which alone is enough to repeat its run. One that stands in its run is checked by the manifest. */
export async function readRunFile(path: string): Promise<RunFile> {
  const bytes =
    basename(path) === 'run.json'
      ? (await readListed(dirname(path), ['run.json'], largest))['run.json']
      : await readBounded(path, largest);
  const value = bytes && parseJson(bytes, path, jsonSchema);
  if (value === undefined) throw new UntangleError(`There is no “${path}”.`, { kind: 'call' });
  if (isNewer(value))
    throw new UntangleError(`“${path}” was written by a newer version of untangle.`, {
      kind: 'call',
      hint: 'Update untangle to open it.',
    });
  return checkJson(value, path, runFileSchema);
}

/**
 * The run that somebody means: a folder, the path of a `run.json`, or a name in `root`.
 *
 * @example await findRun('beta-vae-dsprites-1')
 */
export async function findRun(meant: string, root = 'runs'): Promise<Run> {
  return await openRun(await findRunFolder(meant, root));
}

/** The folder of the run that somebody means, whatever is in it. */
export async function findRunFolder(meant: string, root = 'runs'): Promise<string> {
  for (const folder of [meant, join(root, meant)]) {
    if (await exists(join(folder, 'run.json'))) return folder;
    if (basename(folder) === 'run.json' && (await exists(folder))) return dirname(folder);
  }
  throw unknownName('run', meant, await runFolders(root));
}

/** All runs in `root`, the newest first. A folder that is damaged is in the list with that state, and breaks nothing. */
export async function listRuns(root: string): Promise<RunSummary[]> {
  const runs = await Promise.all((await runFolders(root)).map((name) => inspectRun(join(root, name))));
  const created = (run: RunSummary) => run.file?.created ?? '';
  return runs.sort((a, b) => compare(created(b), created(a)) || compare(a.name, b.name));
}

/** What a run's files say about it. Never fails for what stands in the folder. */
export async function inspectRun(folder: string): Promise<RunSummary> {
  const found = { name: basename(resolve(folder)), folder };
  try {
    const { file } = await openRun(folder);
    const status = await readStatus(folder);
    const state = stateOf(status);
    const changed = await changedFiles(folder);
    return {
      ...found,
      ...state,
      changed: changed.length > 0 ? changed.map(({ name }) => name) : undefined,
      // A training writes anew what it needs; what it stands on, it checks itself.
      ...(changed.length > 0 && state.state !== 'running' && { state: 'damaged', sentence: changed[0].sentence }),
      file,
      status,
    };
  } catch (error) {
    if (!(error instanceof UntangleError) && codeOf(error) === '') throw error;
    const sentence = error instanceof Error ? error.message : String(error);
    const value = await readJson(join(folder, 'run.json'), jsonSchema).catch(() => undefined);
    return { ...found, state: isNewer(value) ? 'newer' : 'damaged', sentence };
  }
}

/** Files of a run that are not what was written, or are missing. */
async function changedFiles(folder: string) {
  return (await checkFiles(folder)).filter(({ state }) => state === 'changed' || state === 'missing');
}

/** The largest `run.json` that is read. */
const largest = 16_000_000;

const isNewer = (value: unknown) => isRecord(value) && typeof value.format === 'number' && value.format > format;

/** Parts of a run folder; a folder with none of them is not a run. */
const parts = new Set(['run.json', 'log.jsonl', 'status.json', 'checkpoint', 'model', 'evaluation.json']);

async function runFolders(root: string): Promise<string[]> {
  const folders = (await entriesOf(root)).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const areRuns = await Promise.all(
    folders.map(async ({ name }) => (await entriesOf(join(root, name))).some((part) => parts.has(part.name))),
  );
  return folders
    .filter((_, i) => areRuns[i])
    .map(({ name }) => name)
    .sort(compare);
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EACCES') return [];
    throw error;
  }
}

function stateOf(status: Status | undefined): { state: RunState; sentence?: string } {
  if (status === undefined) return { state: 'stopped', sentence: 'It has not been trained yet.' };
  if (status.state !== 'running') return { state: status.state, sentence: status.message };
  if (isRunning(status)) return { state: 'running' };
  const last = `at step ${status.step}, ${status.heartbeat}`;
  return { state: 'stopped', sentence: `Its process ended without a word; it was last heard of ${last}.` };
}

/** Renames a folder unless there is something at its new place. */
async function moveToFree(from: string, to: string): Promise<boolean> {
  if (await exists(to)) return false;
  try {
    await move(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EPERM'].includes(codeOf(error)) && (await exists(to))) return false;
    throw error;
  }
}

function runName({ method, data, training }: RunFile): string {
  const { source } = data.target;
  return [method, basename(source, extname(source)), `${training.seed}`].map(slug).join('-');
}

const slug = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'data';

function checkName(name: string) {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u.test(name) && !/[. ]$/.test(name)) return;
  throw new UntangleError(`“${name.slice(0, 120)}” can't be the name of a run.`, {
    kind: 'call',
    hint: 'Use letters, digits, dashes, dots and underscores, at most 100, with a letter or digit first.',
  });
}

function isSchedule(text: string): boolean {
  try {
    parseSchedule(text);
    return true;
  } catch {
    return false;
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
