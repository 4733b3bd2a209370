/**
 * A table as a dataset: numeric columns standardised, missing values filled in, categories one-hot. Columns that the model
 * is not to see (the label, ids, those that are excluded) can still be asked about in conditions.
 */
import { basename, extname } from 'node:path';
import { unknownName } from '../../errors.ts';
import { type Dataset, fingerprint, gatherBy } from '../dataset.ts';
import { withFields } from '../fields.ts';
import type { Table } from './columns.ts';
import { factorsFrom, fieldsFrom, labelsFrom } from './described.ts';
import { type ReadTableOptions, readTable } from './read-table.ts';
import {
  allRows,
  encodedColumns,
  encodeRows,
  fitTransformation,
  reasons,
  type Transformation,
} from './transformation.ts';

export interface TableOptions extends ReadTableOptions {
  /** The column that holds the classes; by default one called “label” or “class”, if there is one. */
  label?: string;
  /** Columns that the model is not to see. They become known factors. */
  exclude?: readonly string[];
  /** What a missing number is taken for: the column's median (the default) or mean. */
  impute?: 'median' | 'mean';
  /** Columns that hold counts; `all` for every column of numbers. */
  counts?: readonly string[];
}

export interface TableDataset extends Dataset {
  /** Belongs into the run, for encoding new rows and decoding. */
  readonly transformation: Transformation;
  /** What was left out and filled in, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Opens a CSV, TSV or Parquet file.
 *
 * @example await openTable('mice.csv', { label: 'class', exclude: ['Genotype', 'Treatment', 'Behavior'] })
 */
export async function openTable(path: string, options: TableOptions = {}): Promise<TableDataset> {
  const table = await readTable(path, options);
  const settings = resolveColumns(table, options);
  const rows = allRows(table);
  return tableDataset(table, rows, fitTransformation(table, rows, settings), settings.label);
}

/** The options with the columns they name found in the table, and the label chosen. */
export function resolveColumns(table: Table, options: TableOptions): TableOptions {
  const names = table.columns.map(({ name }) => name);
  const find = (given: string) => {
    const found =
      names.find((name) => name === given) ?? names.find((name) => name.toLowerCase() === given.toLowerCase());
    if (found === undefined) throw unknownName(`column in ${table.name}`, given, names);
    return found;
  };
  const usual = names.find((name) => ['label', 'class'].includes(name.toLowerCase()));
  return {
    ...options,
    label: options.label === undefined ? usual : find(options.label),
    exclude: options.exclude?.map(find),
    counts: options.counts?.map((name) => (name === 'all' ? name : find(name))),
  };
}

/** Rows of a table as a dataset under a transformation. */
export function tableDataset(
  table: Table,
  rows: Uint32Array,
  transformation: Transformation,
  label: string | undefined,
  name = basename(table.name, extname(table.name)),
): TableDataset {
  const values = encodeRows(transformation, table, rows);
  const columns = encodedColumns(transformation);
  const labelColumn = table.columns.find((column) => column.name === label);
  const labels = labelColumn && labelsFrom(table, labelColumn, rows);
  const excluded = new Set(transformation.left.filter(({ why }) => why === 'excluded').map((column) => column.name));
  const factors = factorsFrom(
    table.columns.filter((column) => excluded.has(column.name)),
    rows,
  );
  const width = columns.length;
  const data: TableDataset = {
    name,
    title: table.name,
    shape: { kind: 'table', columns },
    range: 'real',
    length: rows.length,
    gather: gatherBy({ name, length: rows.length, size: width }, (item, out, at) =>
      out.set(values.subarray(item * width, (item + 1) * width), at),
    ),
    labels,
    factors,
    fingerprint: fingerprint(
      'table',
      JSON.stringify(transformation),
      values,
      labels ? labels.names.join('\n') : '',
      labels?.values ?? '',
    ),
    transformation,
    notes: [...table.notes, ...notesOn(transformation)],
  };
  return withFields(data, fieldsFrom(table.columns, rows));
}

/** How a dataset's rows became its numbers, where it is a table. */
export function tableTransformation(data: Dataset): Transformation | undefined {
  return isTable(data) ? data.transformation : undefined;
}

function isTable(data: Dataset): data is TableDataset {
  return 'transformation' in data;
}

/** What a transformation leaves out and fills in, as sentences. */
function notesOn({ left, filled }: Transformation): string[] {
  const notes: string[] = [];
  const chosen = new Set(['label', 'excluded']);
  for (const { name, why } of left)
    if (!chosen.has(why)) notes.push(`The column ${name} was left out: ${reasons[why]}.`);
  const counts = Object.values(filled);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > 0) notes.push(`Missing values that were filled in: ${total}, in ${counts.length} of the columns.`);
  return notes;
}
