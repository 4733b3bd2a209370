/**
 * The list of runs, kept in memory and renewed by the ages of their files: a look at hundreds of runs is a few file-system
 * calls each, and only what changed is read again.
 */
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from '../crc32.ts';
import { codeOf } from '../errno.ts';
import { inspectRun, isMissing, type RunFile, type RunState, type RunSummary, readEvaluation } from '../runs/index.ts';
import { type JsonText, jsonText } from './answers.ts';
import { isPlainName, runParts } from './folders.ts';
import { sampledLines } from './log-lines.ts';
import { type Notes, noNotes, readNotes } from './notes.ts';

/** A run as the table of runs shows it. */
export interface RunRow {
  name: string;
  state: RunState;
  /** What a person should know of the state. */
  sentence?: string;
  method?: string;
  data?: string;
  background?: string;
  step?: number;
  steps?: number;
  created?: string;
  seed?: number;
  /** Which items are taken of the data and of the background. */
  conditions?: string;
  metrics: Record<string, number>;
  /** Of each metric which way is better, where one is. */
  better: Record<string, 'higher' | 'lower'>;
  /** Options of the method and of the training that are numbers or words. */
  settings: Record<string, string | number | boolean>;
  /** What people wrote to it. */
  note?: string;
  tags: string[];
  /** The loss at even distances, at most sixty numbers. */
  loss: number[];
  files: { model: boolean };
  /** Changes with anything that the run’s own page shows beside its log. */
  version: string;
}

/** What the studio itself knows of a run that its files don't tell yet, and what work on it is under way. */
export interface Underway {
  training(name: string): { state: RunState; sentence?: string } | undefined;
  work(name: string): object;
}

export interface RunList {
  /** Grows with every change. */
  version: number;
  rows: RunRow[];
  text: JsonText<RunRow[]>;
}

interface Known {
  marks: Marks;
  summary: RunSummary;
  loss: number[];
  lastStep: number;
  metrics: Measured;
  notes: Notes;
}

type Measured = Pick<RunRow, 'metrics' | 'better'>;

const parts = [
  'run.json',
  'status.json',
  'log.jsonl',
  'evaluation.json',
  'model/model.json',
  'model/encoder.onnx',
  'model/decoder.onnx',
  'manifest.json',
  'notes.json',
] as const;
type Part = (typeof parts)[number];
type Marks = Record<string, string>;

/** Points of a small curve, at most. */
const lossPoints = 60;

export class RunIndex {
  private readonly root: string;
  private readonly underway: Underway;
  private readonly known = new Map<string, Known>();
  private looking: Promise<RunList> | undefined;
  private last: RunList = { version: 0, rows: [], text: '[]' };

  constructor(root: string, underway: Underway) {
    this.root = root;
    this.underway = underway;
  }

