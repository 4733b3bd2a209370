import { expect, test } from 'vitest';
import type { Transformation } from '../data/index.ts';
import { changes } from './columns.ts';

const transformation: Transformation = {
  columns: [
    { kind: 'number', name: 'height', mean: 170, deviation: 10, fill: 170 },
    { kind: 'category', name: 'site', categories: ['Bonn', 'Ulm'], fill: 'Ulm' },
    { kind: 'number', name: 'weight', mean: 70, deviation: 12, fill: 70 },
  ],
  left: [],
  filled: {},
};

test('columns come back in their own units, the one that moves most first', () => {
  const before = Float32Array.from([0, 0.5, 0.5, -1, 1, 0.5, 0.5, 0]);
  const after = Float32Array.from([0.5, 0.9, 0.2, 1, 1.5, 0.7, 0.4, 2]);
  const moved = changes(transformation, before, after);
  expect(moved.map(({ column }) => column)).toEqual(['weight', 'height', 'site']);
  expect(moved[0]).toMatchObject({ from: 64, to: 88, effect: 2 });
  expect(moved[1]).toMatchObject({ from: 175, to: 180, effect: 0.5 });
  expect(moved[2].category).toBe('Bonn');
  expect(moved[2].from).toBeCloseTo(0.5, 6);
  expect(moved[2].to).toBeCloseTo(0.8, 6);
});
