import { expect, test } from 'vitest';
import { mt19937 } from '../random/mt19937.ts';
import { factorVaeScore, majority, voteAccuracy } from './factor-vae-score.ts';
import golden from './fixtures/golden.json' with { type: 'json' };
import { gridSampler } from './grid-sampler.ts';
import {
  dummyGrid,
  duplicated,
  fixtureB,
  flipped,
  identityTable,
  padded,
  permuted,
  scrambled,
  type Table,
  zeroed,
} from './testing/data.ts';

const small = { batch: 5, train: 3000, test: 2000, varianceRows: 2500 };
const score = (table: Table, options = {}) => factorVaeScore.score(table, { ...small, ...options }).score;

test('replayed in disentanglement_lib’s order of draws, both accuracies are the golden ones', () => {
  const { train } = fixtureB();
  const { parts } = factorVaeScore.score({ ...train, sampler: gridSampler(dummyGrid, mt19937(0)) }, small);
  expect([parts.trainAccuracy, parts.testAccuracy]).toEqual(golden.AB['B.identity.factor_vae(train,eval)']);
});

test('codes that are always zero get the golden chance level when nothing is pruned, and 0 when they are', () => {
  const zeros = { ...dummyGrid, encode: (_: Float64Array, __: number, out: Float64Array) => out.fill(0) };
  const { train } = fixtureB();
  const inputs = { ...zeroed(train), sampler: gridSampler(zeros, mt19937(0)) };
  const { parts } = factorVaeScore.score(inputs, small);
  expect([parts.trainAccuracy, parts.testAccuracy]).toEqual(golden.AB['B.zeros.factor_vae(train,eval)']);
  expect(score(zeroed(train), { pruneStd: 0.05 })).toBe(0);
});

test('the vote of a dimension goes to its most frequent factor, the first among equals', () => {
  const votes = [
    [5, 1, 0, 2],
    [2, 4, 0, 2],
  ];
  expect(majority(votes)).toEqual([0, 1, 0, 0]);
  expect(voteAccuracy(votes, majority(votes))).toBe((5 + 4 + 2) / 16);
});

test('a table of identity codes scores like the grid it was drawn from', () => {
  expect(score(fixtureB().train)).toBeGreaterThan(0.99);
});

test('doubled codes still tell their factor, scrambled ones do not; order and sign do not matter', () => {
  const table = identityTable(3000, [5, 6, 7]);
  const wide = { batch: 64 };
  expect(score(duplicated(table), wide)).toBe(1);
  expect(score(permuted(table), wide)).toBe(1);
  expect(score(flipped(table), wide)).toBe(1);
  expect(score(scrambled(identityTable(3000, [5, 5, 5])), wide)).toBeLessThan(0.55);
});

test('more dimensions than factors are no trouble, and a constant one is pruned with a note', () => {
  const { score, parts, notes } = factorVaeScore.score(padded(identityTable(2000, [5, 6])), {
    ...small,
    pruneStd: 0.05,
  });
  expect(score).toBeGreaterThan(0.99);
  expect(parts.active).toEqual([0, 1, 2]);
  expect(notes).toEqual(['1 of 4 dimensions vary too little and get no votes.']);
});

test('an incomplete grid will do; a value on a single row is never fixed', () => {
  const table = identityTable(300, [4, 5]);
  table.factors.values[0] = 99;
  const { score, notes } = factorVaeScore.score(table, small);
  expect(score).toBeGreaterThan(0.99);
  expect(notes).toEqual(['1 of 5 values of factor “f0” are on one row only and are never fixed.']);
});

test('with a single factor there is nothing to tell apart, and a sentence says so', () => {
  expect(() => score(identityTable(100, [4]))).toThrow('at least two factors that vary');
});

test('PartedVAE’s protocol votes in groups of the whole table and drops votes of dimensions that hardly vary', () => {
  const table = identityTable(4000, [3, 4, 5]);
  const options = { protocol: 'parted-vae', batch: 100, pruneStd: 0.1 };
  const { score: identity, parts } = factorVaeScore.score(table, options);
  expect(identity).toBe(1);
  const groups = (parts.votes as number[][]).map((row) => row.reduce((sum, votes) => sum + votes, 0));
  expect(groups.every((number) => number > 35 && number <= 40)).toBe(true);
  expect(score(permuted(table), options)).toBe(1);
  expect(score(flipped(table), options)).toBe(1);
  expect(score(duplicated(table), options)).toBe(1);
  expect(score(zeroed(table), options)).toBe(0);
  expect(score(scrambled(identityTable(4000, [5, 5, 5])), options)).toBeLessThan(0.6);
});

test('PartedVAE’s protocol says when no value has enough rows for a group', () => {
  expect(() => score(identityTable(90, [3, 4]), { protocol: 'parted-vae', batch: 100 })).toThrow(
    'No value of any factor has a group of 100 rows.',
  );
});
