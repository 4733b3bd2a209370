import { expect, test } from 'vitest';
import golden from './fixtures/golden.json' with { type: 'json' };
import { modularity, modularityOf } from './modularity.ts';
import {
  duplicated,
  fixtureA,
  fixtureB,
  flipped,
  identityTable,
  padded,
  permuted,
  scrambled,
  type Table,
  zeroed,
} from './testing/data.ts';

const known = golden.AB;
const score = (table: Table, options = {}) => modularity.score(table, options).score;
const diagonal = (n: number) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
const beside = (a: number[][], b: number[][]) => a.map((row, i) => [...row, ...b[i]]);

test.each([
  ['a diagonal', diagonal(5), 1],
  [
    'two live codes and a dead one',
    [
      [1, 0],
      [0, 1],
      [0, 0],
    ],
    2 / 3,
  ],
  ['zeros', diagonal(5).map((row) => row.map(() => 0)), 0],
  ['two codes a factor', [...diagonal(5), ...diagonal(5)], 1],
  ['factors that no code knows', diagonal(5).slice(0, 2), 1],
  ['one code for two factors', beside(diagonal(5), diagonal(5)), 1 - 1 / 9],
  ['one factor only', [[0.5], [0]], 1 / 2],
])('modularity of %s is exact', (_, matrix, wanted) => {
  expect(modularityOf(matrix).score).toBeCloseTo(wanted, 12);
});

test('fixtures A and B have the golden modularity', () => {
  expect(score(fixtureA())).toBeCloseTo(known['A.modularity.20bins'], 9);
  expect(score(fixtureA(), { bins: 5 })).toBeCloseTo(known['A.modularity.5bins'], 9);
  expect(score(fixtureB().train)).toBeCloseTo(known['B.identity.modularity'], 9);
});

test('identity and doubled codes are modular, scrambled ones are not, zeros score 0', () => {
  const table = identityTable(20000, [10, 10, 10, 10]);
  expect(score(table)).toBeGreaterThan(0.99);
  expect(score(duplicated(table))).toBeCloseTo(score(table), 12);
  expect(score(scrambled(table))).toBeLessThan(0.2);
  expect(score(zeroed(table))).toBe(0);
  expect(score(permuted(table))).toBeCloseTo(score(table), 12);
  expect(score(flipped(table))).toBeCloseTo(score(table), 12);
});

test('a constant dimension counts as 0 and is said so', () => {
  const { parts, notes } = modularity.score(padded(identityTable(2000, [3, 4])));
  expect((parts.perCode as number[])[3]).toBe(0);
  expect(notes).toEqual(['1 of 4 dimensions know of no factor and count as 0.']);
});
