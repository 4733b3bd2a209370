import { expect, test } from 'vitest';
import { leakage } from './leakage.ts';
import { continuous, identityTable, withCodes } from './testing/data.ts';

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
