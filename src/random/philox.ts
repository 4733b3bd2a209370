/**
 * Philox4x32-10, the counter-based generator of Salmon et al., “Parallel Random Numbers: As Easy as 1, 2, 3” (SC 2011).
 * A block of four 32-bit words is a pure function of a 128-bit counter and a 64-bit key, so any point of any stream can be
 * computed without the ones before it.
 */
export type Quad = [number, number, number, number];

const multiplier0 = 0xd2511f53;
const multiplier1 = 0xcd9e8d57;
const weyl0 = 0x9e3779b9;
const weyl1 = 0xbb67ae85;
const rounds = 10;

/** Writes the four words at `counter` under `key` into `out`. */
export function philox(
  out: Uint32Array | Quad,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
): void {
  for (let round = 0; round < rounds; round++) {
    const high0 = multiplyHigh(multiplier0, c0);
    const low0 = Math.imul(multiplier0, c0);
    const high1 = multiplyHigh(multiplier1, c2);
    const low1 = Math.imul(multiplier1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + weyl0) | 0;
    k1 = (k1 + weyl1) | 0;
  }
  out[0] = c0 >>> 0;
  out[1] = c1 >>> 0;
  out[2] = c2 >>> 0;
  out[3] = c3 >>> 0;
}

/** The upper 32 bits of the 64-bit product of two unsigned 32-bit numbers. */
function multiplyHigh(a: number, b: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const cross = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + (middle >>> 16) + (cross >>> 16)) | 0;
}
