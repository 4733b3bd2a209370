/**
 * Numbers to pixels: images as models and datasets hold them (channel, row, column; in a value range) become rasters of
 * red, green, blue and opacity, one byte each.
 */

import { UntangleError } from '../errors.ts';
import type { ImageShape, ValueRange } from '../model/index.ts';

/** Pixels, row by row, four bytes each. */
export interface Raster {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Images of one shape, one after the other: what `Dataset.gather` and a decoder give. */
export interface Images {
  values: Float32Array;
  shape: ImageShape;
  range: ValueRange;
}

/** What is shown for a value that is not a number or infinite: a colour that no colour scale of ours has. */
export const nonFiniteColour = [255, 0, 255] as const;

/** The values that become black and white. Standardised values are shown within three deviations. */
const limits: Record<ValueRange, [number, number]> = {
  binary: [0, 1],
  unit: [0, 1],
  symmetric: [-1, 1],
  real: [-3, 3],
};

/** How many images there are. */
export function imageCount({ values, shape }: Images): number {
  const size = shape.channels * shape.height * shape.width;
  if (shape.channels !== 1 && shape.channels !== 3) {
    throw new UntangleError(`An image of ${shape.channels} channels can’t be shown.`, {
      kind: 'call',
      hint: 'Give images with one channel (grey) or three (red, green, blue).',
    });
  }
  if (!(size > 0) || values.length % size !== 0) {
    throw new UntangleError(
      `${values.length} numbers are not a whole number of images of ${shape.channels} × ${shape.height} × ${shape.width}.`,
      { kind: 'call', hint: 'Images stand one after the other, each in channel, row, column order.' },
    );
  }
  return values.length / size;
}

/**
 * Image `index` as pixels. Values outside the range are clipped; those that are not finite turn magenta.
 *
 * @example rasterOf({ values: new Float32Array([0, 0.5, 1, NaN]), shape: { kind: 'image', channels: 1, height: 2, width: 2 }, range: 'unit' })
 */
export function rasterOf(images: Images, index = 0): Raster {
  const total = imageCount(images);
  if (!(index >= 0 && index < total)) {
    throw new UntangleError(`Image ${index} was asked for; there are ${total}.`, { kind: 'call' });
  }
  const { channels, height, width } = images.shape;
  const area = height * width;
  const [low, high] = limits[images.range];
  const start = index * channels * area;
  const data = new Uint8Array(area * 4);
  for (let pixel = 0; pixel < area; pixel++) {
    let finite = true;
    for (let colour = 0; colour < 3; colour++) {
      const value = images.values[start + (channels === 3 ? colour : 0) * area + pixel];
      finite &&= Number.isFinite(value);
      data[pixel * 4 + colour] = Math.round(255 * Math.min(1, Math.max(0, (value - low) / (high - low))));
    }
    if (!finite) data.set(nonFiniteColour, pixel * 4);
    data[pixel * 4 + 3] = 255;
  }
  return { width, height, data };
}

/** All images as pixels. */
export function rastersOf(images: Images): Raster[] {
  return Array.from({ length: imageCount(images) }, (_, i) => rasterOf(images, i));
}

/**
 * The raster at another size. Enlarged it keeps its pixels as hard squares; reduced, a pixel is the mean of those that it
 * covers.
 */
export function resize(raster: Raster, width: number, height: number): Raster {
  const data = new Uint8Array(width * height * 4);
  const columns = spans(raster.width, width);
  const rows = spans(raster.height, height);
  for (let y = 0, to = 0; y < height; y++) {
    const top = rows[2 * y];
    const bottom = rows[2 * y + 1];
    for (let x = 0; x < width; x++, to += 4) {
      const left = columns[2 * x];
      const right = columns[2 * x + 1];
      const covered = (right - left) * (bottom - top);
      for (let c = 0; c < 4; c++) {
        let sum = 0;
        for (let v = top; v < bottom; v++)
          for (let u = left; u < right; u++) sum += raster.data[(v * raster.width + u) * 4 + c];
        data[to + c] = covered === 1 ? sum : Math.round(sum / covered);
      }
    }
  }
  return { width, height, data };
}

/** The raster at another size with colours blended between the centres of its pixels, for photographs. */
export function smoothResize(raster: Raster, width: number, height: number): Raster {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const v = Math.min(raster.height - 1, Math.max(0, ((y + 0.5) * raster.height) / height - 0.5));
    const top = Math.floor(v);
    const bottom = Math.min(raster.height - 1, top + 1);
    for (let x = 0; x < width; x++) {
      const u = Math.min(raster.width - 1, Math.max(0, ((x + 0.5) * raster.width) / width - 0.5));
      const left = Math.floor(u);
      const right = Math.min(raster.width - 1, left + 1);
      for (let c = 0; c < 4; c++) {
        const at = (row: number, column: number) => raster.data[(row * raster.width + column) * 4 + c];
        const above = at(top, left) * (1 - u + left) + at(top, right) * (u - left);
        const below = at(bottom, left) * (1 - u + left) + at(bottom, right) * (u - left);
        data[(y * width + x) * 4 + c] = Math.round(above * (1 - v + top) + below * (v - top));
      }
    }
  }
  return { width, height, data };
}

/** For each of `to` pixels, the first and one past the last of the `from` pixels that it shows, in turn. */
function spans(from: number, to: number): Int32Array {
  const ends = new Int32Array(2 * to);
  for (let i = 0; i < to; i++) {
    const first = to >= from ? Math.min(from - 1, Math.floor(((i + 0.5) * from) / to)) : Math.round((i * from) / to);
    ends[2 * i] = first;
    ends[2 * i + 1] = to >= from ? first + 1 : Math.max(first + 1, Math.round(((i + 1) * from) / to));
  }
  return ends;
}
