import { expect, test } from 'vitest';
import { contactSheet, reconstructionTable, samplesTable, swapTable, transferTable } from './image-tables.ts';
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

test('columns that can’t be are refused', () => {
  for (const columns of [0, -1, 1.5, Number.NaN])
    expect(() => contactSheet({ items: greys(4), columns })).toThrow(`Rows of ${columns} images can’t be made`);
});

test('one item is a sheet', () => {
  expect(picturesOf(contactSheet({ items: greys(1) }))).toHaveLength(1);
});

test('each reconstruction stands right under its original', () => {
  const drawing = reconstructionTable({
    sets: [{ originals: greys(6), reconstructions: greys(6, 4, (i) => i / 6 + 0.05) }],
    columns: 3,
  });
  const pictures = picturesOf(drawing);
  const { rows, columns } = gridOf(drawing);
  expect([rows.length, columns.length]).toEqual([4, 3]);
  for (const picture of pictures.filter(({ y }) => y === rows[0] || y === rows[2])) {
    const below = pictures.find((other) => other.x === picture.x && other.y === rows[rows.indexOf(picture.y) + 1])!;
    expect(below.raster.data[0] - picture.raster.data[0]).toBeCloseTo(0.05 * 255, -0.5);
  }
  // Pairs stand closer to each other than to the next pair.
  expect(rows[1] - rows[0]).toBeLessThan(rows[2] - rows[1]);
});

test('sets such as background and target follow each other with their names', () => {
  const set = { originals: greys(2), reconstructions: greys(2) };
  const drawing = reconstructionTable({
    sets: [
      { ...set, name: 'background' },
      { ...set, name: 'target', captions: ['0.1', '0.2'] },
    ],
  });
  expect(textsOf(drawing).filter((text) => text !== 'reconstruction')).toEqual(['background', 'target', '0.1', '0.2']);
  expect(cutTexts(drawing)).toEqual([]);
});

test('one item is enough, and unequal numbers are refused', () => {
  expect(picturesOf(reconstructionTable({ sets: [{ originals: greys(1), reconstructions: greys(1) }] }))).toHaveLength(
    2,
  );
  expect(() => reconstructionTable({ sets: [{ originals: greys(2), reconstructions: greys(3) }] })).toThrow(
    '2 originals and 3 reconstructions',
  );
  expect(() => reconstructionTable({ sets: [] })).toThrow('no image to show');
});

test('samples fill a grid in their order', () => {
  const drawing = samplesTable({ images: greys(12), columns: 4 });
  expect([gridOf(drawing).rows.length, gridOf(drawing).columns.length]).toEqual([3, 4]);
  expect(picturesOf(drawing)[5].raster.data[0]).toBe(Math.round((5 / 12) * 255));
});

test('with classes, each has a row of its own under its name', () => {
  const drawing = samplesTable({ images: greys(6), rows: ['seven', 'two'] });
  const { rows } = gridOf(drawing);
  expect(
    picturesOf(drawing)
      .filter(({ y }) => y === rows[1])
      .map(({ raster }) => raster.data[0]),
  ).toEqual([128, 170, 212]);
  expect(textsOf(drawing)).toEqual(['seven', 'two']);
});

test('samples that can’t be shared out among the classes are refused', () => {
  expect(() => samplesTable({ images: greys(5), rows: ['seven', 'two'] })).toThrow(
    '5 samples can’t be shared out among 2 rows',
  );
  expect(() => samplesTable({ images: greys(5), rows: [] })).toThrow('among 0 rows');
});

const keep = { items: greys(2, 4, () => 0), block: 'shared' };

test('what is kept stands at the left, what is taken above, and each pair where they meet', () => {
  const drawing = transferTable({
    keep,
    take: { items: greys(3, 4, () => 1), block: 'salient' },
    images: greys(6, 4, (i) => (i + 1) / 10),
  });
  const { rows, columns } = gridOf(drawing);
  const at = (r: number, c: number) =>
    picturesOf(drawing).find(({ x, y }) => x === columns[c] && y === rows[r])?.raster.data[0];
  expect(at(0, 0)).toBeUndefined();
  expect([at(0, 1), at(0, 2), at(0, 3)]).toEqual([255, 255, 255]);
  expect([at(1, 0), at(2, 0)]).toEqual([0, 0]);
  expect([at(1, 1), at(1, 3), at(2, 1), at(2, 3)]).toEqual([26, 77, 102, 153]);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['salient from →', 'shared from']));
});

test('without items above, columns share codes drawn at random', () => {
  const drawing = transferTable({ keep, take: { block: 'salient' }, images: greys(8) });
  expect([gridOf(drawing).rows.length, gridOf(drawing).columns.length]).toEqual([2, 5]);
  expect(textsOf(drawing)).toContain('salient, drawn at random →');
});

test('results that do not fit the items are refused', () => {
  expect(() => transferTable({ keep, take: { items: greys(3), block: 'salient' }, images: greys(5) })).toThrow(
    '5 results were given for 2 items at the left and 3 above',
  );
  expect(() => transferTable({ keep, take: { block: 'salient' }, images: greys(5) })).toThrow('5 results');
});

const parts = (count: number) => [
  { label: '[z, s]', images: greys(count, 4, () => 0.2) },
  { label: '[z, 0]', images: greys(count, 4, () => 0.4) },
  { label: '[0, s]', images: greys(count, 4, () => 0.6) },
];

test('each item has a row: itself, then what is decoded of it, under the names', () => {
  const drawing = swapTable({ items: greys(2, 4, () => 0), parts: parts(2) });
  const { rows } = gridOf(drawing);
  const row = picturesOf(drawing).filter(({ y }) => y === rows[1]);
  expect(row.map(({ raster }) => raster.data[0])).toEqual([0, 51, 102, 153]);
  expect(textsOf(drawing)).toEqual(['x', '[z, s]', '[z, 0]', '[0, s]']);
});

test('many items are shown in panels side by side, further apart than their columns', () => {
  const drawing = swapTable({ items: greys(20), parts: parts(20) });
  const { rows, columns } = gridOf(drawing);
  expect([rows.length, columns.length]).toEqual([7, 12]);
  expect(picturesOf(drawing)).toHaveLength(80);
  expect(columns[4] - columns[3]).toBeGreaterThan(columns[1] - columns[0]);
});

test('one item is enough, and parts of another number are refused', () => {
  expect(picturesOf(swapTable({ items: greys(1), parts: parts(1) }))).toHaveLength(4);
  expect(() => swapTable({ items: greys(2), parts: parts(3) })).toThrow('3 images of [z, s] were given for 2 items');
});
