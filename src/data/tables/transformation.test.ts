import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Table, type TableColumn, textBuilder } from './columns.ts';
import {
  allRows,
  decodeRows,
  encodedColumns,
  encodeRows,
  fitTransformation,
  transformationSchema,
} from './transformation.ts';

const nan = Number.NaN;

function numbers(name: string, ...values: number[]): TableColumn {
  return { kind: 'number', name, values: Float64Array.from(values) };
}

function texts(name: string, ...values: string[]): TableColumn {
  const builder = textBuilder(values.length);
  for (const [row, value] of values.entries()) builder.set(row, value);
  return builder.column(name);
}

function table(...columns: TableColumn[]): Table {
  const [first] = columns;
  return {
    name: 't.csv',
    rows: first.kind === 'number' ? first.values.length : first.codes.length,
    columns,
    notes: [],
  };
}

const people = table(
  texts('id', 'p1', 'p2', 'p3', 'p4'),
  numbers('age', 10, 20, nan, 60),
  texts('site', 'Bonn', 'Aachen', '', 'Bonn'),
  numbers('year', 2020, 2020, 2020, 2020),
  numbers('empty', nan, nan, nan, nan),
);

describe('fitting', () => {
  test('numbers are standardised by mean and deviation of those that are there; the median stands in for the rest', () => {
    const { columns, filled } = fitTransformation(people, allRows(people));
    const variance = ((10 - 30) ** 2 + (20 - 30) ** 2 + (60 - 30) ** 2) / 3;
    expect(columns[0]).toEqual({ kind: 'number', name: 'age', mean: 30, deviation: Math.sqrt(variance), fill: 20 });
    expect(filled).toEqual({ age: 1, site: 1 });
  });

  test('the mean stands in where it is asked for', () => {
    const { columns } = fitTransformation(people, allRows(people), { impute: 'mean' });
    expect(columns[0]).toMatchObject({ fill: 30 });
  });

  test('ids, constant and empty columns are left out', () => {
    expect(fitTransformation(people, allRows(people)).left).toEqual([
      { name: 'id', why: 'id' },
      { name: 'year', why: 'constant' },
      { name: 'empty', why: 'empty' },
    ]);
  });

  test('so are numbers that only count the rows, and columns of many different texts', () => {
    const row = Array.from({ length: 300 }, (_, i) => i);
    const counted = table(
      numbers('Unnamed: 0', ...row),
      texts('note', ...row.map((i) => `note ${i % 150}`)),
      numbers('x', ...row.map((i) => i % 7)),
    );
    expect(fitTransformation(counted, allRows(counted)).left).toEqual([
      { name: 'Unnamed: 0', why: 'id' },
      { name: 'note', why: 'many' },
    ]);
  });

  test('only the given rows count', () => {
    const { columns } = fitTransformation(people, Uint32Array.of(0, 1));
    expect(columns[0]).toEqual({ kind: 'number', name: 'age', mean: 15, deviation: 5, fill: 15 });
  });

  test('a table of one constant column gets a sentence', () => {
    const constant = table(numbers('x', 3, 3, 3));
    expect(() => fitTransformation(constant, allRows(constant))).toThrow(
      't.csv has no column that a model could learn from.',
    );
  });

  test('it survives being written to a run', () => {
    const fitted = fitTransformation(people, allRows(people));
    expect(transformationSchema.parse(JSON.parse(JSON.stringify(fitted)))).toEqual(fitted);
  });
});

describe('encoding and decoding', () => {
  const fitted = fitTransformation(people, allRows(people));

  test('each category has a column of its own, and the most frequent one stands in', () => {
    expect(encodedColumns(fitted)).toEqual(['age', 'site=Aachen', 'site=Bonn']);
    const encoded = encodeRows(fitted, people);
    expect([...encoded.subarray(0, 3)].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([-0.92582, 0, 1]);
    expect([...encoded.subarray(7, 9)]).toEqual([0, 1]);
  });

  test('new rows are encoded in the same way, whatever order their columns are in', () => {
    const fresh = table(texts('site', 'Aachen'), numbers('age', 60), numbers('more', 1));
    const [age, aachen, bonn] = encodeRows(fitted, fresh);
    expect([age, aachen, bonn]).toEqual([...encodeRows(fitted, people).subarray(9, 10), 1, 0]);
  });

  test('decoded rows come back in the original units', () => {
    expect(decodeRows(fitted, [0, 0.2, 0.7, 1, 0.9, 0.1])).toEqual([
      { age: 30, site: 'Bonn' },
      { age: 30 + Math.sqrt(1400 / 3), site: 'Aachen' },
    ]);
  });

  test('new rows that do not fit get a sentence', () => {
    expect(() => encodeRows(fitted, table(numbers('age', 1)))).toThrow(
      't.csv has no column “site”, which the model was trained with.',
    );
    expect(() => encodeRows(fitted, table(numbers('age', 1), texts('site', 'Köln')))).toThrow(
      't.csv has “Köln” in the column site, which the model has not seen.',
    );
    expect(() => encodeRows(fitted, table(texts('age', 'old'), texts('site', 'Bonn')))).toThrow(
      'The column age of t.csv held numbers when the model was trained, and now holds “old”.',
    );
    expect(() => decodeRows(fitted, [1, 2])).toThrow('2 numbers are no whole rows of 3 columns.');
  });

  test('what is encoded is decoded to what it was', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const row = fc.tuple(value, fc.constantFrom('a', 'b', 'c'));
    fc.assert(
      fc.property(fc.array(row, { minLength: 3, maxLength: 20 }), (rows) => {
        const spread = [...rows, [-5, 'a'], [5, 'b']] as const;
        const given = table(numbers('x', ...spread.map(([x]) => x)), texts('kind', ...spread.map(([, kind]) => kind)));
        const fitted = fitTransformation(given, allRows(given));
        const back = decodeRows(fitted, encodeRows(fitted, given));
        const scale = Math.max(...spread.map(([x]) => Math.abs(x)));
        for (const [i, [x, kind]] of spread.entries()) {
          expect(back[i].kind).toBe(kind);
          expect(Math.abs(Number(back[i].x) - x)).toBeLessThanOrEqual(1e-6 * scale);
        }
      }),
    );
  });
});
