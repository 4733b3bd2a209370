import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import sklearn from './fixtures/sklearn.json' with { type: 'json' };
import { linearProbe, regressionProbe, treeProbe } from './probes.ts';
import { splitRows } from './rows.ts';
import { continuous, duplicated, flipped, identityTable, padded, permuted, zeroed } from './testing/data.ts';

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
