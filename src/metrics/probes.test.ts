import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { attributeVector, fitAttribute, hingeBias } from './attribute-vector.ts';
import sklearn from './fixtures/sklearn.json' with { type: 'json' };
import { leakage } from './leakage.ts';
import { linearProbe, regressionProbe, treeProbe } from './probes.ts';
import { splitRows } from './rows.ts';
import { duplicated, flipped, identityTable, padded, permuted, type Table, withCodes, zeroed } from './testing/data.ts';

const continuous = (table: Table): Table => ({
  ...table,
  factors: { ...table.factors, factors: table.factors.factors.map((factor) => ({ ...factor, kind: 'continuous' })) },
});

test('linear regression reads a linear code without error, zeros with that of the mean', () => {
  const table = continuous(identityTable(1000, [5, 9]));
  for (const variant of [table, permuted(table), flipped(table), duplicated(table), padded(table)])
    expect(regressionProbe.score(variant).score).toBeLessThan(1e-9);
  const { parts } = regressionProbe.score(zeroed(table));
  expect(parts.perFactor).toEqual(parts.errorOfTheMean);
  expect((parts.perFactor as number[])[0]).toBeCloseTo(1.2, 1);
});

test('the regression error is scikit-learn’s with the same rows to train and to test on', () => {
  const { codes, factors, train } = sklearn;
  const order = splitRows(codes.length, train, codes.length - train, { seed: 0 });
  // The rows are put where the metric's own split will look for them.
  const values = new Float64Array(codes.length * 6);
  const y = new Float64Array(codes.length);
  [...order.train, ...order.test].forEach((row, i) => {
    values.set(codes[i], row * 6);
    y[row] = factors[i][2];
  });
  const table = {
    codes: { values, n: codes.length, d: 6 },
    factors: { values: y, n: codes.length, factors: [{ name: 'f', kind: 'continuous' as const, size: 0 }] },
  };
  const { score } = regressionProbe.score(table, { train, test: codes.length - train });
  expect(score).toBeCloseTo(sklearn.regressionError, 9);
});

test.each([
  ['linear', linearProbe],
  ['tree', treeProbe],
])('the %s probe reads two-valued codes perfectly, and zeros at chance', (_, probe) => {
  const table = identityTable(600, [2, 2]);
  for (const variant of [table, permuted(table), flipped(table), duplicated(table), padded(table)]) {
    const { score, parts } = probe.score(variant);
    expect(score).toBe(1);
    expect(parts.rocAuc).toEqual([1, 1]);
    expect(parts.accuracyPerClass).toEqual([
      [1, 1],
      [1, 1],
    ]);
  }
  const { parts } = probe.score(zeroed(table));
  expect(parts.rocAuc).toEqual([0.5, 0.5]);
  (parts.accuracy as number[]).forEach((accuracy, k) => {
    expect(Math.abs(accuracy - 0.5)).toBeLessThan(0.1);
    expect(accuracy).toBeLessThanOrEqual((parts.chance as number[])[k]);
  });
});

test('trees read what no line can: whether two codes have the same sign', () => {
  const source = stream(3, 'xor').normals(2000);
  const values = Float64Array.from(source);
  const labels = {
    names: ['different', 'same'],
    values: Uint16Array.from({ length: 1000 }, (_, i) => (values[2 * i] * values[2 * i + 1] > 0 ? 1 : 0)),
  };
  const inputs = { codes: { values, n: 1000, d: 2 }, labels };
  expect(linearProbe.score(inputs).score).toBeLessThan(0.62);
  expect(treeProbe.score(inputs).score).toBeGreaterThan(0.9);
});

test('the hinge-loss bias has no better neighbour', () => {
  const source = stream(4, 'hinge');
  const scores = Float64Array.from({ length: 31 }, () => 3 * source.normal());
  const y = Int32Array.from({ length: 31 }, () => source.integer(2));
  const loss = (b: number) => scores.reduce((sum, s, i) => sum + Math.max(0, 1 - (y[i] ? 1 : -1) * (s + b)), 0);
  const bias = hingeBias(scores, y);
  for (let b = -10; b <= 10; b += 0.01) expect(loss(b)).toBeGreaterThanOrEqual(loss(bias) - 1e-9);
});

test('the attribute vector is the difference of the means', () => {
  const { w } = fitAttribute(Float64Array.of(1, 2, 3, 4, 5, 7), 2, Int32Array.of(0, 0, 1));
  expect(Array.from(w)).toEqual([3, 4]);
});

test('attributes are told by their vector in any order and sign, and at chance from zeros', () => {
  const table = identityTable(900, [2, 2, 5]);
  for (const variant of [table, permuted(table), flipped(table), duplicated(table), padded(table)]) {
    const { score, parts } = attributeVector.score(variant);
    expect(score).toBeGreaterThan(0.9);
    expect(parts.attributes).toEqual(['f0', 'f1']);
  }
  const { parts } = attributeVector.score(zeroed(table));
  (parts.accuracy as number[]).forEach((accuracy, k) => {
    expect(accuracy).toBeLessThanOrEqual((parts.chance as number[])[k] + 1e-12);
  });
  expect(() => attributeVector.score(identityTable(100, [3, 4]))).toThrow('with two values, and there is none');
});

test('leakage is 0 while the label is in the salient block alone, and 1 when the shared block holds it too', () => {
  const table = identityTable(800, [2, 7]);
  const labels = {
    names: ['a', 'b'],
    values: Uint16Array.from({ length: 800 }, (_, i) => table.factors.values[2 * i]),
  };
  const blocks = [
    { name: 's', role: 'salient' as const, start: 0, size: 1 },
    { name: 'z', role: 'shared' as const, start: 1, size: 1 },
  ];
  const clean = leakage.score({ codes: { ...table.codes, blocks }, labels });
  expect(clean.score).toBeLessThan(0.06);
  expect(clean.parts.matrix).toEqual([[1], [clean.score]]);
  const leaky = withCodes(table, 2, (i) => table.codes.values[2 * i]);
  expect(leakage.score({ codes: { ...leaky.codes, blocks }, labels }).score).toBe(1);
});

test('leakage of a continuous factor is the R² of a line in the block that is not its own', () => {
  const table = continuous(identityTable(800, [5, 7]));
  const blocks = [
    { name: 's', role: 'salient' as const, start: 0, size: 1 },
    { name: 'z', role: 'shared' as const, start: 1, size: 1 },
  ];
  const inputs = { codes: { ...table.codes, blocks }, factors: table.factors };
  const { score, parts } = leakage.score(inputs, { belongs: { f0: 's', f1: 'z' } });
  expect(score).toBeLessThan(0.02);
  const matrix = parts.matrix as number[][];
  expect(matrix[0][0]).toBeCloseTo(1, 9);
  expect(matrix[1][1]).toBeCloseTo(1, 9);
  expect(leakage.score(inputs, { belongs: { f0: 'z' } }).score).toBeCloseTo(1, 9);
  expect(() => leakage.score(inputs)).toThrow('Nothing says which block is the wrong one');
  expect(() => leakage.score(inputs, { belongs: { f0: 'zz' } })).toThrow('no block “zz”');
});
