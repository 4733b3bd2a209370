import { expect, test } from 'vitest';
import { spearmanMatrix } from '../analysis/statistics.ts';
import { stream } from '../random/index.ts';
import golden from './fixtures/golden.json' with { type: 'json' };
import type { CodeTable } from './metric.ts';
import { fixtureA } from './testing/data.ts';
import { relativeStrength, udr } from './udr.ts';

const [n, d] = [1000, 10];
const base = stream(2, 'udr').normals(n * d);

/** A model whose dimensions are those of the others in another order and with other signs; `live` of them tell something. */
function model(seed: number, live = d): CodeTable {
  const order = stream(seed, 'order').permutation(d);
  const source = stream(seed, 'signs');
  const signs = Array.from({ length: d }, () => (source.uniform() < 0.5 ? -1 : 1));
  const values = new Float64Array(n * d);
  const logVariance = new Float64Array(n * d);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < d; j++) {
      const alive = order[j] < live;
      values[i * d + j] = alive ? signs[j] * base[i * d + order[j]] : 0.001 * source.normal();
      logVariance[i * d + j] = alive ? -4 : 0;
    }
  return { values, n, d, logVariance };
}

test.each([
  [
    'the identity',
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    golden.AB['udr.rel.eye3'],
  ],
  [
    'a block of two and one alone',
    [
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ],
    golden.AB['udr.rel.block'],
  ],
  [
    'ones',
    [
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ],
    golden.AB['udr.rel.ones'],
  ],
  [
    'zeros',
    [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
    golden.AB['udr.rel.zeros'],
  ],
])('the relative strength of %s is exact', (_, matrix, wanted) => {
  expect(relativeStrength(matrix)).toBeCloseTo(wanted, 12);
});

test('fixture A: the relative strength of |Spearman| of the codes with themselves is the golden one', () => {
  const { values, n, d } = fixtureA().codes;
  const rho = spearmanMatrix(values, n, d);
  const matrix = Array.from({ length: d }, (_, i) => Array.from(rho.subarray(i * d, (i + 1) * d), Math.abs));
  expect(relativeStrength(matrix)).toBeCloseTo(golden.AB['A.rel_strength_spearman_self'], 9);
});

test.each(['lasso', 'spearman'])(
  '%s: permuted and sign-flipped copies agree, unrelated models do not',
  (similarity) => {
    const copies = [1, 2, 3].map((seed) => model(seed));
    expect(udr.score({ models: copies }, { similarity }).score).toBeGreaterThan(0.8);
    const strangers = [4, 5].map((seed) => ({
      ...model(1),
      values: Float64Array.from(stream(seed, 'z').normals(n * d)),
    }));
    expect(udr.score({ models: strangers }, { similarity }).score).toBeLessThan(0.2);
  },
);

test('when one dimension tells something, the score is high with the others left out and low with them as zeros', () => {
  const models = [1, 2, 3].map((seed) => model(seed, 1));
  expect(udr.score({ models }).score).toBeGreaterThan(0.8);
  expect(udr.score({ models }, { filterLowKl: false }).score).toBeLessThan(0.2);
});

test('models that tell nothing score 0 and are named', () => {
  const { score, notes } = udr.score({ models: [model(1, 0), model(2)] });
  expect(score).toBe(0);
  expect(notes).toEqual(['Model 1 has no dimension above the KL threshold and scores 0.']);
});

test('copies of a dimension inside a model halve its agreement', () => {
  const twice = (codes: CodeTable): CodeTable => ({
    n,
    d: 2 * d,
    values: Float64Array.from({ length: 2 * n * d }, (_, at) => codes.values[Math.floor(at / (2 * d)) * d + (at % d)]),
    logVariance: new Float64Array(2 * n * d).fill(-4),
  });
  const { score } = udr.score({ models: [model(1), model(2)].map(twice) }, { similarity: 'spearman' });
  expect(score).toBeLessThan(0.5);
});
