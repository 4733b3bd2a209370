/** A dataset on pixels of one byte that lie in memory: 0 … 255 read as [0, 1] (or as [−1, 1]). */

import type { Factors, ImageShape, Labels, ValueRange } from '../../model/index.ts';
import { type Dataset, gatherBy } from '../dataset.ts';

/** Makes a dataset of bytes in channel, row, column order; `pixels` may be in several pieces, one after the other. */
export function imageStore(given: {
  name: string;
  title: string;
  shape: ImageShape;
  pixels: Uint8Array | Uint8Array[];
  fingerprint: string;
  range?: ValueRange;
  labels?: Labels;
  factors?: Factors;
  split?: Dataset['split'];
}): Dataset {
  const { pixels, range = 'unit', ...rest } = given;
  const pieces = Array.isArray(pixels) ? pixels : [pixels];
  const size = given.shape.channels * given.shape.height * given.shape.width;
  const counts = pieces.map((piece) => piece.length / size);
  const length = counts.reduce((sum, count) => sum + count, 0);
  const values = Float32Array.from({ length: 256 }, (_, v) => (range === 'symmetric' ? v / 127.5 - 1 : v / 255));

  const gather = gatherBy({ name: given.name, length, size }, (item, out, at) => {
    let index = item;
    let piece = 0;
    while (index >= counts[piece]) index -= counts[piece++];
    const source = pieces[piece];
    for (let from = index * size, to = at; to < at + size; from++, to++) out[to] = values[source[from]];
  });
  return { ...rest, range, length, gather };
}

/** Pixels whose colours lie together, as the planes of each colour. */
export function channelsFirst(pixels: Uint8Array, plane: number, channels: number): Uint8Array {
  if (channels === 1) return pixels;
  const out = new Uint8Array(pixels.length);
  const size = plane * channels;
  for (let image = 0; image < pixels.length; image += size) {
    for (let c = 0; c < channels; c++) {
      for (let i = 0; i < plane; i++) out[image + c * plane + i] = pixels[image + i * channels + c];
    }
  }
  return out;
}
