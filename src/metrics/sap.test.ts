import { expect, test } from 'vitest';
import golden from './fixtures/golden.json' with { type: 'json' };
import sklearn from './fixtures/sklearn.json' with { type: 'json' };
import { asClasses, column } from './rows.ts';
import { linearSvcMatrix, r2Matrix, sap, sapOf } from './sap.ts';
import {
  duplicated,
  fixtureA,
  fixtureB,
  flipped,
  identityTable,
  padded,
  permuted,
  type Table,
  withCodes,
  zeroed,
} from './testing/data.ts';

const known = golden.AB;
const all = (n: number) => Uint32Array.from({ length: n }, (_, i) => i);
const codesOf = ({ codes }: Table) =>
  Array.from({ length: codes.d }, (_, j) => column(codes.values, codes.d, j, all(codes.n)));
const factorsOf = ({ factors }: Table) =>
  factors.factors.map((_, k) => column(factors.values, factors.factors.length, k, all(factors.n)));
const classesOf = (table: Table) => factorsOf(table).map((values) => asClasses(values));

function expectMatrix(given: readonly (readonly number[])[], wanted: readonly (readonly number[])[], digits = 9) {
  expect(given.length).toBe(wanted.length);
  given.forEach((row, i) => {
    row.forEach((value, j) => {
      expect(value).toBeCloseTo(wanted[i][j], digits);
    });
  });
}

test('the gap is between the two best latents of each factor, not between factors', () => {
  const matrix = [
    [0.9, 0.1],
    [0.4, 0.2],
    [0.3, 0.7],
  ];
  const { score, gaps } = sapOf(matrix);
  expect(gaps[0]).toBeCloseTo(0.5, 15);
  expect(gaps[1]).toBeCloseTo(0.5, 15);
  expect(score).toBeCloseTo(0.5, 15);
});

test('with one latent the second best is 0', () => {
  expect(sapOf([[0.8, 0.4]]).score).toBeCloseTo(0.6, 15);
});

test('fixture A: R² matrix and continuous SAP are the golden ones', () => {
  const table = fixtureA();
  expectMatrix(r2Matrix(codesOf(table), factorsOf(table)), known['A.sap_cont.matrix']);
  expect(sap.score(table, { form: 'r2' }).score).toBeCloseTo(known['A.sap_cont'], 9);
});

test('fixture A: LinearSVC matrix and discrete SAP, trained and tested on all rows, are the golden ones', () => {
  const table = fixtureA();
  const part = { codes: codesOf(table), factors: classesOf(table) };
  const matrix = linearSvcMatrix(part, part, 0.01);
  expectMatrix(matrix, known['A.sap_disc.matrix(train=test)']);
  expect(sapOf(matrix).score).toBeCloseTo(known['A.sap_disc'], 9);
});

test('LinearSVC accuracies on other rows are scikit-learn’s, a dead code among them', () => {
  const { codes, factors, train } = sklearn;
  const part = (from: number, to: number) => ({
    codes: codes[0].map((_, j) => Float64Array.from(codes.slice(from, to), (row) => row[j])),
    factors: [2, 3, 4].map((size, k) => ({ values: Int32Array.from(factors.slice(from, to), (row) => row[k]), size })),
  });
  expectMatrix(linearSvcMatrix(part(0, train), part(train, codes.length), 0.01), sklearn.linearSvc, 12);
});

test('fixture B: continuous SAP of disentanglement_lib’s dummy data is the golden one, and 0 for doubled codes', () => {
  const { train } = fixtureB();
  expect(sap.score(train, { form: 'r2' }).score).toBeCloseTo(known['B.identity.sap_cont'], 9);
  expect(sap.score(duplicated(train), { form: 'r2' }).score).toBe(0);
});

test('fixture B: LinearSVC accuracy of the first two codes and factors is the golden one', () => {
  const { train, test } = fixtureB();
  const part = (table: Table) => ({ codes: codesOf(table).slice(0, 2), factors: classesOf(table).slice(0, 2) });
  expectMatrix(linearSvcMatrix(part(train), part(test), 0.01), known['B.identity.sap_disc 2x2 submatrix (3000/3000)']);
});

