import { expect, test } from 'vitest';
import { type Cell, columnsFor, grid, inRows } from './grid.ts';
import { type Raster, rastersOf } from './image.ts';
import { rasterise } from './rasterise.ts';
import { toSvg } from './svg.ts';
import { cutTexts, greys, gridOf, picturesOf, pixel, shapesOf, textsOf, xmlElements } from './testing/pictures.ts';

const cells = (count: number, size = 4): Cell[] => rastersOf(greys(count, size, () => 0.2)).map((image) => ({ image }));
const rowsOf = (rows: number, columns: number) => Array.from({ length: rows }, () => cells(columns));

test('cells stand in line, a gap apart, and are shown at a whole multiple of their size', () => {
  const drawing = grid({ rows: rowsOf(2, 3), cellSize: 30, gap: 5 });
  const { rows, columns } = gridOf(drawing);
  expect(columns).toEqual([16, 49, 82]);
  expect(rows).toEqual([16, 49]);
  expect(picturesOf(drawing).map(({ width }) => width)).toEqual(Array(6).fill(28));
  expect([drawing.width, drawing.height]).toEqual([16 + 28 * 3 + 10 + 16, 16 + 28 * 2 + 5 + 16]);
});

test('the pixels of an image are in the file where its cell is', () => {
  const raster = rasterise(grid({ rows: [cells(1)], cellSize: 8 }), 1);
  expect(pixel(raster, 16, 16)).toEqual([51, 51, 51, 255]);
  expect(pixel(raster, 23, 23)).toEqual([51, 51, 51, 255]);
  expect(pixel(raster, 24, 23)).toEqual([255, 255, 255, 255]);
});

test('one cell, a hundred rows and rows of unequal length are all grids', () => {
  expect(picturesOf(grid({ rows: [cells(1)] }))).toHaveLength(1);
  const many = grid({ rows: rowsOf(100, 3), rowLabels: Array.from({ length: 100 }, (_, i) => ({ text: `row ${i}` })) });
  expect(gridOf(many).rows).toHaveLength(100);
  expect(cutTexts(many)).toEqual([]);
  expect(picturesOf(grid({ rows: [cells(3), [undefined, ...cells(1)]] }))).toHaveLength(4);
});

test('every label is there, escaped, and none is cut, however long', () => {
  const long = 'A label that is longer than anybody would like it to be, with <angle> & "quotes" in it, and so on';
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  for (const text of [long, word, '']) {
    const drawing = grid({
      rows: [[{ ...cells(1)[0], caption: text }, ...cells(1)], cells(2)],
      rowLabels: [{ text, note: '1.00' }, { text: 'b' }],
      columnLabels: [text, 'short'],
      rowHeading: text,
      noteHeading: 'KL',
      columnHeading: text,
      title: text,
      caption: text,
    });
    expect(cutTexts(drawing)).toEqual([]);
    const shown = textsOf(drawing).join('').replaceAll(' ', '');
    expect(shown.split(text.replaceAll(' ', '')).length - 1).toBeGreaterThanOrEqual(text === '' ? 0 : 7);
    expect(xmlElements(toSvg(drawing))).toContain('image');
  }
});

test('labels stand at their rows and columns', () => {
  const drawing = grid({ rows: rowsOf(2, 2), rowLabels: [{ text: 'up' }, { text: 'down' }], columnLabels: ['l', 'r'] });
  const texts = shapesOf(drawing, 'text');
  const [first, , , last] = picturesOf(drawing);
  const find = (text: string) => texts.find((one) => one.text === text)!;
  expect(find('up').x).toBeLessThan(first.x);
  expect(Math.abs(find('up').y - (first.y + first.height / 2))).toBeLessThan(6);
  expect(Math.abs(find('down').y - (last.y + last.height / 2))).toBeLessThan(6);
  expect(find('r').x).toBe(last.x + last.width / 2);
  expect(find('l').y).toBeLessThan(first.y);
});

test('images stand on whole pixels whatever stands around them', () => {
  const drawing = grid({
    rows: rowsOf(3, 2),
    title: 'T',
    columnLabels: ['a', 'b c d e f g h i j k l m n'],
    rowLabels: [{ text: 'r' }],
  });
  const captioned = grid({
    rows: [[{ ...cells(1)[0], caption: 'a caption of many words' }], cells(1)],
    columnHeading: 'h',
  });
  for (const { x, y } of [...picturesOf(drawing), ...picturesOf(captioned)])
    expect([x, y]).toEqual([Math.round(x), Math.round(y)]);
});

test('groups of rows and columns stand further apart', () => {
  const { rows, columns } = gridOf(
    grid({ rows: rowsOf(3, 3), gap: 4, cellSize: 8, rowBreaks: [2], columnBreaks: [1, 1] }),
  );
  expect(rows.map((y) => y - rows[0])).toEqual([0, 12, 36]);
  expect(columns.map((x) => x - columns[0])).toEqual([0, 36, 48]);
});

test('a highlighted cell has a frame around it', () => {
  const drawing = grid({ rows: rowsOf(1, 2), cellSize: 8, highlight: [[0, 1]] });
  const { columns } = gridOf(drawing);
  const raster = rasterise(drawing, 1);
  expect(pixel(raster, columns[1] - 1, 20)).toEqual([213, 94, 0, 255]);
  expect(pixel(raster, columns[0] - 1, 20)).toEqual([255, 255, 255, 255]);
});

test('light images get a hairline, dark ones none', () => {
  const light = rastersOf(greys(1, 4, () => 1)).map((image) => ({ image }));
  expect(shapesOf(grid({ rows: [light] }), 'rectangle')).toHaveLength(1);
  expect(shapesOf(grid({ rows: [cells(1)] }), 'rectangle')).toHaveLength(0);
});

test('large images are reduced by a whole number, and images of two sizes share the cells', () => {
  const large: Raster = { width: 300, height: 150, data: new Uint8Array(300 * 150 * 4).fill(255) };
  const [shown] = picturesOf(grid({ rows: [[{ image: large }]] }));
  expect([shown.width, shown.height]).toEqual([60, 30]);
  const two = picturesOf(grid({ rows: [[...cells(1, 8), ...cells(1, 4)]], cellSize: 16 }));
  expect(two.map(({ width }) => width)).toEqual([16, 8]);
  expect(two[1].y - two[0].y).toBe(4);
});

test('cells without pixels and gaps below nothing are refused', () => {
  expect(() => grid({ rows: [cells(1)], cellSize: 0 })).toThrow('Cells of 0 pixels');
  expect(() => grid({ rows: [cells(1)], cellSize: Number.NaN })).toThrow('Cells of NaN pixels');
  expect(() => grid({ rows: [cells(1)], gap: -3 })).toThrow('-3 apart');
});

test('nothing to show, and too much, are refused with a sentence', () => {
  expect(() => grid({ rows: [] })).toThrow('no image to show');
  expect(() => grid({ rows: [[undefined]] })).toThrow('no image to show');
  const [cell] = cells(1);
  expect(() => grid({ rows: [Array(30_000).fill(cell)] })).toThrow('too many');
  expect(() => grid({ rows: Array(3000).fill([cell]), cellSize: 30_000 })).toThrow('the limit is 64 million');
});

test('sheets are wider than high, and their last row is full where that is possible', () => {
  for (const count of [1, 5, 8, 10, 20, 40, 48, 64, 100, 200]) {
    expect(count % columnsFor(count)).toBe(0);
    expect(columnsFor(count)).toBeGreaterThanOrEqual(Math.sqrt(count));
  }
  expect(37 / columnsFor(37)).toBeLessThan(5);
  expect(inRows([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
