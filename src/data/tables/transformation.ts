/**
 * How a table's rows become a model's numbers and come back: numbers are standardised, missing ones filled in, categories
 * become one-hot. It is fitted once, is plain JSON, and stays with the run, so that new rows are encoded in the same way.
 */
import { z } from 'zod';
import { UntangleError } from '../../errors.ts';
import type { NumberColumn, Table, TableColumn, TextColumn } from './columns.ts';

const numberSchema = z.object({
  kind: z.literal('number'),
  name: z.string(),
  mean: z.number(),
  /** The standard deviation of the values that were there, with divisor n. */
  deviation: z.number().positive(),
  /** What a missing value is taken for. */
  fill: z.number(),
  /** Whether it holds counts, whose likelihood is that of counts. */
  counts: z.literal(true).optional(),
});

const categorySchema = z.object({
  kind: z.literal('category'),
  name: z.string(),
  categories: z.array(z.string()).min(2),
  fill: z.string(),
});

export const transformationSchema = z.object({
  columns: z.array(z.discriminatedUnion('kind', [numberSchema, categorySchema])).min(1),
  /** Columns that the model does not see, and why. */
  left: z.array(z.object({ name: z.string(), why: z.enum(['label', 'excluded', 'id', 'constant', 'empty', 'many']) })),
  /** How many missing values were filled in when it was fitted, by column. */
  filled: z.record(z.string(), z.number()),
});

export type Transformation = z.infer<typeof transformationSchema>;

export interface FitOptions {
  label?: string;
  exclude?: readonly string[];
  impute?: 'median' | 'mean';
  /** Columns that hold counts; `all` for every column of numbers. */
  counts?: readonly string[];
}

/** A text column with more distinct values is not spread over so many one-hot columns, but left out. */
const mostCategories = 100;

/** Fits a transformation on the given rows of a table. */
export function fitTransformation(table: Table, rows: Uint32Array, options: FitOptions = {}): Transformation {
  const columns: Transformation['columns'] = [];
  const left: Transformation['left'] = [];
  const filled: Transformation['filled'] = {};
  for (const column of table.columns) {
    const { name } = column;
    if (name === options.label) left.push({ name, why: 'label' });
    else if (options.exclude?.includes(name)) left.push({ name, why: 'excluded' });
    else {
      const { fit, missing } =
        column.kind === 'number' ? fitNumbers(column, rows, options) : fitCategories(column, rows);
      if (typeof fit === 'string') left.push({ name, why: fit });
      else {
        columns.push(fit);
        if (missing > 0) filled[name] = missing;
      }
    }
  }
  if (columns.length === 0)
    throw new UntangleError(`${table.name} has no column that a model could learn from.`, {
      hint: left.map(({ name, why }) => `${name}: ${reasons[why]}`).join('; '),
    });
  return { columns, left, filled };
}

/** Why a column was left out, for people. */
export const reasons: Record<Transformation['left'][number]['why'], string> = {
  label: 'it is the label',
  excluded: 'it was to be left out',
  id: 'it is an id, different in every row',
  constant: 'it has the same value in every row',
  empty: 'all its values are missing',
  many: `it has more than ${mostCategories} different texts`,
};

/** The names of the encoded columns, such as `age` and `site=Bonn`. */
export function encodedColumns({ columns }: Transformation): string[] {
  return columns.flatMap((column) =>
    column.kind === 'number' ? [column.name] : column.categories.map((category) => `${column.name}=${category}`),
  );
}

/**
 * The rows of a table as a model sees them, one after the other.
 *
 * @example encodeRows(transformation, await readTable('new.csv'))
 */
export function encodeRows(transformation: Transformation, table: Table, rows = allRows(table)): Float32Array {
  const width = encodedColumns(transformation).length;
  const out = new Float32Array(rows.length * width);
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  let at = 0;
  for (const fit of transformation.columns) {
    const column = byName.get(fit.name);
    if (!column)
      throw new UntangleError(`${table.name} has no column “${fit.name}”, which the model was trained with.`);
    if (fit.kind === 'number') {
      const values = numbersOf(column, table.name);
      for (let i = 0; i < rows.length; i++) {
        const value = values[rows[i]];
        out[i * width + at] = ((Number.isNaN(value) ? fit.fill : value) - fit.mean) / fit.deviation;
      }
      at++;
    } else {
      const place = new Map(fit.categories.map((category, k) => [category, k]));
      const textAt = textsOf(column);
      for (let i = 0; i < rows.length; i++) {
        const text = textAt(rows[i]) ?? fit.fill;
        const k = place.get(text);
        if (k === undefined)
          throw new UntangleError(
            `${table.name} has “${text}” in the column ${fit.name}, which the model has not seen.`,
            {
              hint: `Known: ${fit.categories.join(', ')}.`,
            },
          );
        out[i * width + at + k] = 1;
      }
      at += fit.categories.length;
    }
  }
  return out;
}

