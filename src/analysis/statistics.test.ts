import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import {
  columnMeans,
  columnVariances,
  correlation,
  correlationMatrix,
  covarianceMatrix,
  mean,
  percentile,
  ranks,
  rocAuc,
  spearmanMatrix,
  standardise,
  variance,
} from './statistics.ts';
import { expectNear, fixture, table } from './testing/tables.ts';

interface Case {
  table: string;
  mean: number[];
  variance: [number[], number[]];
  covariance: number[];
  correlation: number[];
  ranks: number[];
  spearman: number[];
  percentiles: Record<string, number>;
  standardised: number[];
}

interface Area {
  n: number;
  classes: number;
  y: number[];
  scores: number[];
  binary: number;
}

const cases: Case[] = fixture('statistics').cases;
const areas: Area[] = fixture('statistics').areas;
const firstColumn = (x: Float64Array, d: number) => x.filter((_, at) => at % d === 0);

test.each(cases)('moments of “$table” are numpy’s', (given) => {
  const { x, n, d } = table(given.table);
  expectNear(columnMeans(x, n, d), given.mean, 1e-13);
  for (const ddof of [0, 1]) expectNear(columnVariances(x, n, d, ddof), given.variance[ddof], 1e-13);
  expectNear(covarianceMatrix(x, n, d), given.covariance, 1e-13);
  expectNear(correlationMatrix(x, n, d), given.correlation, 1e-13);
  const column = firstColumn(x, d);
  expectNear([mean(column), variance(column, 1)], [given.mean[0], given.variance[1][0]], 1e-13);
});

test.each(cases)('ranks, rank correlations and percentiles of “$table” are scipy’s and numpy’s', (given) => {
  const { x, n, d } = table(given.table);
  const column = firstColumn(x, d);
  expect(Array.from(ranks(column))).toEqual(given.ranks);
  expectNear(spearmanMatrix(x, n, d), given.spearman, 1e-13);
  for (const [q, value] of Object.entries(given.percentiles)) expect(percentile(column, Number(q))).toBe(value);
});

test.each(cases)('“$table” is standardised as scikit-learn does', (given) => {
  const { x, n, d } = table(given.table);
  const { values, scale } = standardise(x, n, d);
  expectNear(values, given.standardised, 1e-12);
  expect(Array.from(standardise(x.subarray(0, d), 1, d, scale).values)).toEqual(Array.from(values.subarray(0, d)));
});

test.each(areas)('areas under the ROC curve are scikit-learn’s on $n rows with ties', (given) => {
  const { classes, y, scores, binary } = given;
  const own = scores.filter((_, at) => at % classes === 1);
  expectNear(
    [
      rocAuc(
        own,
        y.map((label) => label === 1),
      ),
    ],
    [binary],
    1e-13,
  );
});

test('scores that say nothing have an area of one half', () => {
  expect(rocAuc([1, 1, 1, 1], [0, 1, 1, 0])).toBe(0.5);
});

test('an area is not defined for rows of one kind', () => {
  expect(rocAuc([0.1, 0.9], [1, 1])).toBeNaN();
});

test('a constant column has variance 0, no correlation, and is standardised to 0', () => {
  const x = Float64Array.of(0.1, 1, 0.1, 2, 0.1, 4);
  expect(columnVariances(x, 3, 2)[0]).toBe(0);
  expect(Array.from(correlationMatrix(x, 3, 2))).toEqual([Number.NaN, Number.NaN, Number.NaN, 1]);
  expect(correlation([0.1, 0.1, 0.1], [1, 2, 4])).toBeNaN();
  const { values } = standardise(x, 3, 2);
  expect([values[0], values[2], values[4]]).toEqual([0, 0, 0]);
});

test('one row has no sample variance', () => {
  expect(variance([5], 1)).toBeNaN();
  expect(variance([5])).toBe(0);
});

test('bad input is refused in a sentence', () => {
  expect(() => columnMeans([1, Number.NaN], 1, 2)).toThrow('Column 1 holds NaN in row 0.');
  expect(() => mean([])).toThrow('A matrix of 0 rows and 1 columns came with 0 numbers.');
  expect(() => correlation([1, 2], [1])).toThrow('One list holds 2 values, the other 1.');
  expect(() => percentile([1, 2], 101)).toThrow('A percentile of 101 was asked for.');
});

test('a percentile near the top of a long list is that of the sorted list, whatever its order and its ties', () => {
  const random = stream(5, 'percentiles');
  for (const spread of [3, 50, 1e6]) {
    const list = Float64Array.from({ length: 3000 }, (_, i) => random.integer(spread) + (i < 16 ? 1e7 : 0));
    const sorted = list.slice().sort();
    for (const q of [90, 99, 99.5, 100]) {
      const position = (q / 100) * 2999;
      const [low, high] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
      expect(percentile(list, q)).toBeCloseTo(low + (high - low) * (position % 1), 6);
    }
  }
});
