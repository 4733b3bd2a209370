import { expect, test } from 'vitest';
import { type Images, imageCount, nonFiniteColour, rasterOf, rastersOf, resize, smoothResize } from './image.ts';
import { pixel } from './testing/pictures.ts';

const grey = (values: number[], width: number, range: Images['range'] = 'unit'): Images => ({
  values: new Float32Array(values),
  shape: { kind: 'image', channels: 1, height: values.length / width, width },
  range,
});

test('the ends of a value range are black and white, and what lies beyond is clipped', () => {
  const levels = (values: number[], range: Images['range']) => {
    const raster = rasterOf(grey(values, values.length, range));
    return values.map((_, x) => pixel(raster, x, 0)[0]);
  };
  expect(levels([-1, 0, 0.2, 1, 7], 'unit')).toEqual([0, 0, 51, 255, 255]);
  expect(levels([0, 1], 'binary')).toEqual([0, 255]);
  expect(levels([-1, 0, 0.6, 1], 'symmetric')).toEqual([0, 128, 204, 255]);
  expect(levels([-3, 0, 3, 9], 'real')).toEqual([0, 128, 255, 255]);
});

test('colour images keep their channels apart', () => {
  const values = new Float32Array([1, 0, 0, 1, 0, 0.4]);
  const raster = rasterOf({ values, shape: { kind: 'image', channels: 3, height: 1, width: 2 }, range: 'unit' });
  expect(pixel(raster, 0, 0)).toEqual([255, 0, 0, 255]);
  expect(pixel(raster, 1, 0)).toEqual([0, 255, 102, 255]);
});

test('a value that is not finite turns its pixel magenta, and only that pixel', () => {
  const raster = rasterOf(grey([Number.NaN, 0.2, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], 2));
  expect(pixel(raster, 0, 0)).toEqual([...nonFiniteColour, 255]);
  expect(pixel(raster, 1, 0)).toEqual([51, 51, 51, 255]);
  expect(pixel(raster, 0, 1)).toEqual([255, 0, 255, 255]);
  expect(pixel(raster, 1, 1)).toEqual([255, 0, 255, 255]);
});

test('images stand one after the other', () => {
  const images = { ...grey([0, 0, 0, 0], 2), values: new Float32Array([0, 0, 0, 0, 1, 1, 1, 1, 0.2, 0.2, 0.2, 0.2]) };
  expect(imageCount(images)).toBe(3);
  expect(rastersOf(images).map((raster) => pixel(raster, 1, 1)[0])).toEqual([0, 255, 51]);
});

test('numbers that do not make whole images, odd channels and missing images are refused with a sentence', () => {
  const images = grey([0, 0, 0, 0], 2);
  expect(() => imageCount({ ...images, values: new Float32Array(7) })).toThrow(
    '7 numbers are not a whole number of images',
  );
  expect(() => imageCount({ ...images, shape: { ...images.shape, channels: 2 } })).toThrow('2 channels');
  expect(() => imageCount({ ...images, shape: { ...images.shape, width: 0 } })).toThrow('not a whole number');
  expect(() => rasterOf(images, 1)).toThrow('Image 1 was asked for; there are 1.');
});

test('enlarging repeats each pixel as a square', () => {
  const raster = resize(rasterOf(grey([0, 1, 0.2, 0.6], 2)), 6, 6);
  expect([raster.width, raster.height]).toEqual([6, 6]);
  expect([0, 2, 3, 5].map((x) => pixel(raster, x, 2)[0])).toEqual([0, 0, 255, 255]);
  expect([0, 2, 3, 5].map((x) => pixel(raster, x, 3)[0])).toEqual([51, 51, 153, 153]);
});

test('reducing takes the mean of the pixels that are covered', () => {
  const raster = resize(rasterOf(grey([0, 1, 0.2, 0.4, 0, 1, 0.2, 0.4], 4)), 2, 1);
  expect([0, 1].map((x) => pixel(raster, x, 0)[0])).toEqual([128, 77]);
});

test('smooth enlarging blends between the centres of pixels and keeps the corners', () => {
  const raster = smoothResize(rasterOf(grey([0, 1], 2)), 4, 1);
  expect([0, 1, 2, 3].map((x) => pixel(raster, x, 0)[0])).toEqual([0, 64, 191, 255]);
});
