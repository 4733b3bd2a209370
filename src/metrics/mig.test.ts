import { expect, test } from 'vitest';
import golden from './fixtures/golden.json' with { type: 'json' };
import { mig, migOf } from './mig.ts';
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
  withCodes,
  zeroed,
} from './testing/data.ts';

const known = golden.AB;
const score = (table: Table, options = {}) => mig.score(table, options).score;

test.each([
  [20, known['A.mig.20bins'], known['A.mi.20bins']],
  [5, known['A.mig.5bins'], known['A.mi.5bins']],
])('fixture A with %i bins: MIG and its matrix are the golden ones', (bins, wanted, matrix) => {
  const { score, parts } = mig.score(fixtureA(), { bins });
  expect(score).toBeCloseTo(wanted, 9);
  (parts.matrix as number[][]).forEach((row, j) => {
    row.forEach((value, k) => {
      expect(value).toBeCloseTo(matrix[j][k], 9);
    });
  });
});

test('fixture B: identity codes have the golden MIG, doubled ones 0', () => {
  const { train } = fixtureB();
  expect(score(train)).toBeCloseTo(known['B.identity.mig(20 bins)'], 9);
  expect(score(duplicated(train))).toBe(0);
});

test('with more codes than factors the gap is still taken over codes, where a reshape in place of a transpose would not', () => {
  const table = fixtureB().train;
  const wide = withCodes(table, 13, (i, j) => (j < 10 ? table.codes.values[i * 10 + j] : 0));
  expect(score(wide)).toBeCloseTo(known['B.identity.mig(20 bins)'], 9);
  const oneShort = { codes: table.codes, factors: { ...table.factors } };
  expect(score(withCodes(oneShort, 3, (i, j) => table.codes.values[i * 10 + j]))).toBeCloseTo(0.3, 1);
});

test('a matrix of 3 codes and 2 factors by hand: gaps over codes, in units of each entropy', () => {
  const matrix = [
    [0.6, 0.1],
    [0.2, 0.1],
    [0.1, 0.5],
  ];
  const { score, gaps } = migOf(matrix, [0.8, 1]);
  expect(gaps[0]).toBeCloseTo(0.5, 12);
  expect(gaps[1]).toBeCloseTo(0.4, 12);
  expect(score).toBeCloseTo(0.45, 12);
});

test('zeros score 0, scrambled codes little; order and sign of dimensions do not matter', () => {
  const table = identityTable(3000, [3, 4, 5]);
  expect(score(table)).toBeGreaterThan(0.99);
  expect(score(zeroed(table))).toBe(0);
  expect(score(scrambled(identityTable(3000, [5, 5, 5])))).toBeLessThan(0.05);
  expect(score(permuted(table))).toBe(score(table));
  expect(score(flipped(table))).toBeCloseTo(score(table), 12);
  expect(score(padded(table))).toBeGreaterThan(0.97);
});

test('a factor with a single value is left out and said so; a continuous one is cut into bins', () => {
  const table = identityTable(1000, [3, 4]);
  const lone = {
    ...table,
    factors: { ...table.factors, values: table.factors.values.map((v, at) => (at % 2 ? 0 : v)) },
  };
  const { parts, notes } = mig.score(lone);
  expect(parts.factors).toEqual(['f0']);
  expect(notes).toEqual(['Factor “f1” has a single value and is left out.']);
  table.factors.factors[1].kind = 'continuous';
  expect(mig.score(table).notes).toEqual(['Continuous factors are cut into 20 equal bins: “f1”.']);
  expect(score(table)).toBeGreaterThan(0.99);
});
