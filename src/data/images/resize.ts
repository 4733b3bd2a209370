/**
 * Resizing, cropping and greying of images as floats in channel, row, column order. Resizing weighs with a triangle that is
 * widened when shrinking, so that nothing aliases: bilinear interpolation upwards, an area-like mean downwards.
 */

/**
 * Resizes an image.
 *
 * @example resizeImage(digit, 1, 28, 28, 32, 32)
 */
export function resizeImage(
  src: Float32Array,
  channels: number,
  height: number,
  width: number,
  toHeight: number,
  toWidth: number,
): Float32Array {
  const out = new Float32Array(channels * toHeight * toWidth);
  resampleImage(src, channels, height, width, tapsFor(height, toHeight), tapsFor(width, toWidth), out);
  return out;
}

/** The part of an image that begins at (top, left). */
export function cropImage(
  src: Float32Array,
  channels: number,
  height: number,
  width: number,
  box: { top: number; left: number; height: number; width: number },
): Float32Array {
  const out = new Float32Array(channels * box.height * box.width);
  for (let c = 0, to = 0; c < channels; c++) {
    for (let row = 0; row < box.height; row++, to += box.width) {
      const from = (c * height + box.top + row) * width + box.left;
      out.set(src.subarray(from, from + box.width), to);
    }
  }
  return out;
}

/** Luma of an RGB image by ITU-R 601, the weights that PIL and OpenCV use. */
export function greyImage(rgb: Float32Array, height: number, width: number): Float32Array {
  const plane = height * width;
  const out = new Float32Array(plane);
  for (let i = 0; i < plane; i++) out[i] = 0.299 * rgb[i] + 0.587 * rgb[plane + i] + 0.114 * rgb[2 * plane + i];
  return out;
}

/** For each output position: which inputs are weighed, `count` of them from `first` on, and how much. */
export interface Taps {
  size: number;
  count: number;
  first: Int32Array;
  weights: Float32Array;
}

/** The taps of a resize from `from` to `to` positions, ends aligned; kept for the next image of the same sizes. */
export function tapsFor(from: number, to: number): Taps {
  const key = `${from} to ${to}`;
  let taps = known.get(key);
  if (!taps) {
    taps = triangleTaps(from, to, from / to, 0);
    if (known.size > 100) known.clear();
    known.set(key, taps);
  }
  return taps;
}

const known = new Map<string, Taps>();

/**
 * Taps where output o lies at input (o + ½)·step + start: a general zoom. Weights sum to one over the inputs that exist;
 * outputs whose centre lies outside the input get none, and so come out as 0.
 */
export function triangleTaps(from: number, to: number, step: number, start: number): Taps {
  const support = Math.max(1, step);
  const count = Math.min(from, Math.ceil(2 * support));
  const first = new Int32Array(to);
  const weights = new Float32Array(to * count);
  for (let o = 0; o < to; o++) {
    const centre = (o + 0.5) * step + start;
    if (centre < 0 || centre > from) continue;
    const low = Math.max(0, Math.min(from - count, Math.floor(centre - support + 0.5)));
    first[o] = low;
    let sum = 0;
    for (let k = 0; k < count; k++) sum += triangle((low + k + 0.5 - centre) / support);
    for (let k = 0; k < count; k++) weights[o * count + k] = triangle((low + k + 0.5 - centre) / support) / sum;
  }
  return { size: to, count, first, weights };
}

/** Weighs an image by the taps of its rows and columns, into `out` (which must hold channels × rows × columns). */
export function resampleImage(
  src: Float32Array,
  channels: number,
  height: number,
  width: number,
  rows: Taps,
  columns: Taps,
  out: Float32Array,
): void {
  const across = scratchFor(height * columns.size);
  for (let c = 0; c < channels; c++) {
    for (let y = 0, to = 0; y < height; y++) {
      const line = (c * height + y) * width;
      for (let o = 0; o < columns.size; o++, to++) {
        const from = line + columns.first[o];
        const tap = o * columns.count;
        let sum = 0;
        for (let k = 0; k < columns.count; k++) sum += columns.weights[tap + k] * src[from + k];
        across[to] = sum;
      }
    }
    for (let o = 0; o < rows.size; o++) {
      const to = (c * rows.size + o) * columns.size;
      for (let x = 0; x < columns.size; x++) out[to + x] = 0;
      for (let k = 0; k < rows.count; k++) {
        const weight = rows.weights[o * rows.count + k];
        if (weight === 0) continue;
        const from = (rows.first[o] + k) * columns.size;
        for (let x = 0; x < columns.size; x++) out[to + x] += weight * across[from + x];
      }
    }
  }
}

const triangle = (x: number) => Math.max(0, 1 - Math.abs(x));

let scratch = new Float32Array(0);

/** One buffer serves all calls: resampling never waits in the middle. */
function scratchFor(length: number): Float32Array {
  if (scratch.length < length) scratch = new Float32Array(length);
  return scratch;
}