test.each(['kumar', 'linear-svc', 'r2'])(
  '%s: zeros and doubled codes score 0, order and sign of dimensions do not matter',
  (form) => {
    const table = identityTable(600, [3, 4, 5]);
    const score = (of: Table) => sap.score(of, { form }).score;
    expect(score(zeroed(table))).toBe(0);
    expect(score(duplicated(table))).toBe(0);
    expect(score(permuted(table))).toBe(score(table));
    expect(score(flipped(table))).toBeCloseTo(score(table), form === 'linear-svc' ? 1 : 12);
  },
);

test('Kumar’s form gives identity codes nearly their most: 1 less the chance of the second best', () => {
  const { score, parts } = sap.score(identityTable(4000, [3, 4, 5]));
  const [three, four, five] = parts.gaps as number[];
  expect(three).toBeGreaterThan(1 - 1 / 3 - 0.06);
  expect(four).toBeGreaterThan(1 - 1 / 4 - 0.06);
  expect(five).toBeGreaterThan(1 - 1 / 5 - 0.06);
  expect(score).toBeCloseTo((three + four + five) / 3, 12);
});

test('LinearSVC cannot reach middle classes, so identity codes of ten classes stay near 0.2', () => {
  const { score } = sap.score(identityTable(3000, [10, 10, 10]), { form: 'linear-svc' });
  expect(score).toBeGreaterThan(0.15);
  expect(score).toBeLessThan(0.25);
});

test('Kumar’s form regresses continuous factors, and ordered ones when told from which size on', () => {
  const table = identityTable(500, [4, 30]);
  const regressed = sap.score(table, { regressAbove: 10 });
  const matrix = regressed.parts.matrix as number[][];
  expect(matrix[1][1]).toBeCloseTo(1, 12);
  expect(matrix[0][1]).toBeCloseTo(r2Matrix(codesOf(table), factorsOf(table))[0][1], 12);
  table.factors.factors[1].kind = 'continuous';
  expect(sap.score(table).parts.matrix).toEqual(matrix);
});

test('Kumar’s form gives 0 to inactive dimensions, however well they predict', () => {
  const table = identityTable(500, [4, 4]);
  const faint = withCodes(table, 3, (i, j) => table.codes.values[i * 2 + (j % 2)] * (j === 2 ? 1e-4 : 1));
  expect(sap.score(faint).parts.gaps).toEqual([0, expect.closeTo(1 - 1 / 4, 1)]);
  const { score, notes } = sap.score(faint, { inactiveStd: 0.01 });
  expect(score).toBeCloseTo(sap.score(table).score, 12);
  expect(notes).toContain('1 of 3 dimensions are inactive and score 0.');
});

test('grouping correlated latents gives doubled codes the score of single ones', () => {
  const table = identityTable(500, [3, 4, 5]);
  table.factors.factors[2].kind = 'continuous';
  const grouped = sap.score(duplicated(table), { groupAbove: 0.9 });
  expect(grouped.parts.groups).toEqual([
    [0, 3],
    [1, 4],
    [2, 5],
  ]);
  expect(grouped.score).toBeCloseTo(sap.score(table).score, 6);
});

test('more dimensions than factors, among them a constant one, change nothing but the second best', () => {
  const table = identityTable(2000, [3, 4]);
  for (const form of ['kumar', 'linear-svc', 'r2']) {
    const matrix = sap.score(padded(table), { form }).parts.matrix as number[][];
    expect(matrix.length).toBe(4);
    expect(matrix.slice(0, 2)).toEqual(sap.score(table, { form }).parts.matrix);
  }
});

test('a discrete factor with more values than thresholds can be fitted for gets R², with a note', () => {
  const table = identityTable(800, [3, 400]);
  const { parts, notes } = sap.score(table);
  expect((parts.matrix as number[][])[1][1]).toBeCloseTo(1, 12);
  expect(notes[0]).toMatch(/^Factor “f1” has \d+ values, too many for thresholds, and gets R²\.$/);
});
