import { decode } from 'fast-png';
import { expect, test } from 'vitest';
import { drawing } from './drawing.ts';
import type { Raster } from './image.ts';
import { channelsNeeded, encodePng, toPng } from './png.ts';

const raster = (...pixels: number[][]): Raster => ({
  width: pixels.length,
  height: 1,
  data: new Uint8Array(pixels.flat()),
});

test('a file has only the channels that its colours need, and gives its pixels back', () => {
  const grey = raster([0, 0, 0, 255], [90, 90, 90, 255]);
  const colour = raster([1, 2, 3, 255], [90, 90, 90, 255]);
  const clear = raster([1, 2, 3, 0], [90, 90, 90, 255]);
  expect([grey, colour, clear].map(channelsNeeded)).toEqual([1, 3, 4]);
  expect([...decode(encodePng(grey)).data]).toEqual([0, 90]);
  expect([...decode(encodePng(colour)).data]).toEqual([1, 2, 3, 90, 90, 90]);
  expect([...decode(encodePng(clear)).data]).toEqual([1, 2, 3, 0, 90, 90, 90, 255]);
});

test('a drawing is written with two pixels to a CSS pixel unless told', () => {
  const page = drawing(30, 20, 'empty');
  expect([decode(toPng(page)).width, decode(toPng(page)).height]).toEqual([60, 40]);
  expect(decode(toPng(page, 1)).width).toBe(30);
});