/** Encoded rows in the original units: numbers as they were, and of each one-hot block the largest. */
export function decodeRows(
  transformation: Transformation,
  encoded: ArrayLike<number>,
): Record<string, number | string>[] {
  const width = encodedColumns(transformation).length;
  if (encoded.length % width !== 0)
    throw new UntangleError(`${encoded.length} numbers are no whole rows of ${width} columns.`);
  return Array.from({ length: encoded.length / width }, (_, row) => {
    let at = row * width;
    const entries = transformation.columns.map((column): [string, number | string] => {
      if (column.kind === 'number') return [column.name, encoded[at++] * column.deviation + column.mean];
      let best = 0;
      for (let k = 1; k < column.categories.length; k++) if (encoded[at + k] > encoded[at + best]) best = k;
      at += column.categories.length;
      return [column.name, column.categories[best]];
    });
    return Object.fromEntries(entries);
  });
}

/** The numbers of all rows. */
export function allRows({ rows }: { rows: number }): Uint32Array {
  return Uint32Array.from({ length: rows }, (_, row) => row);
}

function fitNumbers({ name, values }: NumberColumn, rows: Uint32Array, { impute = 'median', counts = [] }: FitOptions) {
  const known = Float64Array.from(rows, (row) => values[row])
    .filter((value) => !Number.isNaN(value))
    .sort();
  const missing = rows.length - known.length;
  if (known.length === 0) return { fit: 'empty' as const, missing };
  if (countsRows(values)) return { fit: 'id' as const, missing };
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
  const deviation = Math.sqrt(variance);
  if (known[0] === known[known.length - 1] || !(deviation > 1e-12 * Math.abs(mean)))
    return { fit: 'constant' as const, missing };
  const half = known.length >> 1;
  const median = known.length % 2 ? known[half] : (known[half - 1] + known[half]) / 2;
  const isCount = counts.includes(name) || counts.includes('all');
  const odd = isCount ? known.find((value) => value < 0 || !Number.isInteger(value)) : undefined;
  if (odd !== undefined)
    throw new UntangleError(`The column ${name} is said to hold counts, and holds ${odd}.`, {
      kind: 'call',
      hint: 'Counts are whole numbers from 0 on, as they were counted: not scaled, not logarithms.',
    });
  const fill = impute === 'mean' ? mean : median;
  return {
    fit: { kind: 'number' as const, name, mean, deviation, fill, ...(isCount && { counts: true as const }) },
    missing,
  };
}

function fitCategories({ name, categories, codes }: TextColumn, rows: Uint32Array) {
  const counts = new Uint32Array(categories.length);
  let missing = 0;
  for (const row of rows) {
    if (codes[row] < 0) missing++;
    else counts[codes[row]]++;
  }
  const seen = categories.filter((_, code) => counts[code] > 0);
  if (seen.length === 0) return { fit: 'empty' as const, missing };
  if (seen.length === 1) return { fit: 'constant' as const, missing };
  if (categories.length === codes.length && codes.length > 2) return { fit: 'id' as const, missing };
  if (seen.length > mostCategories) return { fit: 'many' as const, missing };
  const fill = categories[counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))];
  return { fit: { kind: 'category' as const, name, categories: seen, fill }, missing };
}

/** Whether the values are just the numbers of the rows, as a program that writes tables may add them. */
function countsRows(values: Float64Array): boolean {
  const first = values[0];
  return values.length > 2 && (first === 0 || first === 1) && values.every((value, row) => value === row + first);
}

function numbersOf(column: TableColumn, table: string): Float64Array {
  if (column.kind === 'number') return column.values;
  throw new UntangleError(
    `The column ${column.name} of ${table} held numbers when the model was trained, and now holds “${column.categories[0]}”.`,
  );
}

/** A row's text; a column that now holds nothing but numbers may be one of texts such as “1” and “1a” all the same. */
function textsOf(column: TableColumn): (row: number) => string | undefined {
  if (column.kind === 'text') return (row) => column.categories[column.codes[row]];
  return (row) => (Number.isNaN(column.values[row]) ? undefined : String(column.values[row]));
}
