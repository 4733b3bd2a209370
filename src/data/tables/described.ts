/** What the columns of a table say about the items of a dataset, item i being row `rows[i]`: labels, factors, fields. */
import { UntangleError } from '../../errors.ts';
import type { Factor, Factors, Labels } from '../../model/index.ts';
import type { Field } from '../fields.ts';
import type { Table, TableColumn } from './columns.ts';

/** The columns as fields that conditions may ask about. */
export function fieldsFrom(columns: readonly TableColumn[], rows: Uint32Array): Field[] {
  return columns.map((column) =>
    column.kind === 'number'
      ? { kind: 'number', name: column.name, at: (item) => column.values[rows[item]] }
      : { kind: 'text', name: column.name, categories: column.categories, at: (item) => column.codes[rows[item]] },
  );
}

/** A column as classes; where any of the table's rows lacks one, there is a class “missing”. */
export function labelsFrom(table: Table, column: TableColumn, rows: Uint32Array): Labels {
  const { categories, codeOf } = categoriesOf(column);
  if (categories.length > 1000)
    throw new UntangleError(
      `The column ${column.name} of ${table.name} has ${categories.length} different values, too many for a label.`,
      { kind: 'call', hint: 'Choose another column as the label.' },
    );
  let lacking = false;
  for (let row = 0; row < table.rows && !lacking; row++) lacking = codeOf(row) < 0;
  return {
    names: lacking ? [...categories, 'missing'] : [...categories],
    values: Uint16Array.from(rows, (row) => (codeOf(row) < 0 ? categories.length : codeOf(row))),
  };
}

/** Columns as factors, not a number where a value is missing; undefined where there is no column. */
export function factorsFrom(columns: readonly TableColumn[], rows: Uint32Array): Factors | undefined {
  if (columns.length === 0) return undefined;
  const values = new Float32Array(rows.length * columns.length);
  for (const [k, column] of columns.entries()) {
    for (let i = 0; i < rows.length; i++) {
      const value = column.kind === 'number' ? column.values[rows[i]] : column.codes[rows[i]];
      values[i * columns.length + k] = column.kind === 'text' && value < 0 ? Number.NaN : value;
    }
  }
  return { factors: columns.map(factorFrom), values };
}

/** Texts, and numbers that are just 0, 1, 2 … without a gap, are discrete. */
function factorFrom(column: TableColumn): Factor {
  const { name } = column;
  if (column.kind === 'text') return { name, kind: 'discrete', size: column.categories.length };
  const distinct = new Set(column.values.filter((value) => !Number.isNaN(value)));
  let size = 0;
  while (distinct.has(size)) size++;
  return size > 0 && size === distinct.size ? { name, kind: 'discrete', size } : { name, kind: 'continuous', size: 0 };
}

function categoriesOf(column: TableColumn): { categories: readonly string[]; codeOf: (row: number) => number } {
  if (column.kind === 'text') return { categories: column.categories, codeOf: (row) => column.codes[row] };
  const distinct = [...new Set(column.values)].filter((value) => !Number.isNaN(value)).toSorted((a, b) => a - b);
  const place = new Map(distinct.map((value, code) => [value, code]));
  return { categories: distinct.map(String), codeOf: (row) => place.get(column.values[row]) ?? -1 };
}
