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

test('columns come back in their own units, those that move surely first and the largest effect first', () => {
  const rows = Float32Array.from([0, 0.5, 0.5, -1, 1, 0.5, 0.5, 0]);
  const moved = changes(
    transformation,
    {
      slopes: Float64Array.of(0.25, 0.1, -0.1, 1),
      errors: Float64Array.of(0.05, 0.01, 0.03, 0.1),
      pValues: [1e-6, 1e-8, 0.001, 0.2],
      low: -1,
      high: 1,
    },
    { rows, low: rows.map((value) => value - 0.1), high: rows.map((value) => value + 0.1) },
  );
  expect(moved.map(({ column, found }) => [column, found])).toEqual([
    ['height', true],
    ['site', true],
    ['weight', false],
  ]);
  expect(moved[0]).toMatchObject({ from: 172.5, to: 177.5, effect: 0.5 });
  expect(moved[0].interval.map((end) => Number(end.toFixed(3)))).toEqual([0.304, 0.696]);
  expect(moved[0].decoded).toBeCloseTo(0.2, 6);
  expect(moved[1]).toMatchObject({ category: 'Bonn' });
  expect([moved[1].from, moved[1].to].map((share) => Number(share.toFixed(6)))).toEqual([0.4, 0.6]);
  // Two levels were looked at for one column: 2 · 10⁻⁸ is still the smallest of three.
  expect(moved[1].rate).toBeCloseTo(6e-8, 12);
  expect([moved[2].from, moved[2].to]).toEqual([52, 76]);
});
