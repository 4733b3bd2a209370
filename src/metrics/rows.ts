/**
 * Which rows a metric looks at, and the columns it reads there. Metrics that fit something train on one part of the rows
 * and test on another; codes and factors come out as one Float64Array a column.
 */

import type { Numbers } from '../analysis/index.ts';
import { discretise } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import type { CodeTable, FactorTable, Inputs, ScoreContext } from './metric.ts';

/** All rows in order if there are at most `most`, otherwise `most` random ones. */
export function takeRows(n: number, most: number, context: ScoreContext): Uint32Array {
  if (n <= most) return Uint32Array.from({ length: n }, (_, i) => i);
  return stream(context.seed, 'rows of a metric').permutation(n).subarray(0, most);
}

/**
 * Disjoint random rows to train and to test on. With fewer rows than asked for, both parts shrink in proportion.
 *
 * @example splitRows(600, 10000, 5000, { seed: 0 }) // 400 rows to train on, 200 to test on
 */
export function splitRows(
  n: number,
  train: number,
  test: number,
  context: ScoreContext,
): { train: Uint32Array; test: Uint32Array } {
  const trainRows = n >= train + test ? train : Math.min(n - 1, Math.max(1, Math.round((n * train) / (train + test))));
  const order = stream(context.seed, 'train and test rows of a metric').permutation(n);
  return { train: order.subarray(0, trainRows), test: order.subarray(trainRows, Math.min(n, trainRows + test)) };
}

/** One column of a row-by-row table at the given rows. */
export function column(values: Numbers, width: number, at: number, rows: Uint32Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = values[rows[i] * width + at];
  return out;
}

/** Every dimension of the codes at the given rows. */
export function codeColumns(codes: CodeTable, rows: Uint32Array): Float64Array[] {
  return Array.from({ length: codes.d }, (_, j) => column(codes.values, codes.d, j, rows));
}

/** The codes at the given rows, row by row, of `size` dimensions from `start` on. */
export function codeRows(codes: CodeTable, rows: Uint32Array, start = 0, size = codes.d): Float64Array {
  const out = new Float64Array(rows.length * size);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * codes.d + start;
    for (let j = 0; j < size; j++) out[i * size + j] = codes.values[from + j];
  }
  return out;
}

/** A factor, or the labels, as classes 0 … size−1 in the order of its values. */
export interface ClassColumn {
  name: string;
  /** Its place among the table's factors; −1 for labels. */
  k: number;
  /** The class of every row of the table. */
  values: Int32Array;
  size: number;
}

/** More values than this are not classes: a classifier for each would take for ever, and each value has too few rows. */
const mostClasses = 1000;

/**
 * The factors that vary, as classes over all rows. A continuous factor is cut into `bins` equal bins between its smallest
 * and largest value. Factors with a single value tell nothing and are left out, with a note.
 */
export function classColumns(
  table: FactorTable,
  bins: number,
  notes: string[],
  most: number = mostClasses,
): ClassColumn[] {
  const all = Uint32Array.from({ length: table.n }, (_, i) => i);
  const columns: ClassColumn[] = [];
  const cut: string[] = [];
  table.factors.forEach(({ name, kind }, k) => {
    const values = column(table.values, table.factors.length, k, all);
    const classes = { name, k, ...asClasses(kind === 'continuous' ? discretise(values, bins) : values) };
    if (!usable(classes, most, notes)) return;
    if (kind === 'continuous') cut.push(`“${name}”`);
    columns.push(classes);
  });
  if (cut.length > 0) notes.push(`Continuous factors are cut into ${bins} equal bins: ${cut.join(', ')}.`);
  if (columns.length === 0) throw new UntangleError(`There is nothing to measure. ${notes.join(' ')}`);
  return columns;
}

/** What a classifier can be asked for: the labels, and every discrete factor with two values or more. */
export function classTargets({ labels, factors }: Inputs, notes: string[]): ClassColumn[] {
  const targets: ClassColumn[] = [];
  if (labels) targets.push({ name: 'label', k: -1, ...asClasses(labels.values) });
  if (factors) {
    const all = Uint32Array.from({ length: factors.n }, (_, i) => i);
    factors.factors.forEach(({ name, kind }, k) => {
      if (kind === 'discrete')
        targets.push({ name, k, ...asClasses(column(factors.values, factors.factors.length, k, all)) });
    });
  }
  const kept = targets.filter((target) => usable(target, mostClasses, notes));
  if (kept.length === 0) throw new UntangleError(`There is nothing to classify. ${notes.join(' ')}`);
  return kept;
}

function usable({ name, k, size }: ClassColumn, most: number, notes: string[]): boolean {
  const what = k < 0 ? 'The label' : `Factor “${name}”`;
  if (size < 2) notes.push(`${what} has a single value and is left out.`);
  if (size > most) notes.push(`${what} has ${size} values, too many for classes, and is left out.`);
  return size >= 2 && size <= most;
}

/** Numbers as classes 0 … size−1 in the order of the numbers. */
export function asClasses(values: ArrayLike<number>): { values: Int32Array; size: number } {
  return countedClasses(values) ?? mappedClasses(values);
}

/** Whole numbers below this are looked up in a table, which most factors are. */
const tableSize = 1024;

function countedClasses(values: ArrayLike<number>): { values: Int32Array; size: number } | undefined {
  const rank = new Int32Array(tableSize);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!(value >= 0 && value < tableSize && Math.floor(value) === value)) return undefined;
    rank[value] = 1;
  }
  let size = 0;
  for (let value = 0; value < tableSize; value++) if (rank[value] === 1) rank[value] = size++;
  const classes = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) classes[i] = rank[values[i]];
  return { values: classes, size };
}

function mappedClasses(values: ArrayLike<number>): { values: Int32Array; size: number } {
  const sorted = [...new Set(Array.from(values))].sort((a, b) => a - b);
  const rank = new Map(sorted.map((value, place) => [value, place]));
  return { values: Int32Array.from(values, (value) => rank.get(value)!), size: sorted.length };
}

/** The classes at the given rows. */
export function classesAt(classes: ClassColumn, rows: Uint32Array): Int32Array {
  const out = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = classes.values[rows[i]];
  return out;
}
