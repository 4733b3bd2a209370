import { describe, expect, test } from 'vitest';
import type { ImageShape } from '../../model/index.ts';
import type { Picture, PictureHeader } from '../formats/picture.ts';
import { checkFraming, commonShape, framed, misfit } from './framing.ts';

const header = (width: number, height: number, channels: 1 | 3 = 1): PictureHeader => ({
  format: 'png',
  channels,
  height,
  width,
});
const shape = (channels: number, height: number, width: number): ImageShape => ({
  kind: 'image',
  channels,
  height,
  width,
});
const picture = (width: number, ...data: number[]): Picture => ({
  channels: 1,
  height: data.length / width,
  width,
  data: Uint8Array.from(data),
});

describe('the common shape', () => {
  test('is the size of most pictures, in colour if any has colour', () => {
    expect(commonShape([header(3, 2), header(4, 4), header(3, 2, 3)], {})).toEqual(shape(3, 2, 3));
    expect(commonShape([header(3, 2), header(3, 2, 3)], { grey: true })).toEqual(shape(1, 2, 3));
  });

  test('is the size that is asked for', () => {
    expect(commonShape([header(3, 2), header(40, 10)], { size: 8 })).toEqual(shape(1, 8, 8));
    expect(commonShape([header(300, 200)], { crop: 100 })).toEqual(shape(1, 100, 100));
    expect(commonShape([header(300, 200)], { crop: true })).toEqual(shape(1, 200, 200));
  });

  test('tells which pictures do not fit', () => {
    expect(misfit(header(4, 4), shape(1, 2, 3), {})).toBe('it is 4×4 pixels where most are 3×2');
    expect(misfit(header(4, 4), shape(1, 2, 3), { size: 5 })).toBe('it is 4×4 pixels where most are 3×2');
    expect(misfit(header(4, 4), shape(1, 8, 8), { size: 8 })).toBeUndefined();
    expect(misfit(header(90, 200), shape(1, 64, 64), { size: 64, crop: 108 })).toBe(
      'it is 90×200 pixels, too small to cut out 108×108',
    );
  });
});

describe('a framed picture', () => {
  test('is what it was where nothing is to be done', () => {
    expect(framed(picture(2, 1, 2, 3, 4), shape(1, 2, 2), {})).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  test('is the middle where it is cropped', () => {
    const wide = picture(5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    expect(framed(wide, shape(1, 2, 2), { crop: true })).toEqual(Uint8Array.of(2, 3, 7, 8));
    const square = picture(4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    expect(framed(square, shape(1, 2, 2), { crop: 2 })).toEqual(Uint8Array.of(6, 7, 10, 11));
  });

  test('is grey where colour is turned into grey, and has three equal planes the other way round', () => {
    const colour: Picture = { channels: 3, height: 1, width: 2, data: Uint8Array.of(255, 0, 0, 255, 0, 0) };
    expect(framed(colour, shape(1, 1, 2), { grey: true })).toEqual(Uint8Array.of(76, 150));
    expect(framed(picture(2, 5, 6), shape(3, 1, 2), {})).toEqual(Uint8Array.of(5, 6, 5, 6, 5, 6));
  });

  test('keeps its mean brightness when it is scaled down', () => {
    const values = Array.from({ length: 64 }, (_, i) => (i % 8 < 4 ? 40 : 200));
    const small = framed(picture(8, ...values), shape(1, 2, 2), { size: 2 });
    expect(Math.abs(small[0] + small[1] + small[2] + small[3] - 480)).toBeLessThanOrEqual(4);
    expect(small[1] - small[0]).toBeGreaterThan(100);
  });
});

test('a box says which part of the picture is meant, as far as the picture goes', () => {
  const square = picture(4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  const size = shape(1, 2, 2);
  expect(framed(square, size, {}, { top: 1, left: 2, height: 2, width: 2 })).toEqual(Uint8Array.of(7, 8, 11, 12));
  expect(framed(square, size, {}, { top: -5, left: 2, height: 7, width: 90 })).toEqual(Uint8Array.of(3, 4, 7, 8));
  expect(framed(square, shape(1, 4, 4), {}, { top: 50, left: 50, height: 3, width: 3 })).toEqual(square.data);
});

test('a mask is 1 where the picture is not white', () => {
  const framing = checkFraming({ mask: true });
  const drawn = picture(3, 255, 252, 249, 0, 128, 255);
  expect(framed(drawn, shape(1, 2, 3), framing)).toEqual(Uint8Array.of(0, 0, 255, 255, 255, 0));
});

test('a size that is no number of pixels gets a sentence', () => {
  for (const size of [0, -3, 2.5, 1e6, Number.NaN])
    expect(() => checkFraming({ size })).toThrow(
      `The size is ${size}, but must be a whole number of pixels from 1 to 4096.`,
    );
  expect(() => checkFraming({ crop: 0 })).toThrow('The crop is 0');
});
