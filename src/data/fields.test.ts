import { expect, test } from 'vitest';
import type { Dataset } from './dataset.ts';
import { fieldsOf, subsetWithFields, withFields } from './fields.ts';
import { subset } from './split.ts';

function data(): Dataset {
  return {
    name: 'd',
    title: 'D',
    shape: { kind: 'table', columns: ['x'] },
    range: 'real',
    length: 3,
    fingerprint: 'd',
    gather: (indices, out = new Float32Array(indices.length)) => out,
    labels: { names: ['a', 'b'], values: Uint16Array.of(0, 1, 0) },
    factors: {
      factors: [
        { name: 'age', kind: 'continuous', size: 0 },
        { name: 'label', kind: 'discrete', size: 9 },
      ],
      values: Float32Array.of(1, 7, 2, 8, 3, 6),
    },
  };
}

const valuesOf = (of: Dataset, name: string) => {
  const field = fieldsOf(of).find((candidate) => candidate.name === name);
  return Array.from({ length: of.length }, (_, item) => field?.at(item));
};

test('columns, factors and the label are fields, and the first of a name counts', () => {
  const known = withFields(data(), [{ kind: 'number', name: 'age', at: (item) => 10 * item }]);
  expect(fieldsOf(known).map(({ name, kind }) => [name, kind])).toEqual([
    ['age', 'number'],
    ['label', 'number'],
  ]);
  expect(valuesOf(known, 'age')).toEqual([0, 10, 20]);
  expect(valuesOf(known, 'label')).toEqual([7, 8, 6]);
});

test('a subset knows the columns of its own items, and one that does not know them has none', () => {
  const known = withFields(data(), [{ kind: 'number', name: 'dose', at: (item) => 10 * item }]);
  expect(valuesOf(subsetWithFields(known, Uint32Array.of(2, 0)), 'dose')).toEqual([20, 0]);
  expect(fieldsOf(subset(known, [2, 0])).map(({ name }) => name)).toEqual(['age', 'label']);
  expect(valuesOf(subset(known, [2, 0]), 'age')).toEqual([3, 1]);
});
