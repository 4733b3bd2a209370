import { expect, test } from 'vitest';
import { heatMap } from './heat-map.ts';
import { scaleColour } from './palette.ts';
import { cutTexts, picturesOf, shapesOf, textsOf } from './testing/pictures.ts';

const rows = ['shared 0', 'shared 1'];
const columns = ['shape', 'a factor with a long name', 'scale'];

test('every cell has its colour and its number, row by row', () => {
  const drawing = heatMap({ values: [0, 0.25, 0.5, 0.75, 1, Number.NaN], rows, columns, measure: 'SAP' });
  const cells = shapesOf(drawing, 'rectangle').slice(0, 6);
  expect(cells.map(({ fill }) => fill)).toEqual([
    ...[0, 0.25, 0.5, 0.75, 1].map((value) => scaleColour(value)),
    '#dcdcdc',
  ]);
  expect(cells[3].y).toBeGreaterThan(cells[0].y);
  expect(cells[3].x).toBe(cells[0].x);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['0.00', '0.75', '1.00', '–', 'SAP', ...rows, ...columns]));
  expect(cutTexts(drawing)).toEqual([]);
});

test('the scale may be fixed, so that two pictures can be compared', () => {
  const drawing = heatMap({ values: [1], rows: ['a'], columns: ['b'], measure: 'correlation', domain: [-1, 1] });
  expect(shapesOf(drawing, 'rectangle')[0].fill).toBe('#fde725');
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['−1.0', '1.0']));
});

test('a large matrix is one image with a pixel a cell and no numbers', () => {
  const values = Float32Array.from({ length: 2500 }, (_, i) => i / 2500);
  const names = Array.from({ length: 50 }, (_, i) => `dimension ${i}`);
  const drawing = heatMap({ values, rows: names, columns: names, measure: 'correlation' });
  const [{ raster, width, height }] = picturesOf(drawing);
  expect([raster.width, raster.height, width, height]).toEqual([50, 50, 750, 750]);
  expect([...raster.data.subarray(0, 3)]).toEqual([0x44, 0x01, 0x54]);
  expect(cutTexts(drawing)).toEqual([]);
});

test('one cell is a matrix, and values that do not fit are refused', () => {
  expect(textsOf(heatMap({ values: [0.5], rows: ['a'], columns: ['b'], measure: 'SAP' }))).toContain('0.50');
  expect(() => heatMap({ values: [1, 2], rows, columns, measure: 'SAP' })).toThrow(
    '2 values were given for 2 rows and 3 columns',
  );
  expect(() => heatMap({ values: [], rows: [], columns: [], measure: 'SAP' })).toThrow('0 rows');
  expect(() => heatMap({ values: [Number.NaN], rows: ['a'], columns: ['b'], measure: 'SAP' })).toThrow(
    'None of the values',
  );
});
