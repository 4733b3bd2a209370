import { expect, test } from 'vitest';
import { asClasses, classColumns, classTargets, codeRows, column, splitRows, takeRows } from './rows.ts';
import { identityTable } from './testing/data.ts';

test('rows are all taken in order if they are few, and drawn without repetition if they are many', () => {
  expect(Array.from(takeRows(4, 10, { seed: 0 }))).toEqual([0, 1, 2, 3]);
  const drawn = takeRows(100, 10, { seed: 0 });
  expect(drawn.length).toBe(10);
  expect(new Set(drawn).size).toBe(10);
});

test.each([
  [20000, 10000, 5000],
  [600, 400, 200],
  [2, 1, 1],
])('of %i rows, %i are to train on and %i to test on, and no row is in both', (n, train, test) => {
  const rows = splitRows(n, 10000, 5000, { seed: 1 });
  expect([rows.train.length, rows.test.length]).toEqual([train, test]);
  expect(new Set([...rows.train, ...rows.test]).size).toBe(train + test);
});

test('a table row by row gives its columns and its blocks of columns', () => {
  const values = Float64Array.of(1, 2, 3, 4, 5, 6);
  expect(Array.from(column(values, 3, 1, Uint32Array.of(1, 0)))).toEqual([5, 2]);
  expect(Array.from(codeRows({ values, n: 2, d: 3 }, Uint32Array.of(1), 1, 2))).toEqual([5, 6]);
});

test('classes follow the order of the numbers, whatever the numbers are', () => {
  const { values, size } = asClasses([0.5, -3, 0.5, 10]);
  expect([Array.from(values), size]).toEqual([[1, 0, 1, 2], 3]);
});

test('when no factor varies there is nothing to measure, and a sentence says so', () => {
  const table = identityTable(10, [1, 1]);
  expect(() => classColumns(table.factors, 20, [])).toThrow(
    'There is nothing to measure. Factor “f0” has a single value and is left out.',
  );
  expect(() => classTargets({ labels: { names: ['a'], values: new Uint16Array(10) } }, [])).toThrow(
    'There is nothing to classify.',
  );
});

test('a factor with thousands of values is not classes, and is left out with a note', () => {
  const table = identityTable(3000, [4, 4]);
  for (let i = 0; i < 3000; i++) table.factors.values[2 * i + 1] = i;
  const notes: string[] = [];
  expect(classColumns(table.factors, 20, notes).map(({ name }) => name)).toEqual(['f0']);
  expect(notes).toEqual(['Factor “f1” has 3000 values, too many for classes, and is left out.']);
});
