import { expect, test } from 'vitest';
import { standardise } from '../analysis/statistics.ts';
import { areasOf, explicitness, meanArea } from './explicitness.ts';
import sklearn from './fixtures/sklearn.json' with { type: 'json' };
import { duplicated, flipped, identityTable, padded, permuted, type Table, zeroed } from './testing/data.ts';

const score = (table: Table) => explicitness.score(table).score;

test('the areas of train and test rows are scikit-learn’s', () => {
  const { codes, factors, train } = sklearn;
  const d = codes[0].length;
  const fitted = standardise(codes.slice(0, train).flat(), train, d);
  const held = standardise(codes.slice(train).flat(), codes.length - train, d, fitted.scale);
  [2, 3, 4].forEach((classes, k) => {
    const y = Int32Array.from(factors, (row) => row[k]);
    const areas = areasOf(
      { x: fitted.values, y: y.slice(0, train), n: train },
      { x: held.values, y: y.slice(train), n: codes.length - train },
      d,
      classes,
    );
    expect(areas.train).toBeCloseTo(sklearn.areas[k][0], 6);
    expect(areas.test).toBeCloseTo(sklearn.areas[k][1], 6);
    expect(areas.missing).toBe(0);
  });
});

test('identity and doubled codes are explicit, zeros are at chance, order and sign do not matter', () => {
  const table = identityTable(1500, [3, 4, 3]);
  expect(score(table)).toBeGreaterThan(0.85);
  expect(score(duplicated(table))).toBeGreaterThan(0.85);
  expect(score(zeroed(table))).toBe(0.5);
  expect(score(permuted(table))).toBeCloseTo(score(table), 6);
  expect(score(flipped(table))).toBeCloseTo(score(table), 6);
  expect(score(padded(table))).toBeCloseTo(score(table), 1);
});

test('two values are told apart perfectly by their own code', () => {
  expect(score(identityTable(500, [2, 2]))).toBe(1);
});

test('a value that no test row has is left out of the mean and said so', () => {
  const table = identityTable(40, [2, 30]);
  const { score, notes } = explicitness.score(table);
  expect(Number.isFinite(score)).toBe(true);
  expect(notes.join()).toMatch(/values of factor “f1” are not among the test rows/);
});

test('without any class to tell, the area is one half', () => {
  expect(meanArea(Float64Array.of(1, 1), [0], Int32Array.of(0, 0))).toBe(0.5);
});
