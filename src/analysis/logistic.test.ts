import { expect, test } from 'vitest';
import { predict } from './linear-classifier.ts';
import { fitLogistic, logisticProbabilities } from './logistic.ts';
import { expectNear, fixture, table } from './testing/tables.ts';

interface Case {
  table: string;
  c: number;
  kind: 'multinomial' | 'one-vs-rest';
  classes: number[];
  weights: number[];
  intercepts: number[];
  predictions: number[];
  probabilities: number[];
}

const cases: Case[] = fixture('logistic').cases;

test.each(cases)('weights and probabilities are scikit-learn’s on “$table”, $kind, C $c', (given) => {
  const { x, n, d, y, classes } = table(given.table);
  const model = fitLogistic({ x, n, d, y, classes, c: given.c, kind: given.kind });
  expect(model.classes).toEqual(given.classes);
  expectNear(model.weights, given.weights, 1e-6);
  expectNear(model.intercepts, given.intercepts, 1e-6);
  expectNear(logisticProbabilities(model, x, n, d).subarray(0, given.probabilities.length), given.probabilities, 1e-6);
  expect(Array.from(predict(model, x, n, d))).toEqual(given.predictions);
});

test('at the minimum the penalty balances the loss for every weight', () => {
  const { x, n, d, y, classes } = table('middle');
  const model = fitLogistic({ x, n, d, y, classes, penaliseIntercept: true });
  const chances = logisticProbabilities(model, x, n, d);
  for (let k = 0; k < classes; k++)
    for (let j = 0; j <= d; j++) {
      let gradient = j < d ? model.weights[k * d + j] : model.intercepts[k];
      for (let i = 0; i < n; i++)
        gradient += (chances[i * classes + k] - (y[i] === k ? 1 : 0)) * (j < d ? x[i * d + j] : 1);
      expect(Math.abs(gradient)).toBeLessThan(1e-9);
    }
});

test('wide data, where only the diagonal preconditions, reaches the same minimum', () => {
  const { x, n, d, y, classes } = table('middle');
  const wide = 130;
  const padded = Float64Array.from({ length: n * wide }, (_, at) =>
    at % wide < d ? x[Math.floor(at / wide) * d + (at % wide)] : 0,
  );
  const narrow = fitLogistic({ x, n, d, y, classes });
  const model = fitLogistic({ x: padded, n, d: wide, y, classes });
  expectNear(
    model.weights.filter((_, at) => at % wide < d),
    narrow.weights,
    1e-8,
  );
  expect(model.weights.every((weight, at) => at % wide < d || weight === 0)).toBe(true);
});

test('a single class has probability 1 everywhere', () => {
  const model = fitLogistic({ x: [1, 2, 3], n: 3, d: 1, y: [2, 2, 2], classes: 3 });
  expect(Array.from(logisticProbabilities(model, [7, 8], 2, 1))).toEqual([1, 1]);
  expect(Array.from(predict(model, [7, 8], 2, 1))).toEqual([2, 2]);
});

test('a number that is not finite is refused by its column', () => {
  const x = [1, 2, Number.POSITIVE_INFINITY, 4];
  expect(() => fitLogistic({ x, n: 2, d: 2, y: [0, 1], classes: 2 })).toThrow('Column 0 holds Infinity in row 1.');
});
