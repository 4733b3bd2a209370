import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cropImage, greyImage, resampleImage, resizeImage, triangleTaps } from './resize.ts';

interface Case {
  height: number;
  width: number;
  toHeight: number;
  toWidth: number;
  image: number[];
  resized: number[];
}
const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../fixtures/resize.json', import.meta.url), 'utf8'),
);

test.each(cases)('$height×$width to $toHeight×$toWidth gives PIL’s bilinear image', (given) => {
  const resized = resizeImage(
    Float32Array.from(given.image),
    1,
    given.height,
    given.width,
    given.toHeight,
    given.toWidth,
  );
  const worst = Math.max(...given.resized.map((value, i) => Math.abs(value - resized[i])));
  expect(worst).toBeLessThan(2e-6);
});

test('a plain picture stays plain, each channel by itself, at every size', () => {
  const side = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(side, side, side, side, (height, width, toHeight, toWidth) => {
      const src = new Float32Array(2 * height * width).fill(0.25, 0, height * width).fill(0.75, height * width);
      const out = resizeImage(src, 2, height, width, toHeight, toWidth);
      const plane = toHeight * toWidth;
      expect(out.length).toBe(2 * plane);
      expect(out.every((value, i) => Math.abs(value - (i < plane ? 0.25 : 0.75)) < 1e-5)).toBe(true);
    }),
  );
});

test('a digit grown from 28 to 32 or 64 keeps its share of ink', () => {
  const digit = new Float32Array(28 * 28);
  for (let y = 6; y < 22; y++) for (let x = 10; x < 17; x++) digit[y * 28 + x] = 1;
  const ink = (image: Float32Array) => image.reduce((sum, value) => sum + value, 0) / image.length;
  for (const size of [32, 64]) {
    expect(ink(resizeImage(digit, 1, 28, 28, size, size))).toBeCloseTo(ink(digit), 2);
  }
});

test('zooming out about the centre leaves an empty margin', () => {
  const zoom = 0.5;
  const taps = triangleTaps(64, 64, 1 / zoom, 32 - 32 / zoom);
  const out = new Float32Array(64 * 64);
  resampleImage(new Float32Array(64 * 64).fill(1), 1, 64, 64, taps, taps, out);
  const at = (y: number, x: number) => out[y * 64 + x];
  expect([at(15, 32), at(16, 32), at(32, 32), at(47, 32), at(48, 32)]).toEqual([0, 1, 1, 1, 0]);
});

test('a crop is the box that was asked for, in each channel', () => {
  const src = Float32Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
  const box = cropImage(src, 2, 3, 4, { top: 1, left: 2, height: 2, width: 2 });
  expect([...box]).toEqual([6, 7, 10, 11, 18, 19, 22, 23]);
});

test('grey is 0.299 R + 0.587 G + 0.114 B', () => {
  expect(greyImage(Float32Array.of(1, 0, 0), 1, 1)[0]).toBeCloseTo(0.299, 6);
  expect(greyImage(Float32Array.of(0.2, 0.4, 0.6), 1, 1)[0]).toBeCloseTo(0.299 * 0.2 + 0.587 * 0.4 + 0.114 * 0.6, 6);
});
