import { expect, test } from 'vitest';
import { interpolationLines, interpolationSquare } from './interpolation-grid.ts';
import { cutTexts, greys, gridOf, picturesOf, shapesOf, textsOf } from './testing/pictures.ts';

test('a line goes from the first real item over the steps to the last', () => {
  const drawing = interpolationLines({ images: greys(5), ends: greys(2, 4, (i) => 1 - i) });
  const levels = [...picturesOf(drawing)].sort((a, b) => a.x - b.x).map(({ raster }) => raster.data[0]);
  expect(levels).toEqual([255, 0, 51, 102, 153, 204, 0]);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['from', 'to']));
});

test('several lines stand below each other, with or without their ends', () => {
  expect(gridOf(interpolationLines({ images: greys(10), lines: 2 })).rows).toHaveLength(2);
  expect(gridOf(interpolationLines({ images: greys(10), ends: greys(4), lines: 2 })).columns).toHaveLength(7);
  expect(() => interpolationLines({ images: greys(10), lines: 3 })).toThrow(
    '10 steps and 0 ends were given for 3 lines',
  );
  expect(() => interpolationLines({ images: greys(10), ends: greys(2), lines: 2 })).toThrow('10 steps and 2 ends');
});

test('a square between corners names what moves and frames the named corners', () => {
  const drawing = interpolationSquare({
    images: greys(16),
    columns: 4,
    across: 'salient 0',
    down: 'salient 1',
    corners: ['z₁ with s₁', undefined, undefined, 'z₁ with s₂'],
  });
  expect([gridOf(drawing).rows.length, gridOf(drawing).columns.length]).toEqual([4, 4]);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['salient 0 →', 'salient 1 ↓']));
  expect(textsOf(drawing).join(' ')).toContain('Bottom right: z₁ with s₂.');
  expect(shapesOf(drawing, 'rectangle').filter(({ fill }) => fill === '#d55e00')).toHaveLength(8);
  expect(cutTexts(drawing)).toEqual([]);
});

test('one image is a square, and rows that are not full are refused', () => {
  expect(picturesOf(interpolationSquare({ images: greys(1), columns: 1 }))).toHaveLength(1);
  expect(() => interpolationSquare({ images: greys(7), columns: 3 })).toThrow('7 images don’t fill rows of 3');
});
