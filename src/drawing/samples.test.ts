import { expect, test } from 'vitest';
import { samples } from './samples.ts';
import { greys, gridOf, picturesOf, textsOf } from './testing/pictures.ts';

test('samples fill a grid in their order', () => {
  const drawing = samples({ images: greys(12), columns: 4 });
  expect([gridOf(drawing).rows.length, gridOf(drawing).columns.length]).toEqual([3, 4]);
  expect(picturesOf(drawing)[5].raster.data[0]).toBe(Math.round((5 / 12) * 255));
});

test('with classes, each has a row of its own under its name', () => {
  const drawing = samples({ images: greys(6), rows: ['seven', 'two'] });
  const { rows } = gridOf(drawing);
  expect(
    picturesOf(drawing)
      .filter(({ y }) => y === rows[1])
      .map(({ raster }) => raster.data[0]),
  ).toEqual([128, 170, 212]);
  expect(textsOf(drawing)).toEqual(['seven', 'two']);
});

test('samples that can’t be shared out among the classes are refused', () => {
  expect(() => samples({ images: greys(5), rows: ['seven', 'two'] })).toThrow(
    '5 samples can’t be shared out among 2 rows',
  );
  expect(() => samples({ images: greys(5), rows: [] })).toThrow('among 0 rows');
});