  /** All runs as they are now, the newest first; callers at the same time share a look. */
  list(): Promise<RunList> {
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  /** One run as it is now. */
  async row(name: string): Promise<RunRow | undefined> {
    const known = await this.renewed(name);
    return known && this.rowOf(name, known);
  }

  /** One run as its files tell of it. */
  async summary(name: string): Promise<RunSummary | undefined> {
    return (await this.renewed(name))?.summary;
  }

  private async look(): Promise<RunList> {
    const names = await foldersIn(this.root);
    for (const name of this.known.keys()) if (!names.includes(name)) this.known.delete(name);
    const rows = await Promise.all(await inTurns(names, (name) => this.row(name)));
    const sorted = rows
      .filter((row) => row !== undefined)
      .sort((a, b) => compare(b.created ?? '', a.created ?? '') || compare(a.name, b.name));
    const text = jsonText(sorted);
    if (text !== this.last.text || this.last.version === 0)
      this.last = { version: this.last.version + 1, rows: sorted, text };
    return this.last;
  }

  private async renewed(name: string): Promise<Known | undefined> {
    const folder = join(this.root, name);
    const marks = marksOf(folder);
    if (parts.every((part) => part === 'notes.json' || marks[part] === '') && !hasParts(folder)) {
      this.known.delete(name);
      return undefined;
    }
    const before = this.known.get(name);
    const same = (...which: Part[]) =>
      before !== undefined && which.every((part) => before.marks[part] === marks[part]);
    // Whether a process lives is not told by a file's age.
    const isAsleep = before?.summary.status?.state !== 'running';
    // A training that is awake changes its files all the time, and one that sleeps none.
    const summary = before && same(...parts) && isAsleep ? before.summary : await inspectRun(folder);
    const curve =
      before && same('log.jsonl') ? { loss: before.loss, lastStep: before.lastStep } : await curveOf(folder);
    const metrics = before && same('evaluation.json') ? before.metrics : await metricsOf(folder);
    const notes = before && same('notes.json') ? before.notes : await readNotes(folder).catch(() => noNotes);
    const known = { marks, summary, metrics, notes, ...curve };
    this.known.set(name, known);
    return known;
  }

  private rowOf(name: string, { marks, summary, loss, lastStep, metrics, notes }: Known): RunRow {
    const { file, status } = summary;
    const { state, sentence } = this.stateOf(name, summary);
    return {
      name,
      state,
      sentence,
      ...(file && {
        method: file.method,
        data: file.data.target.source,
        ...(file.data.background && { background: file.data.background.source }),
        steps: file.training.steps,
        created: file.created,
        seed: file.training.seed,
        step: Math.max(status?.step ?? 0, lastStep),
        ...conditionsOf(file),
      }),
      settings: file ? scalars({ ...file.training, ...file.options }) : {},
      ...metrics,
      ...notes,
      loss,
      files: { model: marks['model/model.json'] !== '' },
      version: this.versionOf(name, { ...marks, 'log.jsonl': '', 'status.json': '' }, state),
    };
  }

  private versionOf(name: string, marks: Marks, state: RunState): string {
    const others = ['names.json', 'pictures'].map((part) => markOf(join(this.root, name, part)));
    const seen = JSON.stringify([marks, others, state, this.underway.work(name)]);
    return crc32(Buffer.from(seen)).toString(36);
  }

  /** The state by the run's files, and by what the studio knows before they do. */
  private stateOf(name: string, { state, sentence, status }: RunSummary): { state: RunState; sentence?: string } {
    const underway = this.underway.training(name);
    const hasEnded = status?.state === 'done' || (status?.state === 'stopped' && underway?.state === 'failed');
    if (underway === undefined || hasEnded) return { state, sentence };
    return underway;
  }
}

async function foldersIn(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isPlainName(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EACCES') return [];
    throw error;
  }
}

/** Begins each piece of work; after some milliseconds others get their turn. */
async function inTurns<T, R>(all: readonly T[], begin: (one: T) => R): Promise<R[]> {
  const begun: R[] = [];
  let since = performance.now();
  for (const one of all) {
    begun.push(begin(one));
    if (performance.now() - since < 10) continue;
    await setImmediate();
    since = performance.now();
  }
  return begun;
}

const marksOf = (folder: string): Marks => Object.fromEntries(parts.map((part) => [part, markOf(join(folder, part))]));

/**
 * A text that changes with a file; empty if there is none. Asked for at once: a thousand such calls take milliseconds, and
 * twenty times as long by way of Node's other threads.
 */
export function markOf(path: string): string {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    return facts ? `${facts.mtimeMs} ${facts.size} ${facts.ino}` : '';
  } catch {
    return '';
  }
}

const hasParts = (folder: string): boolean => runParts.some((part) => markOf(join(folder, part)) !== '');

async function curveOf(folder: string): Promise<{ loss: number[]; lastStep: number }> {
  const lines = await sampledLines(join(folder, 'log.jsonl'), lossPoints).catch(() => []);
  return {
    loss: lines.flatMap(({ terms }) => (Number.isFinite(terms.loss) ? [Number(terms.loss.toPrecision(6))] : [])),
    lastStep: lines.at(-1)?.step ?? 0,
  };
}

async function metricsOf(folder: string): Promise<Measured> {
  try {
    const results = (await readEvaluation(folder))?.results ?? [];
    return {
      metrics: Object.fromEntries(results.map(({ name, score }) => [name, score])),
      better: Object.fromEntries(results.flatMap(({ name, better }) => (better === 'neither' ? [] : [[name, better]]))),
    };
  } catch {
    // A damaged evaluation is told on the run's own page.
    return { metrics: {}, better: {} };
  }
}

function conditionsOf({ data: { target, background } }: RunFile): { conditions?: string } {
  const given = [target.condition, background?.condition];
  return given.some((one) => one !== undefined) ? { conditions: given.map((one) => one ?? '').join(' against ') } : {};
}

const scalars = (record: Record<string, unknown>): RunRow['settings'] =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string | number | boolean] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
