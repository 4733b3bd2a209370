import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UntangleError } from '../../errors.ts';
import { newFolder } from '../testing/pictures.ts';
import { csvParser, findSeparator, readCsvFile } from './csv.ts';

/** All records of a text. */
function parseCsv(text: string, name = 'The text'): string[][] {
  const records: string[][] = [];
  const parser = csvParser(name, (cells) => records.push(cells));
  parser.push(text);
  parser.end();
  return records;
}

describe('what RFC 4180 asks for', () => {
  test('quoted cells keep separators, quotes and line ends', () => {
    expect(parseCsv('name,note\r\n"Smith, J.","said ""no""\r\nand left"\r\n')).toEqual([
      ['name', 'note'],
      ['Smith, J.', 'said "no"\r\nand left'],
    ]);
  });

  test('empty cells are cells, also at the end of a line and of the text', () => {
    expect(parseCsv('a,b,c\n,,\n1,,3\n"",2,')).toEqual([
      ['a', 'b', 'c'],
      ['', '', ''],
      ['1', '', '3'],
      ['', '2', ''],
    ]);
  });

  test('\\n, \\r\\n and a lone \\r end a line, and the last line needs no end', () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(parseCsv(`a,b${end}1,2${end}3,4`)).toEqual([
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ]);
  });
});

describe('what programs write', () => {
  test('a byte-order mark is not part of the first name', () => {
    expect(parseCsv('\uFEFFMouseID,x\n1,2')[0]).toEqual(['MouseID', 'x']);
  });

  test('commas, semicolons and tabs are told apart, also where numbers have decimal commas', () => {
    expect(findSeparator('a,b\n1,2')).toBe(',');
    expect(findSeparator('a;b\n1,5;2,5')).toBe(';');
    expect(findSeparator('1,5;2,5\n3,5;4,5')).toBe(';');
    expect(findSeparator('a;b,c;d\n1;b,2;d')).toBe(',');
    expect(findSeparator('a\tb, c\n1\t2')).toBe('\t');
    expect(findSeparator('"x;y",b\n"p;q",2')).toBe(',');
    expect(findSeparator('one column\n1\n2')).toBe(',');
  });

  test('blank lines are passed over', () => {
    expect(parseCsv('a,b\n\n1,2\n\r\n\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });
});

describe('what is wrong gets a sentence with its line', () => {
  test('a ragged line', () => {
    expect(() => parseCsv('a,b,c\n1,2,3\n\n4,5\n', 'mice.csv')).toThrow(
      'mice.csv, line 4, has 2 cells, but line 1 has 3.',
    );
  });

  test('a line after a cell of three lines is counted as it stands in the file', () => {
    expect(() => parseCsv('a,b\n"1\r\n\r\n2",3\n4\n', 'm.csv')).toThrow('m.csv, line 5, has 1 cell, but line 1 has 2.');
  });

  test('a quote that is never closed', () => {
    expect(() => parseCsv('a,b\n1,"2\n3,4\n', 'm.csv')).toThrow('m.csv: a quote that opens on line 2 is never closed.');
  });

  test('text after a closing quote', () => {
    expect(() => parseCsv('a,b\n"1"x,2\n', 'm.csv')).toThrow(
      'm.csv, line 2: “x” follows a closing quote, where a “,” or the end of the line was expected.',
    );
  });

  test('zero bytes, as in UTF-16 or a binary file', () => {
    expect(() => parseCsv('a\0,\0b\0', 'm.csv')).toThrow('m.csv is not text that can be read');
  });

  test('a file that is not UTF-8', async () => {
    const path = join(newFolder(), 'latin.csv');
    writeFileSync(path, Buffer.from('name\nJos\xe9\n', 'latin1'));
    await expect(readCsvFile(path, 'latin.csv', () => {})).rejects.toThrow('latin.csv is not text in UTF-8.');
  });
});

test('records read from a file are those of its text', async () => {
  const path = join(newFolder(), 'big.csv');
  const rows = Array.from({ length: 40_000 }, (_, i) => [`${i}`, `“Größe ${i % 7}”`, `a;b`]);
  writeFileSync(path, `\uFEFF${rows.map((row) => row.join(',')).join('\r\n')}`);
  const read: string[][] = [];
  await readCsvFile(path, 'big.csv', (cells) => read.push(cells));
  expect(read).toEqual(rows);
});

const cell = fc.oneof(
  fc.string({ maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', ',', ';', '"', '""', '\n', '\r\n', '\r', 'a,b'),
);

test('what is written with quotes is read back, wherever the pieces end', () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 4 })
        .chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
        ),
      fc.constantFrom(',' as const, ';' as const, '\t' as const),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(400), { maxLength: 6 }),
      (rows, separator, end, cuts) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => row.map(quote).join(separator)).join(end);
        const read: string[][] = [];
        const parser = csvParser('t', (cells) => read.push(cells), separator);
        let from = 0;
        for (const cut of cuts.toSorted((a, b) => a - b)) {
          parser.push(text.slice(from, cut));
          from = Math.max(from, Math.min(cut, text.length));
        }
        parser.push(text.slice(from));
        parser.end();
        expect(read).toEqual(rows);
      },
    ),
    { numRuns: 500 },
  );
});

test('any text gives even records or a sentence', () => {
  const noise = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc
      .array(fc.constantFrom('"', ',', '\n', '\r', ';', '\t', 'a', '1', '\0', '\uFEFF'), { maxLength: 40 })
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(noise, (text) => {
      try {
        const records = parseCsv(text);
        expect(new Set(records.map((record) => record.length)).size).toBeLessThanOrEqual(1);
      } catch (error) {
        expect(error).toBeInstanceOf(UntangleError);
      }
    }),
    { numRuns: 1000 },
  );
});
