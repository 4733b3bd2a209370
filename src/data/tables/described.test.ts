import { expect, test } from 'vitest';
import { type TableColumn, textBuilder } from './columns.ts';
import { factorsFrom, fieldsFrom, labelsFrom } from './described.ts';

const numbers = (name: string, ...values: number[]): TableColumn => ({
  kind: 'number',
  name,
  values: Float64Array.from(values),
});

function texts(name: string, ...values: string[]): TableColumn {
  const builder = textBuilder(values.length);
  for (const [row, value] of values.entries()) builder.set(row, value);
  return builder.column(name);
}

const rows = Uint32Array.of(2, 0);

test('texts and gapless whole numbers are discrete factors, others continuous', () => {
  const columns = [
    numbers('index', 0, 2, 1),
    numbers('age', 20, 30, 40),
    numbers('from one', 1, 2, 3),
    numbers('partly', 0, 1, Number.NaN),
    texts('site', 'b', '', 'a'),
  ];
  expect(factorsFrom(columns, rows)).toEqual({
    factors: [
      { name: 'index', kind: 'discrete', size: 3 },
      { name: 'age', kind: 'continuous', size: 0 },
      { name: 'from one', kind: 'continuous', size: 0 },
      { name: 'partly', kind: 'discrete', size: 2 },
      { name: 'site', kind: 'discrete', size: 2 },
    ],
    values: Float32Array.of(1, 40, 3, Number.NaN, 0, 0, 20, 1, 0, 1),
  });
  expect(factorsFrom([], rows)).toBeUndefined();
});

test('classes are those of the whole table, also where only some rows are taken', () => {
  const column = texts('class', 'sick', 'well', 'sick');
  const table = { name: 't.csv', rows: 3, columns: [column], notes: [] };
  expect(labelsFrom(table, column, rows)).toEqual({ names: ['sick', 'well'], values: Uint16Array.of(0, 0) });
});

test('fields are read by item, not by row', () => {
  const [field] = fieldsFrom([numbers('age', 20, 30, 40)], rows);
  expect([field.at(0), field.at(1)]).toEqual([40, 20]);
});
