/** Data for tests of metrics: the golden fixtures, and codes that a metric must know the answer for. */
import type { Factor } from '../../model/index.ts';
import { stream } from '../../random/index.ts';
import { mt19937 } from '../../random/mt19937.ts';
import { type FactorGrid, generateCodes } from '../grid-sampler.ts';
import type { CodeTable, FactorTable } from '../metric.ts';

export interface Table {
  codes: CodeTable;
  factors: FactorTable;
}

/** Fixture A: the grid 3 × 4 × 5 (the last fastest) with four codes that mix the factors in known ways. */
export function fixtureA(): Table {
  const codes = new Float64Array(60 * 4);
  const values = new Float64Array(60 * 3);
  for (let i = 0; i < 60; i++) {
    const [f0, f1, f2] = [Math.floor(i / 20), Math.floor(i / 5) % 4, i % 5];
    values.set([f0, f1, f2], i * 3);
    codes.set(
      [f0 + 0.1 * Math.sin(i), f1 + 0.5 * f2, Math.cos(1.7 * i), 2 * f2 - 0.3 * f0 + 0.05 * Math.sin(3 * i)],
      i * 4,
    );
  }
  return { codes: { values: codes, n: 60, d: 4 }, factors: { values, n: 60, factors: factorsOf([3, 4, 5]) } };
}

/** Fixture B: disentanglement_lib's dummy data, ten factors in 1 … 10 that are their own codes. */
export const dummyGrid: FactorGrid = {
  factors: factorsOf(Array.from({ length: 10 }, () => 10)),
  d: 10,
  sample: (count, random) => Float64Array.from({ length: count * 10 }, () => random.randint(1, 11)),
  encode: (factors, _, out) => out.set(factors),
};

/** Fixture B's train and test parts: 3000 items each from RandomState(0), in batches of 16. */
export function fixtureB(): { train: Table; test: Table } {
  const random = mt19937(0);
  return { train: generateCodes(dummyGrid, 3000, random), test: generateCodes(dummyGrid, 3000, random) };
}

/** Fixture C's posteriors: 8 items of 3 dimensions, and samples from them. */
export function fixtureC(): { codes: CodeTable; samples: Float64Array } {
  const mu = new Float64Array(24);
  const logVariance = new Float64Array(24);
  const samples = new Float64Array(24);
  for (let r = 0; r < 8; r++)
    for (let c = 0; c < 3; c++) {
      const at = r * 3 + c;
      mu[at] = Math.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c);
      logVariance[at] = -1 + 0.1 * r + 0.05 * c;
      samples[at] = mu[at] + Math.exp(0.5 * logVariance[at]) * Math.sin(7 * r + 3 * c + 1);
    }
  return { codes: { values: mu, n: 8, d: 3, logVariance }, samples };
}

/** Items with independent random factor values, each factor its own code. */
export function identityTable(n: number, sizes: readonly number[], seed = 1): Table {
  const source = stream(seed, 'identity table');
  const values = Float64Array.from({ length: n * sizes.length }, (_, at) => source.integer(sizes[at % sizes.length]));
  return {
    codes: { values: values.slice(), n, d: sizes.length },
    factors: { values, n, factors: factorsOf(sizes) },
  };
}

export function factorsOf(sizes: readonly number[]): Factor[] {
  return sizes.map((size, k) => ({ name: `f${k}`, kind: 'discrete', size }));
}

/** The same table with other codes: dimension j of row i is `code(i, j)`. */
export function withCodes({ codes, factors }: Table, d: number, code: (i: number, j: number) => number): Table {
  const values = Float64Array.from({ length: codes.n * d }, (_, at) => code(Math.floor(at / d), at % d));
  return { codes: { values, n: codes.n, d }, factors };
}

const at = ({ codes }: Table, i: number, j: number) => codes.values[i * codes.d + j];

export const zeroed = (table: Table) => withCodes(table, table.codes.d, () => 0);
export const duplicated = (table: Table) =>
  withCodes(table, 2 * table.codes.d, (i, j) => at(table, i, j % table.codes.d));
/** Dimensions in the opposite order. */
export const permuted = (table: Table) =>
  withCodes(table, table.codes.d, (i, j) => at(table, i, table.codes.d - 1 - j));
/** Every second dimension negated. */
export const flipped = (table: Table) =>
  withCodes(table, table.codes.d, (i, j) => (j % 2 === 0 ? -1 : 1) * at(table, i, j));
/** A dimension of noise and a constant one added, so that there are more codes than factors. */
export const padded = (table: Table) => {
  const noise = stream(9, 'padding').normals(table.codes.n);
  return withCodes(table, table.codes.d + 2, (i, j) =>
    j < table.codes.d ? at(table, i, j) : j === table.codes.d ? noise[i] : 3,
  );
};
/** The codes of every item in an order of its own: each code then knows a little of every factor, and none knows one. */
export const scrambled = (table: Table) => {
  const { n, d } = table.codes;
  const orders = Array.from({ length: n }, (_, i) => stream(5, 'scramble', i).permutation(d));
  return withCodes(table, d, (i, j) => at(table, i, orders[i][j]));
};

/** The same table with every factor taken as a number. */
export const continuous = (table: Table): Table => ({
  ...table,
  factors: { ...table.factors, factors: table.factors.factors.map((factor) => ({ ...factor, kind: 'continuous' })) },
});
