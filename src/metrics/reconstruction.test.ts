import { expect, test } from 'vitest';
import { reconstruction } from './reconstruction.ts';

const original = Float32Array.of(1, 0, 1, 0);
const made = Float32Array.of(0.75, 0.25, 0.5, 0);
const reconstructions = { original, reconstruction: made, n: 2, size: 2 };
const crossEntropy = -(2 * Math.log(0.75) + Math.log(0.5));

test('errors are sums over an image and means over a pixel', () => {
  const { score, parts } = reconstruction.score({ reconstructions });
  expect(score).toBeCloseTo((0.0625 + 0.0625 + 0.25) / 4, 12);
  expect(parts.squaredPerImage).toBeCloseTo(0.375 / 2, 12);
  expect(parts.absolutePerPixel).toBeCloseTo(1 / 4, 12);
  expect(parts.absolutePerImage).toBeCloseTo(1 / 2, 12);
  expect(parts.crossEntropyPerPixel).toBeCloseTo(crossEntropy / 4, 12);
});

test('a perfect reconstruction has no error, and a saturated wrong pixel a finite cross-entropy', () => {
  expect(reconstruction.score({ reconstructions: { ...reconstructions, reconstruction: original } }).score).toBe(0);
  const wrong = reconstruction.score({
    reconstructions: { ...reconstructions, reconstruction: original.map((v) => 1 - v) },
  });
  expect(wrong.parts.crossEntropyPerPixel).toBe(100);
});

test('values outside 0 … 1 have squared and absolute errors only', () => {
  const { parts, notes } = reconstruction.score({
    reconstructions: { ...reconstructions, original: Float32Array.of(-1, 0, 1, 0) },
  });
  expect(parts.crossEntropyPerPixel).toBeUndefined();
  expect(notes).toEqual(['Values outside 0 … 1 have no binary cross-entropy.']);
});

test('what it says is true of tables, too', () => {
  expect(reconstruction.describe).toContain('a pixel or column');
});
