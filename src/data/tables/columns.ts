/** A table as its columns: numbers, or texts as indices into their distinct values. */
import { UntangleError } from '../../errors.ts';

export type TableColumn = NumberColumn | TextColumn;

export interface NumberColumn {
  kind: 'number';
  name: string;
  /** Not a number where the value is missing. */
  values: Float64Array;
}

export interface TextColumn {
  kind: 'text';
  name: string;
  /** The distinct values, sorted. */
  categories: string[];
  /** −1 where the value is missing. */
  codes: Int32Array;
}

export interface Table {
  /** What messages call it. */
  name: string;
  rows: number;
  columns: TableColumn[];
  /** What a reader of the table should know, in sentences. */
  notes: string[];
}

/** What stands in a cell for “not known”. */
const missing = new Set(['', 'NA', 'N/A', 'n/a', 'NaN', 'nan', 'null', 'NULL', 'None', '?']);

export function isMissingText(text: string): boolean {
  return missing.has(text.trim());
}

/** Infinite values can't be standardised and count as missing. */
const infinite = /^[+-]?inf(inity)?$/i;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The number in a cell, not a number where it is missing, or undefined where it holds something else.
 *
 * @example parseNumber('1,5', true) // 1.5
 */
export function parseNumber(cell: string, decimalComma = false): number | undefined {
  let text = cell.trim();
  if (decimalComma && text.includes(',')) text = text.replace(',', '.');
  if (number.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : Number.NaN;
  }
  return isMissingText(text) || infinite.test(text) ? Number.NaN : undefined;
}

/** Takes the texts of a column one by one; each distinct text is kept once. */
export function textBuilder(rows: number) {
  const found = new Map<string, number>();
  const codes = new Int32Array(rows).fill(-1);
  return {
    set(row: number, cell: string) {
      const text = cell.trim();
      if (isMissingText(text)) return;
      const code = found.get(text) ?? found.size;
      found.set(text, code);
      codes[row] = code;
    },
    column(name: string): TextColumn {
      const categories = [...found.keys()].toSorted(byCodePoint);
      const place = new Int32Array(categories.length);
      for (const [code, category] of categories.entries()) place[found.get(category) ?? 0] = code;
      return { kind: 'text', name, categories, codes: codes.map((code) => (code < 0 ? -1 : place[code])) };
    },
  };
}

/** A table of more columns is a matrix, and is better kept as one. */
const mostColumns = 100_000;

/** Refuses a table that is too wide, before its cells are read. */
export function checkColumnCount(table: string, columns: number): void {
  if (columns <= mostColumns) return;
  throw new UntangleError(`${table} has ${columns} columns, and ${mostColumns} are the most that is read.`, {
    hint: 'Keep so many numbers as an array (.npy), or leave columns out.',
  });
}

/** The names of a table's columns, found usable: none twice, and one for those that have none. */
export function checkedNames(table: string, names: readonly string[]): string[] {
  checkColumnCount(table, names.length);
  const checked = names.map((name, k) => name.trim() || `column ${k + 1}`);
  const places = new Map<string, number>();
  for (const [k, name] of checked.entries()) {
    const first = places.get(name);
    places.set(name, first ?? k);
    if (first !== undefined)
      throw new UntangleError(`${table} has two columns “${name}”, the ${first + 1}. and the ${k + 1}.`, {
        hint: 'Give one of them another name.',
      });
  }
  return checked;
}

/** An order that does not depend on the machine's language. */
function byCodePoint(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
