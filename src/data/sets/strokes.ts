/** The outlines of digits as bits, 64 × 64, and their dilation: a row is two words of 32 pixels. */
import { resampleImage, tapsFor } from '../images/resize.ts';

export const outlineSide = 64;

/** Row y holds its left half in word 2y and its right half in word 2y + 1, the leftmost pixel in the lowest bit. */
export type Bits = Uint32Array;

/** Grows a 28×28 digit to 64×64 and keeps the pixels of its ink, half or more covered, that touch a pixel without. */
export function outline(digit: Float32Array, out: Bits = new Uint32Array(2 * outlineSide)): Bits {
  const taps = tapsFor(28, outlineSide);
  resampleImage(digit, 1, 28, 28, taps, taps, grown);
  for (let word = 0, at = 0; word < ink.length; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++, at++) if (grown[at] >= 0.5) bits |= 1 << bit;
    ink[word] = bits;
  }
  for (let y = 0; y < outlineSide; y++) {
    const left = ink[2 * y];
    const right = ink[2 * y + 1];
    const above = y > 0 ? 2 * (y - 1) : -1;
    const below = y < outlineSide - 1 ? 2 * (y + 1) : -1;
    for (let half = 0; half < 2; half++) {
      const here = half === 0 ? left : right;
      const fromLeft = half === 0 ? here << 1 : (here << 1) | (left >>> 31);
      const fromRight = half === 0 ? (here >>> 1) | (right << 31) : here >>> 1;
      const vertical = above < 0 || below < 0 ? 0 : ink[above + half] & ink[below + half];
      out[2 * y + half] = here & ~(fromLeft & fromRight & vertical);
    }
  }
  return out;
}

/**
 * Dilates by a square of `width` × `width` pixels, in place: a pixel is on if one is on under the square about it. An even
 * square reaches one pixel further to the right and down.
 */
export function dilate(bits: Bits, width: number): Bits {
  const before = Math.floor((width - 1) / 2);
  for (let y = 0; y < outlineSide; y++) {
    let left = bits[2 * y];
    let right = bits[2 * y + 1];
    // First towards the right by width − 1 pixels, then everything back by `before`.
    const [first, second] = [left, right];
    let overflow = 0;
    for (let step = 1; step < width; step++) {
      left |= first << step;
      right |= (second << step) | (first >>> (32 - step));
      overflow |= second >>> (32 - step);
    }
    if (before > 0) {
      const high = (overflow << (32 - before)) | (right >>> before);
      left = (right << (32 - before)) | (left >>> before);
      right = high;
    }
    bits[2 * y] = left;
    bits[2 * y + 1] = right;
  }
  rows.set(bits);
  for (let y = 0; y < outlineSide; y++) {
    let left = 0;
    let right = 0;
    const last = Math.min(outlineSide - 1, y + before);
    for (let from = Math.max(0, y - (width - 1 - before)); from <= last; from++) {
      left |= rows[2 * from];
      right |= rows[2 * from + 1];
    }
    bits[2 * y] = left;
    bits[2 * y + 1] = right;
  }
  return bits;
}

/** Bits as zeros and ones. */
export function unpackBits(bits: Bits, out: Float32Array): Float32Array {
  for (let word = 0, at = 0; word < bits.length; word++) {
    for (let bit = 0, value = bits[word]; bit < 32; bit++, at++, value >>>= 1) out[at] = value & 1;
  }
  return out;
}

const grown = new Float32Array(outlineSide * outlineSide);
const ink = new Uint32Array(2 * outlineSide);
const rows = new Uint32Array(2 * outlineSide);
