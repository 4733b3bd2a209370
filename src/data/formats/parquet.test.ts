import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { type WrittenColumn, writeParquet } from '../testing/parquet-write.ts';
import { newFolder } from '../testing/pictures.ts';
import { readParquet } from './parquet.ts';

const folder = newFolder();

function stored(bytes: Uint8Array): string {
  const path = join(folder, 'table.parquet');
  writeFileSync(path, bytes);
  return path;
}

const columns: WrittenColumn[] = [
  { name: 'dose', type: 'double', values: [0.5, null, 2, Number.POSITIVE_INFINITY] },
  { name: 'count', type: 'int64', values: [1, 2, null, 4] },
  { name: 'site', type: 'text', values: ['Bonn', 'Köln', 'Bonn', null], dictionary: true },
  { name: 'smoker', type: 'boolean', values: [true, false, null, true] },
];

test.each([{ gzip: false }, { gzip: true }])(
  'numbers, texts and what is missing are read (gzip: $gzip)',
  async (options) => {
    const table = await readParquet(stored(writeParquet(columns, options)), 't.parquet');
    expect(table.rows).toBe(4);
    expect(table.columns).toEqual([
      { kind: 'number', name: 'dose', values: Float64Array.of(0.5, Number.NaN, 2, Number.NaN) },
      { kind: 'number', name: 'count', values: Float64Array.of(1, 2, Number.NaN, 4) },
      { kind: 'text', name: 'site', categories: ['Bonn', 'Köln'], codes: Int32Array.of(0, 1, 0, -1) },
      { kind: 'text', name: 'smoker', categories: ['false', 'true'], codes: Int32Array.of(1, 0, -1, 1) },
    ]);
  },
);

test('a column of lists is left out with a note', async () => {
  const lists: WrittenColumn = { name: 'tags', type: 'text', values: ['a'], repeated: true };
  const table = await readParquet(
    stored(writeParquet([{ name: 'x', type: 'double', values: [1] }, lists])),
    't.parquet',
  );
  expect(table.columns.map((column) => column.name)).toEqual(['x']);
  expect(table.notes).toEqual(['The column tags holds lists or records and was left out.']);
});

test('a file that is no Parquet, and one that is cut short, get a sentence', async () => {
  const file = writeParquet(columns);
  await expect(readParquet(stored(Buffer.from('hello')), 't.parquet')).rejects.toThrow(
    "t.parquet can't be read as a Parquet table: it has 5 bytes.",
  );
  for (const broken of [Buffer.from('hello, this is no table'), file.subarray(0, file.length - 9)])
    await expect(readParquet(stored(broken), 't.parquet')).rejects.toThrow(
      "t.parquet can't be read as a Parquet table: ",
    );
  await expect(readParquet(join(folder, 'none.parquet'), 'none.parquet')).rejects.toThrow('There is no file');
});

test('a claim of a billion rows is refused', async () => {
  await expect(readParquet(stored(writeParquet(columns, { rows: 1e9 })), 't.parquet')).rejects.toThrow(
    't.parquet claims 1000000000 rows of 4 columns, and 100000000 cells are the most that is read.',
  );
});

test('a run that claims to be a billion long ends in a sentence, not in a full memory', async () => {
  const file = writeParquet([{ name: 'x', type: 'double', values: [1, 2, 3, 4] }]);
  // The definition levels are one run of four ones: its varint is 8, its value 1.
  const run = file.indexOf(Buffer.of(2, 0, 0, 0, 8, 1));
  const billion = Buffer.of(0x80, 0xa8, 0xd6, 0xb9, 0x07);
  const broken = Buffer.concat([file.subarray(0, run + 4), billion, file.subarray(run + 5)]);
  await expect(readParquet(stored(broken), 't.parquet')).rejects.toThrow(
    "t.parquet can't be read as a Parquet table: ",
  );
}, 60_000);

test('broken bytes give a table or a sentence', async () => {
  const file = writeParquet(columns);
  const flip = fc.record({ at: fc.nat(file.length - 1), to: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 3 }), async (flips) => {
      const broken = Buffer.from(file);
      for (const { at, to } of flips) broken[at] = to;
      try {
        const { rows, columns } = await readParquet(stored(broken), 't.parquet');
        for (const column of columns)
          expect(column.kind === 'number' ? column.values.length : column.codes.length).toBe(rows);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 60, interruptAfterTimeLimit: 60_000 },
  );
}, 120_000);
