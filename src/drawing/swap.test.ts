import { expect, test } from 'vitest';
import { swap } from './swap.ts';
import { greys, gridOf, picturesOf, textsOf } from './testing/pictures.ts';

const parts = (count: number) => [
  { label: '[z, s]', images: greys(count, 4, () => 0.2) },
  { label: '[z, 0]', images: greys(count, 4, () => 0.4) },
  { label: '[0, s]', images: greys(count, 4, () => 0.6) },
];

test('each item has a row: itself, then what is decoded of it, under the names', () => {
  const drawing = swap({ items: greys(2, 4, () => 0), parts: parts(2) });
  const { rows } = gridOf(drawing);
  const row = picturesOf(drawing).filter(({ y }) => y === rows[1]);
  expect(row.map(({ raster }) => raster.data[0])).toEqual([0, 51, 102, 153]);
  expect(textsOf(drawing)).toEqual(['x', '[z, s]', '[z, 0]', '[0, s]']);
});

test('many items are shown in panels side by side, further apart than their columns', () => {
  const drawing = swap({ items: greys(20), parts: parts(20) });
  const { rows, columns } = gridOf(drawing);
  expect([rows.length, columns.length]).toEqual([7, 12]);
  expect(picturesOf(drawing)).toHaveLength(80);
  expect(columns[4] - columns[3]).toBeGreaterThan(columns[1] - columns[0]);
});

test('one item is enough, and parts of another number are refused', () => {
  expect(picturesOf(swap({ items: greys(1), parts: parts(1) }))).toHaveLength(4);
  expect(() => swap({ items: greys(2), parts: parts(3) })).toThrow('3 images of [z, s] were given for 2 items');
});
