/**
 * Target and background from one table or from two, under one transformation that is fitted on both together: what is
 * standardised apart can't be compared.
 */
import { UntangleError } from '../../errors.ts';
import { namesIn, parseCondition, selectAmong } from '../conditions/condition.ts';
import { type Conditions, conditionedParts, sharedItems } from '../conditions/contrast.ts';
import { type Table, type TableColumn, textBuilder } from './columns.ts';
import { fieldsFrom } from './described.ts';
import { readTable } from './read-table.ts';
import { resolveColumns, type TableDataset, type TableOptions, tableDataset } from './table.ts';
import { allRows, fitTransformation } from './transformation.ts';

export interface TableContrastOptions extends TableOptions, Conditions {
  /** Another table for the background; without it, `backgroundWhere` tells the rows apart. */
  background?: string;
}

export interface TableContrast {
  target: TableDataset;
  background: TableDataset;
  warnings: string[];
}

/**
 * Opens one table, or two, as target and background. Columns that the conditions ask about tell the two apart, so the model
 * does not see them.
 *
 * @example await openTableContrast('mice.csv', { where: 'class in t-CS-s,t-SC-s', backgroundWhere: 'class in c-CS-s,c-SC-s' })
 */
export async function openTableContrast(path: string, options: TableContrastOptions): Promise<TableContrast> {
  const { where, backgroundWhere } = options;
  const first = await readTable(path, options);
  const second = options.background === undefined ? undefined : await readTable(options.background, options);
  const table = second ? joined(first, second, options) : first;
  const parts = second
    ? {
        target: chosenRows(table, 0, first.rows, where),
        background: chosenRows(table, first.rows, table.rows, backgroundWhere),
        warnings: [],
      }
    : conditionedParts(table.name, table.rows, (condition) => chosenRows(table, 0, table.rows, condition), options);

  const settings = resolveColumns(table, options);
  const asked = askedColumns(table, [where, backgroundWhere]);
  const exclude = [...(settings.exclude ?? []), ...asked.filter((name) => name !== settings.label)];
  const both = Uint32Array.from([...parts.target, ...parts.background]);
  const transformation = fitTransformation(table, both, { ...settings, exclude });
  const target = tableDataset(table, parts.target, transformation, settings.label, `${bare(first)} target`);
  const background = tableDataset(
    table,
    parts.background,
    transformation,
    settings.label,
    `${bare(second ?? first)} background`,
  );
  return { target, background, warnings: second ? sharedItems(target, background) : parts.warnings };
}

/** The rows from `from` up to, and without, `to` that meet the condition; all of them where there is none. */
function chosenRows(table: Table, from: number, to: number, condition: string | undefined): Uint32Array {
  const rows = allRows(table).subarray(from, to);
  if (condition === undefined) return rows;
  const found = selectAmong(table.name, rows.length, fieldsFrom(table.columns, rows), condition);
  return found.map((item) => rows[item]);
}

/** The table's columns that conditions ask about. */
function askedColumns(table: Table, conditions: readonly (string | undefined)[]): string[] {
  const asked = new Set(
    conditions
      .flatMap((text) => (text === undefined ? [] : namesIn(parseCondition(text))))
      .map((name) => name.toLowerCase()),
  );
  return table.columns.map(({ name }) => name).filter((name) => asked.has(name.toLowerCase()));
}

/** One table under the other. A column that only one of them has must be the label, or excluded. */
function joined(first: Table, second: Table, { label, exclude = [] }: TableOptions): Table {
  const names = [...new Set([...first.columns, ...second.columns].map(({ name }) => name))];
  const spared = new Set([label ?? 'label', label ?? 'class', ...exclude].map((name) => name.toLowerCase()));
  const columnOf = (table: Table, name: string) => table.columns.find((column) => column.name === name);
  const alone = names.filter((name) => !(columnOf(first, name) && columnOf(second, name)));
  const odd = alone.filter((name) => !spared.has(name.toLowerCase()));
  if (odd.length > 0)
    throw new UntangleError(
      `${first.name} has ${first.columns.length} columns and ${second.name} ${second.columns.length}; only one of them has ${odd.slice(0, 5).join(', ')}${odd.length > 5 ? ' …' : ''}.`,
      { kind: 'call', hint: 'Both tables need the same columns; others can be excluded.' },
    );
  return {
    name: `${first.name} and ${second.name}`,
    rows: first.rows + second.rows,
    columns: names.map((name) => stacked(name, first, columnOf(first, name), second, columnOf(second, name))),
    notes: [...first.notes, ...second.notes],
  };
}

function stacked(
  name: string,
  first: Table,
  a: TableColumn | undefined,
  second: Table,
  b: TableColumn | undefined,
): TableColumn {
  const rows = first.rows + second.rows;
  const parts = [
    { column: a, from: 0, count: first.rows },
    { column: b, from: first.rows, count: second.rows },
  ].filter(({ column }) => column !== undefined && !isEmpty(column));
  if (parts.every(({ column }) => column?.kind === 'number')) {
    const values = new Float64Array(rows).fill(Number.NaN);
    for (const { column, from } of parts) if (column?.kind === 'number') values.set(column.values, from);
    return { kind: 'number', name, values };
  }
  const builder = textBuilder(rows);
  for (const { column, from, count } of parts) {
    if (column?.kind !== 'text')
      throw new UntangleError(
        `The column ${name} holds numbers in one of ${first.name} and ${second.name}, and texts in the other.`,
      );
    for (let row = 0; row < count; row++) builder.set(from + row, column.categories[column.codes[row]] ?? '');
  }
  return builder.column(name);
}

/** Whether nothing in a column is known, so that it fits with numbers and with texts. */
function isEmpty(column: TableColumn): boolean {
  return column.kind === 'number' ? column.values.every(Number.isNaN) : column.categories.length === 0;
}

function bare({ name }: Table): string {
  return name.replace(/\.[^.]*$/, '');
}
