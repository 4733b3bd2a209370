import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resizeImage } from '../images/resize.ts';
import { dilate, outline, unpackBits } from './strokes.ts';

const side = 64;
const unpack = (bits: Uint32Array) => unpackBits(bits, new Float32Array(side * side));
const pack = (pixels: ArrayLike<number>) => {
  const bits = new Uint32Array(2 * side);
  for (let i = 0; i < pixels.length; i++) if (pixels[i]) bits[i >> 5] |= 1 << (i & 31);
  return bits;
};

test('an outline is the ink that touches a pixel without ink, pixel by pixel', () => {
  fc.assert(
    fc.property(fc.array(fc.float({ min: 0, max: 1, noNaN: true }), { minLength: 49, maxLength: 49 }), (blobs) => {
      const digit = resizeImage(Float32Array.from(blobs), 1, 7, 7, 28, 28);
      const grown = resizeImage(digit, 1, 28, 28, side, side);
      const isInk = (y: number, x: number) => y >= 0 && x >= 0 && y < side && x < side && grown[y * side + x] >= 0.5;
      const expected = Array.from({ length: side * side }, (_, i) => {
        const [y, x] = [Math.floor(i / side), i % side];
        const isInner = isInk(y - 1, x) && isInk(y + 1, x) && isInk(y, x - 1) && isInk(y, x + 1);
        return isInk(y, x) && !isInner ? 1 : 0;
      });
      expect([...unpack(outline(digit))]).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test('dilation sets every pixel that has one under the square about it', () => {
  const dots = fc.array(fc.nat(side * side - 1), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(dots, fc.integer({ min: 1, max: 10 }), (places, width) => {
      const pixels = new Uint8Array(side * side);
      const expected = new Uint8Array(side * side);
      const before = Math.floor((width - 1) / 2);
      for (const place of places) {
        pixels[place] = 1;
        const [y, x] = [Math.floor(place / side), place % side];
        for (let dy = -before; dy < width - before; dy++) {
          for (let dx = -before; dx < width - before; dx++) {
            if (y + dy >= 0 && y + dy < side && x + dx >= 0 && x + dx < side) expected[(y + dy) * side + x + dx] = 1;
          }
        }
      }
      expect(Buffer.compare(Uint8Array.from(unpack(dilate(pack(pixels), width))), expected)).toBe(0);
    }),
    { numRuns: 300 },
  );
});
