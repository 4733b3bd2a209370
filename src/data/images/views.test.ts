import { expect, test } from 'vitest';
import type { Dataset } from '../dataset.ts';
import { imageStore } from './image-store.ts';
import { resizeImage } from './resize.ts';
import { greyed, ranged, resized } from './views.ts';

const pixels = Uint8Array.from({ length: 5 * 3 * 4 * 4 }, (_, i) => (i * 37) % 256);
const colour = imageStore({
  name: 'colour',
  title: 'Colour',
  shape: { kind: 'image', channels: 3, height: 4, width: 4 },
  pixels,
  fingerprint: 'f',
});

test('a resized set gives what resizing each image gives', () => {
  const large = resized(colour, 6);
  expect(large.shape).toEqual({ kind: 'image', channels: 3, height: 6, width: 6 });
  expect(large.gather([2, 0]).subarray(108)).toEqual(resizeImage(colour.gather([0]), 3, 4, 4, 6, 6));
  expect(resized(colour, 4)).toBe(colour);
});

test('a grey set has one channel and the luma of each pixel', () => {
  const grey = greyed(colour).gather([1]);
  const rgb = colour.gather([1]);
  expect(grey.length).toBe(16);
  expect(grey[5]).toBeCloseTo(0.299 * rgb[5] + 0.587 * rgb[21] + 0.114 * rgb[37], 6);
});

test('a binary set is no longer binary once resized', () => {
  expect(resized({ ...colour, range: 'binary' }, 8).range).toBe('unit');
});

test('a table cannot be resized', () => {
  const table: Dataset = { ...colour, name: 'prices', shape: { kind: 'table', columns: ['a'] } };
  expect(() => resized(table, 8)).toThrow('prices is a table; only images can be resized.');
});

test('a set goes from 0 … 1 to −1 … 1 and back, and is another set by its fingerprint', () => {
  const wide = ranged(colour, 'symmetric');
  expect([wide.range, wide.fingerprint === colour.fingerprint]).toEqual(['symmetric', false]);
  const [image, before] = [wide.gather([2]), colour.gather([2])];
  for (const [i, value] of image.entries()) expect(value).toBeCloseTo(2 * before[i] - 1, 6);
  const back = ranged(wide, 'unit').gather([2]);
  for (const [i, value] of back.entries()) expect(value).toBeCloseTo(before[i], 6);
  expect(ranged(colour, 'unit')).toBe(colour);
});
