import { expect, test } from 'vitest';
import { columnsFor, contactSheet, inRows } from './contact-sheet.ts';
import { rasterise } from './rasterise.ts';
import { cutTexts, greys, gridOf, picturesOf, pixel, textsOf } from './testing/pictures.ts';

test('items stand in order, row by row, each over its label', () => {
  const drawing = contactSheet({
    items: greys(10, 4, (i) => (i * 20) / 255),
    captions: [...'abcdefghij'],
    columns: 5,
    cellSize: 16,
  });
  expect(gridOf(drawing).rows).toHaveLength(2);
  const raster = rasterise(drawing, 1);
  const shown = picturesOf(drawing).map(({ x, y }) => pixel(raster, x + 8, y + 8)[0]);
  expect(shown).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180]);
  expect(textsOf(drawing).join('')).toBe('abcdefghij');
});

test('the target stands above its background, and both are named', () => {
  const drawing = contactSheet({
    items: greys(4, 4, () => 1),
    background: { items: greys(4, 4, () => 0), captions: ['w', 'x', 'y', 'z'] },
    columns: 4,
  });
  const pictures = picturesOf(drawing);
  expect(pictures.slice(0, 4).map(({ raster }) => raster.data[0])).toEqual([255, 255, 255, 255]);
  expect(pictures.slice(4).map(({ raster }) => raster.data[0])).toEqual([0, 0, 0, 0]);
  expect(pictures[4].y).toBeGreaterThan(pictures[0].y);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['target', 'background', 'w', 'z']));
  expect(cutTexts(drawing)).toEqual([]);
});

test('sheets are wider than high, and their last row is full where that is possible', () => {
  for (const count of [1, 5, 8, 10, 20, 40, 48, 64, 100, 200]) {
    expect(count % columnsFor(count)).toBe(0);
    expect(columnsFor(count)).toBeGreaterThanOrEqual(Math.sqrt(count));
  }
  expect(37 / columnsFor(37)).toBeLessThan(5);
  expect(inRows([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});

test('columns that can’t be are refused', () => {
  for (const columns of [0, -1, 1.5, Number.NaN])
    expect(() => contactSheet({ items: greys(4), columns })).toThrow(`Rows of ${columns} images can’t be made`);
});

test('one item is a sheet', () => {
  expect(picturesOf(contactSheet({ items: greys(1) }))).toHaveLength(1);
});
