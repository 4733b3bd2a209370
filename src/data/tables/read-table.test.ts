import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { newFolder } from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import { readTable } from './read-table.ts';
import { openTable } from './table.ts';

const folder = newFolder();

function stored(text: string, name = 't.csv'): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('columns', () => {
  test('a column is of numbers if all its cells are numbers or missing, and of texts otherwise', async () => {
    const { rows, columns } = await readTable(stored('dose,site,code\n0.5,Bonn,1\nNA,,1a\n2,Köln,2\n'));
    expect(rows).toBe(3);
    expect(columns).toEqual([
      { kind: 'number', name: 'dose', values: Float64Array.of(0.5, Number.NaN, 2) },
      { kind: 'text', name: 'site', categories: ['Bonn', 'Köln'], codes: Int32Array.of(0, -1, 1) },
      { kind: 'text', name: 'code', categories: ['1', '1a', '2'], codes: Int32Array.of(0, 1, 2) },
    ]);
  });

  test('semicolons with decimal commas, and tabs', async () => {
    const german = await readTable(stored('Größe;Ort\r\n1,5;a\r\n2,25;b\r\n'));
    expect(german.columns[0]).toEqual({ kind: 'number', name: 'Größe', values: Float64Array.of(1.5, 2.25) });
    const tabs = await readTable(stored('a\tb\n1\t2\n', 't.tsv'));
    expect(tabs.columns.map((column) => column.name)).toEqual(['a', 'b']);
  });

  test('without a header, columns are numbered and a note says so', async () => {
    const { rows, columns, notes } = await readTable(stored('5.1,3.5,setosa\n4.9,3.0,setosa\n'));
    expect([rows, ...columns.map((column) => column.name)]).toEqual([2, 'column 1', 'column 2', 'column 3']);
    expect(notes).toEqual(['The first line of t.csv looks like data, so its columns are called column 1 to column 3.']);
  });

  test('a header can be asserted, or denied', async () => {
    const years = stored('2019,2020\n5,6\n');
    expect((await readTable(years, { header: true })).columns.map((column) => column.name)).toEqual(['2019', '2020']);
    const words = await readTable(stored('a,b\nc,d\n'), { header: false });
    expect([words.rows, words.notes]).toEqual([2, []]);
  });
});

describe('what is wrong gets a sentence', () => {
  test.each([
    ['', 't.csv is empty.'],
    ['\uFEFF\n\n', 't.csv is empty.'],
    ['a,b\n', 't.csv has no rows.'],
    ['a,a\n1,2\n', 't.csv has two columns “a”, the 1. and the 2.'],
    ['a,b\n1,2\n3\n', 't.csv, line 3, has 1 cell, but line 1 has 2.'],
  ])('%j', async (text, sentence) => {
    await expect(readTable(stored(text))).rejects.toThrow(sentence);
  });

  test('a file that is not there', async () => {
    await expect(readTable(join(folder, 'none.csv'))).rejects.toThrow('There is no file');
  });
});

test('a hundred thousand columns are read within seconds, and more are refused at once', async () => {
  const wide = (columns: number) => {
    const row = (cell: (k: number) => string) => Array.from({ length: columns }, (_, k) => cell(k)).join(',');
    const path = join(newFolder(), 'wide.csv');
    writeFileSync(path, [row((k) => `c${k}`), row((k) => `${k % 7}`), row((k) => `${k % 5}`), ''].join('\n'));
    return path;
  };
  const path = wide(100_000);
  const before = performance.now();
  const { shape } = await openTable(path);
  expect(shape.kind === 'table' && shape.columns.length).toBeGreaterThan(80_000);
  // Squares of it took a minute and a half. Other programs share the machine.
  expect(performance.now() - before).toBeLessThan(15_000);
  await expect(readTable(wide(100_001))).rejects.toThrow('has 100001 columns, and 100000 are the most that is read.');
});

test('broken bytes give a table with even columns or a sentence', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('a,b\n', '1,2\n', '"', ';', '\t', '\r', '\n', ',', '1e999', 'NaN', '\uFEFF', '\0')
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const path = join(folder, 'noise.csv');
      writeFileSync(path, Buffer.concat(pieces));
      try {
        const { rows, columns } = await readTable(path);
        for (const column of columns)
          expect(column.kind === 'number' ? column.values.length : column.codes.length).toBe(rows);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 500 },
  );
});

const mice = sharedData('mice-protein');

test.skipIf(!mice)(
  'the mice table: 1080 rows of 82 columns, 1396 values missing, no mark in the first name',
  async () => {
    const { rows, columns } = await readTable(join(mice ?? '', 'Data_Cortex_Nuclear.csv'));
    expect([rows, columns.length, columns[0].name]).toEqual([1080, 82, 'MouseID']);
    const numbers = columns.filter((column) => column.kind === 'number');
    expect(numbers.length).toBe(77);
    const missing = numbers.reduce((sum, { values }) => sum + values.filter(Number.isNaN).length, 0);
    expect(missing).toBe(1396);
    const texts = columns.filter((column) => column.kind === 'text');
    expect(texts.map(({ name, categories }) => [name, categories.length])).toEqual([
      ['MouseID', 1080],
      ['Genotype', 2],
      ['Treatment', 2],
      ['Behavior', 2],
      ['class', 8],
    ]);
  },
);
