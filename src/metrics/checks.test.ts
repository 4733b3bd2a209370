import { expect, test } from 'vitest';
import { checkInputs } from './checks.ts';
import { identityTable } from './testing/data.ts';

const table = identityTable(150, [2, 3]);

test('codes that are not finite, or arrays that do not fit, are an error that says where', () => {
  const values = table.codes.values.slice();
  values[7] = Number.NaN;
  expect(() => checkInputs({ ...table, codes: { ...table.codes, values } })).toThrow(
    'The codes hold NaN in row 3, dimension 1.',
  );
  expect(() => checkInputs({ ...table, codes: { ...table.codes, d: 3 } })).toThrow(
    'hold 300 numbers, but 150 rows of 3',
  );
  expect(() => checkInputs({ ...table, factors: { ...table.factors, n: 149 } })).toThrow('149 rows of factors for 150');
  const labels = { names: ['a'], values: new Uint16Array(150).fill(1) };
  expect(() => checkInputs({ ...table, labels })).toThrow('A label is 1, but there are names for 1 classes');
});

test('blocks must lie inside the codes, and images must be as many as said', () => {
  const blocks = [{ name: 'z', role: 'shared' as const, start: 1, size: 2 }];
  expect(() => checkInputs({ codes: { ...table.codes, blocks } })).toThrow(
    'The block “z” is dimensions 1 … 2, but the codes have 2.',
  );
  const images = { original: new Float32Array(8), reconstruction: new Float32Array(6), n: 2, size: 4 };
  expect(() => checkInputs({ reconstructions: images })).toThrow('The reconstructions hold 6 numbers, but 2 rows of 4');
  expect(() => checkInputs({ ...table, background: { values: new Float32Array(6), n: 2, d: 3 } })).toThrow(
    'codes have 3 dimensions, the codes have 2.',
  );
});
