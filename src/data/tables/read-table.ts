/** Reads a CSV, TSV or Parquet file as a table. CSV is read twice, first for what its columns hold and then for the values. */
import { basename, extname } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { checkMemory } from '../../memory.ts';
import { findSeparator, readCsvFile, type Separator } from '../formats/csv.ts';
import { readRange, withFile } from '../formats/files.ts';
import { readParquet } from '../formats/parquet.ts';
import {
  checkColumnCount,
  checkedNames,
  isMissingText,
  parseNumber,
  type Table,
  type TableColumn,
  textBuilder,
} from './columns.ts';

export interface ReadTableOptions {
  /** What parts the cells of a CSV file; found by itself otherwise. */
  separator?: Separator;
  /** Whether the first line holds the names; found by itself otherwise. */
  header?: boolean;
}

/** Endings of files that are tables. */
export const tableEndings = ['csv', 'tsv', 'parquet'];

export function isTableFile(path: string): boolean {
  return tableEndings.includes(extname(path).slice(1).toLowerCase());
}

/** Reads a table by its file's ending. */
export async function readTable(path: string, options: ReadTableOptions = {}): Promise<Table> {
  const name = basename(path);
  const ending = extname(path).slice(1).toLowerCase();
  const table = ending === 'parquet' ? await readParquet(path, name) : await readCsvTable(path, name, ending, options);
  if (table.rows === 0) throw new UntangleError(`${name} has no rows.`);
  return table;
}

/** What a cell takes: its number, the same standardised, and a share of what is made of the column. */
const bytesPerCell = 16;

async function readCsvTable(path: string, name: string, ending: string, options: ReadTableOptions): Promise<Table> {
  const beginning = await withFile(path, (handle, size) => readRange(handle, path, 0, Math.min(size, 65536)));
  const found = ending === 'tsv' ? '\t' : findSeparator(Buffer.from(beginning).toString('utf8'));
  const separator = options.separator ?? found;
  // A comma inside a number can only be a decimal comma where it is not the separator.
  const decimalComma = separator !== ',';
  const { first, headed, rows, numeric } = await surveyed(path, name, separator, options.header);
  checkMemory(name, bytesPerCell * rows * first.length);
  const names = checkedNames(name, headed ? first : first.map(() => ''));

  const builders = numeric.map((is) => (is ? new Float64Array(rows) : textBuilder(rows)));
  let row = headed ? -1 : 0;
  await readCsvFile(
    path,
    name,
    (cells) => {
      if (row >= rows) throw new UntangleError(`${name} grew while it was read.`);
      if (row >= 0) {
        for (const [k, builder] of builders.entries()) {
          if (builder instanceof Float64Array) builder[row] = parseNumber(cells[k], decimalComma) ?? Number.NaN;
          else builder.set(row, cells[k]);
        }
      }
      row++;
    },
    separator,
  );
  const columns = builders.map(
    (builder, k): TableColumn =>
      builder instanceof Float64Array ? { kind: 'number', name: names[k], values: builder } : builder.column(names[k]),
  );
  const notes =
    headed || options.header === false
      ? []
      : [`The first line of ${name} looks like data, so its columns are called column 1 to column ${names.length}.`];
  return { name, rows, columns, notes };
}

/** What a first reading finds: names or none, how many rows, and which columns hold nothing but numbers. */
async function surveyed(path: string, name: string, separator: Separator, header: boolean | undefined) {
  const decimalComma = separator !== ',';
  const isNumeric = (cell: string) => parseNumber(cell, decimalComma) !== undefined;
  let first: string[] = [];
  let headed = header;
  let records = 0;
  let numeric: boolean[] = [];
  await readCsvFile(
    path,
    name,
    (cells) => {
      records++;
      if (records === 1) {
        checkColumnCount(name, cells.length);
        first = cells;
        numeric = cells.map(() => true);
        return;
      }
      if (records === 2) headed ??= !looksLikeData(first, cells, isNumeric);
      for (let k = 0; k < cells.length; k++) if (numeric[k]) numeric[k] = isNumeric(cells[k]);
    },
    separator,
  );
  if (records === 0) throw new UntangleError(`${name} is empty.`);
  headed ??= !looksLikeData(first, first, isNumeric);
  if (!headed) numeric = numeric.map((all, k) => all && isNumeric(first[k]));
  return { first, headed, rows: records - (headed ? 1 : 0), numeric };
}

/** A first line is data where it holds numbers, and just where the line after it does. */
function looksLikeData(first: readonly string[], second: readonly string[], isNumeric: (cell: string) => boolean) {
  const known = [...first.keys()].filter((k) => !isMissingText(first[k]) && !isMissingText(second[k]));
  return known.some((k) => isNumeric(first[k])) && known.every((k) => isNumeric(first[k]) === isNumeric(second[k]));
}
