import { expect, test } from 'vitest';
import { mt19937 } from '../random/mt19937.ts';
import golden from './fixtures/golden.json' with { type: 'json' };
import { generateCodes } from './grid-sampler.ts';
import { irs, irsOf } from './irs.ts';
import {
  dummyGrid,
  duplicated,
  fixtureA,
  flipped,
  identityTable,
  padded,
  permuted,
  scrambled,
  type Table,
  zeroed,
} from './testing/data.ts';

const known = golden.AB;
const score = (table: Table, options = {}) => irs.score(table, options).score;

test('fixture A: IRS, its matrix and the parents are the golden ones', () => {
  const { score, parts } = irs.score(fixtureA());
  expect(score).toBeCloseTo(known['A.irs'], 9);
  expect(parts.parents).toEqual(known['A.irs.parents']);
  (parts.matrix as number[][]).forEach((row, j) => {
    row.forEach((value, k) => {
      expect(value).toBeCloseTo(known['A.irs.matrix'][j][k], 9);
    });
  });
  expect(irs.score(fixtureA(), { quantile: 1 }).score).toBeCloseTo(known['A.irs.q1.0'], 9);
});

test('fixture B in one batch of 3000: identity codes are wholly robust', () => {
  expect(score(generateCodes(dummyGrid, 3000, mt19937(0), 3000))).toBe(known['B.identity.irs(batch 3000)']);
});

test('codes that move further weigh more', () => {
  expect(
    irsOf(
      [
        [0.2, 1],
        [0.5, 0],
      ],
      [3, 1],
    ),
  ).toEqual({ score: 0.875, perCode: [1, 0.5], parents: [1, 0] });
});

test('zeros score 0, doubled codes as single ones, scrambled ones little; order and sign do not matter', () => {
  const table = identityTable(2000, [3, 4, 5]);
  expect(score(table)).toBe(1);
  expect(score(zeroed(table))).toBe(0);
  expect(score(duplicated(table))).toBe(1);
  expect(score(permuted(table))).toBe(1);
  expect(score(flipped(table))).toBe(1);
  expect(score(scrambled(identityTable(3000, [5, 5, 5])))).toBeLessThan(0.2);
});

test('constant dimensions are left out and said so', () => {
  const { parts, notes } = irs.score(padded(identityTable(500, [3, 4])));
  expect(parts.active).toEqual([0, 1, 2]);
  expect(notes).toEqual(['1 of 4 dimensions are constant and left out.']);
});
