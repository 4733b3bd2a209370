import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { fitLasso, fitLeastSquares, fitRidge, predictRegression, varianceExplained } from './linear-regression.ts';
import { expectNear, fixture, table } from './testing/tables.ts';

interface Case {
  table: string;
  kind: 'least squares' | 'lasso' | 'ridge';
  weights: number[];
  intercepts: number[];
}

const reference = fixture('linear-regression');
const cases: Case[] = reference.cases;

test.each(cases)('$kind on “$table” has scikit-learn’s weights', (given) => {
  const { x, n, d, targets } = table(given.table);
  const data = { x, n, d, y: targets, targets: 2 };
  if (given.kind === 'lasso') {
    const model = fitLasso({ ...data, alpha: reference.lassoAlpha });
    expectNear(model.weights, given.weights, 1e-6);
    expectNear(model.intercepts, given.intercepts, 1e-6);
    return;
  }
  const model = given.kind === 'ridge' ? fitRidge({ ...data, penalty: reference.ridgeAlpha }) : fitLeastSquares(data);
  expectNear(model.weights, given.weights, 1e-8);
  expectNear(model.intercepts, given.intercepts, 1e-8);
});

test('two targets together are the two targets one by one', () => {
  const { x, n, d, targets } = table('correlated');
  const both = { x, n, d, y: targets, targets: 2 };
  for (const t of [0, 1]) {
    const one = { x, n, d, y: targets.filter((_, at) => at % 2 === t) };
    expectNear(fitLeastSquares(one).weights, fitLeastSquares(both).weights.subarray(t * d, (t + 1) * d), 1e-12);
    const lasso = fitLasso({ ...both, alpha: 0.1 }).weights.subarray(t * d, (t + 1) * d);
    expectNear(fitLasso({ ...one, alpha: 0.1 }).weights, lasso, 1e-12);
  }
});

test('with more columns than rows the targets are met exactly', () => {
  const { x, n, d, targets } = table('wide');
  const model = fitLeastSquares({ x, n, d, y: targets, targets: 2 });
  expectNear(predictRegression(model, x, n, d), targets, 1e-12);
});

test('a strong lasso penalty leaves the mean alone', () => {
  const model = fitLasso({ x: [1, 2, 3, 4], n: 4, d: 1, y: [2, 4, 6, 8], alpha: 100 });
  expect(Array.from(model.weights)).toEqual([0]);
  expect(Array.from(model.intercepts)).toEqual([5]);
});

test('one row, or no spread at all, predicts the mean', () => {
  const single = fitLeastSquares({ x: [3, 4], n: 1, d: 2, y: [7] });
  expect([...single.weights, ...single.intercepts]).toEqual([0, 0, 7]);
  const dead = fitLeastSquares({ x: [0.7, 0.7, 0.7], n: 3, d: 1, y: [1, 2, 6] });
  expect([...dead.weights, ...dead.intercepts]).toEqual([0, 3]);
});

test('bad input is refused in a sentence', () => {
  expect(() => fitLeastSquares({ x: [1, Number.NaN], n: 2, d: 1, y: [1, 2] })).toThrow('Column 0 holds NaN in row 1.');
  expect(() => fitLasso({ x: [1, 2], n: 2, d: 1, y: [1, 2], alpha: -1 })).toThrow('lasso penalty was -1');
  expect(() => fitLasso({ x: [1, 2], n: 2, d: 1, y: [1], alpha: 1 })).toThrow('came with 1 numbers');
});

test('of points whose half of the variance comes from others, a linear map finds half', () => {
  const noise = stream(1, 'codes');
  const n = 4000;
  const x = Float64Array.from({ length: n * 2 }, () => noise.normal());
  const y = Float64Array.from({ length: n }, (_, i) => x[2 * i] + noise.normal());
  expect(varianceExplained({ x, n, d: 2 }, { x: y, n, d: 1 }, 1)).toBeCloseTo(0.5, 1);
  expect(varianceExplained({ x: y, n, d: 1 }, { x, n, d: 2 }, 1)).toBeCloseTo(0.25, 1);
});

test('nothing is found between independent codes', () => {
  const noise = stream(2, 'codes');
  const points = (d: number) => ({ x: Float64Array.from({ length: 1000 * d }, () => noise.normal()), n: 1000, d });
  expect(varianceExplained(points(3), points(2), 1)).toBeLessThan(0.02);
});
