/** Runs side by side: the settings in which they differ, their last terms, and their metrics, as tables of rows and columns. */
import { join } from 'node:path';
import { UntangleError } from '../errors.ts';
import { type Evaluation, readEvaluation } from './evaluation.ts';
import { isRecord, toJson } from './json.ts';
import { type LogLine, lastLine } from './log.ts';
import { inspectRun, type RunFile, type RunState } from './run.ts';
import { type SeedSpread, seedGroups, spreadOf } from './seeds.ts';

/** What stands in a table; null where a run has nothing to say. */
export type ComparedValue = string | number | boolean | null;

export interface Row {
  name: string;
  /** One cell a run, in the order of `columns`. */
  cells: ComparedValue[];
  /** The columns with the best value, where one value is better than another. */
  best: number[];
  /** Of each group of seeds, where its runs all have a number. */
  spreads?: (SeedSpread | null)[];
}

export interface Section {
  kind: 'settings' | 'terms' | 'metrics';
  title: string;
  rows: Row[];
}

export interface Comparison {
  columns: { name: string; folder: string; state: RunState }[];
  sections: Section[];
  /** The columns of runs that differ in their seed alone. */
  groups: number[][];
  /** Sentences on what could not be compared. */
  notes: string[];
}

/**
 * Compares runs, given by their folders. A run that can't be read keeps its column, empty, with a note.
 *
 * @example const { columns, sections } = await compareRuns(['runs/a', 'runs/b'])
 */
export async function compareRuns(folders: readonly string[]): Promise<Comparison> {
  const notes: string[] = [];
  const runs = await Promise.all(
    folders.map(async (folder) => {
      const summary = await inspectRun(folder);
      if (summary.file === undefined) notes.push(`${summary.name} is left empty. ${summary.sentence ?? ''}`.trim());
      const evaluation = await readEvaluation(folder).catch((error) => {
        if (!(error instanceof UntangleError)) throw error;
        notes.push(`The metrics of ${summary.name} are left out. ${error.message}`);
        return undefined;
      });
      return { summary, line: lastLine(join(folder, 'log.jsonl')), evaluation };
    }),
  );
  const groups = seedGroups(runs.map(({ summary }) => summary.file));
  const spread = (rows: Row[]) => rows.map((row) => withSpreads(row, groups));
  return {
    groups,
    columns: runs.map(({ summary: { name, folder, state } }) => ({ name, folder, state })),
    sections: [
      { kind: 'settings', title: 'Settings that differ', rows: differing(runs.map(({ summary }) => summary.file)) },
      { kind: 'terms', title: 'At the last log step', rows: spread(termRows(runs.map(({ line }) => line))) },
      { kind: 'metrics', title: 'Metrics', rows: spread(metricRows(runs.map(({ evaluation }) => evaluation))) },
    ],
    notes,
  };
}

/** A row with what each group's seeds make of it; without groups, as it was. */
function withSpreads(row: Row, groups: readonly number[][]): Row {
  if (groups.length === 0) return row;
  return { ...row, spreads: groups.map((places) => spreadOf(places.map((at) => row.cells[at])) ?? null) };
}

/** The settings that are not the same in all runs, by their path in `run.json`. Runs that can't be read don't count. */
function differing(files: (RunFile | undefined)[]): Row[] {
  const flat = files.map((file) => {
    const { format: _, created: __, command: ___, ...deciding } = file ?? {};
    return new Map(flatten(deciding, ''));
  });
  const rows = table(flat);
  return rows.filter(({ cells }) => new Set(cells.filter((_, i) => files[i] !== undefined)).size > 1);
}

function* flatten(value: unknown, path: string): Generator<[string, ComparedValue]> {
  if (isRecord(value)) {
    for (const [name, part] of Object.entries(value)) yield* flatten(part, path === '' ? name : `${path}.${name}`);
  } else if (value !== undefined) {
    yield [path, typeof value === 'object' && value !== null ? toJson(value) : cellOf(value)];
  }
}

function termRows(lines: (LogLine | undefined)[]): Row[] {
  const progress = lines.map(
    (line) =>
      new Map<string, ComparedValue>(
        line && Object.entries({ step: line.step, epoch: line.epoch, seconds: line.seconds }),
      ),
  );
  const terms = lines.map((line) => new Map<string, ComparedValue>(line && Object.entries(line.terms)));
  return [...table(progress), ...table(terms)];
}

/** A row a metric; a metric that was measured in different ways has a row for each, since the numbers can't be compared. */
function metricRows(evaluations: (Evaluation | undefined)[]): Row[] {
  const results = evaluations.map((evaluation) => evaluation?.results ?? []);
  const ways = new Map<string, Set<string>>();
  const better = new Map<string, string>();
  const wayOf = ({ version, options }: Evaluation['results'][number]) => `version ${version}, ${toJson(options)}`;
  for (const result of results.flat()) ways.set(result.name, (ways.get(result.name) ?? new Set()).add(wayOf(result)));
  const scores = results.map((measured) => {
    const column = new Map<string, ComparedValue>();
    for (const result of measured) {
      const row = ways.get(result.name)?.size === 1 ? result.name : `${result.name} (${wayOf(result)})`;
      column.set(row, result.score);
      better.set(row, result.better);
    }
    return column;
  });
  return table(scores).map((row) => ({ ...row, best: bestOf(row.cells, better.get(row.name)) }));
}

/** Rows of all names that occur, in the order in which they first do. */
function table(columns: ReadonlyMap<string, ComparedValue>[]): Row[] {
  const names = new Set(columns.flatMap((column) => [...column.keys()]));
  return [...names].map((name) => ({ name, cells: columns.map((column) => column.get(name) ?? null), best: [] }));
}

function bestOf(cells: ComparedValue[], better: string | undefined): number[] {
  const scores = cells.filter((cell): cell is number => typeof cell === 'number' && !Number.isNaN(cell));
  if (scores.length < 2 || better === 'neither' || better === undefined) return [];
  const best = better === 'higher' ? Math.max(...scores) : Math.min(...scores);
  return cells.flatMap((cell, column) => (cell === best ? [column] : []));
}

const cellOf = (value: unknown): ComparedValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
