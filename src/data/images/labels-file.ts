/**
 * `labels.csv`, which says of each picture in a folder what is known about it: a column `file`, usually one called `label`,
 * and any number of further ones, which become factors.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UntangleError, unknownName } from '../../errors.ts';
import type { Factors, Labels } from '../../model/index.ts';
import type { Field } from '../fields.ts';
import type { Table, TableColumn } from '../tables/columns.ts';
import { factorsFrom, fieldsFrom, labelsFrom } from '../tables/described.ts';
import { readTable } from '../tables/read-table.ts';

export interface LabelsFile {
  /** The pictures it names that are in the folder, in its order. */
  files: string[];
  /** What is known of the pictures at `kept`, as indices into `files`. */
  details(kept: Uint32Array): { labels?: Labels; factors?: Factors; fields: Field[] };
  notes: string[];
}

/**
 * Reads the file if there is one. Pictures that it names but that are not `found`, and the other way round, are an error
 * unless what is bad is to be skipped.
 */
export async function readLabelsFile(
  folder: string,
  found: readonly string[],
  { skipBad = false }: { skipBad?: boolean },
): Promise<LabelsFile | undefined> {
  const path = join(folder, 'labels.csv');
  if (!existsSync(path)) return undefined;
  const table = await readTable(path, { header: true });
  const named = fileColumn(table);
  const rowOf = new Map<string, number>();
  for (let row = 0; row < table.rows; row++) {
    const file = named(row);
    if (file === undefined) throw new UntangleError(`labels.csv names no file in row ${row + 1}.`);
    if (rowOf.has(file)) throw new UntangleError(`labels.csv names ${file} twice.`);
    rowOf.set(file, row);
  }
  const there = new Set(found);
  const absent = [...rowOf.keys()].filter((file) => !there.has(file));
  const unnamed = found.filter((file) => !rowOf.has(file));
  const files = [...rowOf.keys()].filter((file) => there.has(file));
  const notes = [
    ...sentence(absent, 'labels.csv names', 'not in the folder'),
    ...sentence(unnamed, 'The folder holds', 'not in labels.csv'),
  ];
  if (files.length === 0 || (notes.length > 0 && !skipBad))
    throw new UntangleError(notes.join(' '), {
      hint:
        files.length === 0
          ? 'Files are named as paths from the folder, such as cats/1.png.'
          : '--skip-bad goes on with the pictures that both have.',
    });
  const rows = Uint32Array.from(files, (file) => rowOf.get(file) ?? 0);
  return {
    files,
    notes,
    details: (kept) =>
      detailsOf(
        table,
        kept.map((index) => rows[index]),
      ),
  };
}

function sentence(files: readonly string[], who: string, where: string): string[] {
  if (files.length === 0) return [];
  const some = files.slice(0, 3).join(', ') + (files.length > 3 ? ' …' : '');
  return [`${who} ${files.length} ${files.length === 1 ? 'picture that is' : 'pictures that are'} ${where}: ${some}.`];
}

function fileColumn(table: Table): (row: number) => string | undefined {
  const column = table.columns.find(isCalled('file'));
  if (!column)
    throw unknownName(
      'column in labels.csv',
      'file',
      table.columns.map(({ name }) => name),
    );
  // Files that are called 1, 2, 3 … without an ending would be numbers; pictures have endings.
  if (column.kind === 'number') return (row) => String(column.values[row]);
  return (row) => column.categories[column.codes[row]]?.replaceAll('\\', '/');
}

const isCalled = (name: string) => (column: TableColumn) => column.name.toLowerCase() === name;

function detailsOf(table: Table, rows: Uint32Array) {
  const rest = table.columns.filter((column) => !isCalled('file')(column));
  const label = rest.find(isCalled('label'));
  return {
    labels: label && labelsFrom(table, label, rows),
    factors: factorsFrom(
      rest.filter((column) => column !== label),
      rows,
    ),
    fields: fieldsFrom(rest, rows),
  };
}
