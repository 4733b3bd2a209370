import { expect, test } from 'vitest';
import { checkedNames, parseNumber, textBuilder } from './columns.ts';

test('a cell is a number, missing, or something else', () => {
  expect(['1', ' -2.5e3 ', '+.5', '7.', '0'].map((cell) => parseNumber(cell))).toEqual([1, -2500, 0.5, 7, 0]);
  expect(['', ' ', 'NA', 'nan', 'NULL', '?', 'inf', '-Infinity', '1e999'].map((cell) => parseNumber(cell))).toEqual(
    Array(9).fill(Number.NaN),
  );
  expect(['309_1', '0x10', '1,5', '12 kg', '1.2.3', 'e5'].map((cell) => parseNumber(cell))).toEqual(
    Array(6).fill(undefined),
  );
});

test('a decimal comma is read where commas do not part the cells', () => {
  expect(parseNumber('1,5', true)).toBe(1.5);
  expect(parseNumber('1,5,0', true)).toBeUndefined();
});

test('texts are kept once, sorted, whatever the order of the rows', () => {
  const builder = textBuilder(5);
  for (const [row, text] of ['b', 'a', 'NA', ' b ', 'ä'].entries()) builder.set(row, text);
  expect(builder.column('x')).toEqual({
    kind: 'text',
    name: 'x',
    categories: ['a', 'b', 'ä'],
    codes: Int32Array.of(1, 0, -1, 1, 2),
  });
});

test('a column without a name gets one, and a name may not stand twice', () => {
  expect(checkedNames('t.csv', ['a', '', ' b '])).toEqual(['a', 'column 2', 'b']);
  expect(() => checkedNames('t.csv', ['a', 'b', 'a'])).toThrow('t.csv has two columns “a”, the 1. and the 3.');
});
