import { expect, test } from 'vitest';
import { mt19937 } from '../random/mt19937.ts';
import sklearn from './fixtures/sklearn.json' with { type: 'json' };
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
import { zDiff } from './z-diff.ts';

const small = { batch: 5, train: 2000, test: 2000 };
const classifiers = ['svm', 'svm-hinge', 'logistic-liblinear', 'logistic-multinomial'] as const;
const score = (table: Table, options = {}) => zDiff.score(table, { ...small, ...options }).score;

test.each(classifiers)(
  '%s: replayed on disentanglement_lib’s dummy data with mixed codes, both accuracies are scikit-learn’s',
  (classifier) => {
    // Each code is a factor plus 0.8 of the one before it, so that the classifiers have something to get wrong.
    const mixed = {
      ...dummyGrid,
      encode: (factors: Float64Array, count: number, out: Float64Array) => {
        for (let at = 0; at < count * 10; at++) out[at] = factors[at] + 0.8 * factors[at % 10 === 0 ? at + 9 : at - 1];
      },
    };
    const inputs = { ...fixtureB().train, sampler: gridSampler(mixed, mt19937(0)) };
    const { parts } = zDiff.score(inputs, { ...small, classifier });
    const [train, test] = sklearn.zDiff[classifier];
    // Where two hinge machines answer −1 alike, rounding decides between them.
    const near = classifier === 'svm-hinge' ? 0.005 : 1e-12;
    expect(Math.abs(Number(parts.trainAccuracy) - train)).toBeLessThan(near);
    expect(Math.abs(Number(parts.testAccuracy) - test)).toBeLessThan(near);
  },
);

test.each(classifiers)('%s: identity and doubled codes are told apart, zeros are at chance', (classifier) => {
  const table = identityTable(2000, [5, 6, 7]);
  const options = { classifier, batch: 64, train: 1000, test: 1000 };
  expect(score(table, options)).toBe(1);
  expect(score(duplicated(table), options)).toBe(1);
  expect(score(padded(table), options)).toBe(1);
  expect(Math.abs(score(zeroed(table), options) - 1 / 3)).toBeLessThan(0.06);
  expect(score(scrambled(identityTable(2000, [5, 5, 5])), options)).toBeLessThan(0.8);
});

test('the order of dimensions does not matter, and signs cancel in the difference', () => {
  const table = identityTable(2000, [5, 6, 7]);
  expect(score(permuted(table))).toBeCloseTo(score(table), 2);
  expect(score(flipped(table))).toBe(score(table));
});

test('pairs that share a factor have no difference in its code', () => {
  const table = identityTable(500, [4, 4]);
  const { score: accuracy } = zDiff.score(table, { batch: 1, train: 500, test: 500, c: 100 });
  expect(accuracy).toBeGreaterThan(0.75);
});
