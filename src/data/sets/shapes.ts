/**
 * A tiny generated set with known factors, for tests and tutorials that train in seconds: 3,072 smooth-edged shapes, every
 * combination of shape, scale, x, y and brightness once. With `shapes-contrast` the target set adds a bright mark of varying
 * corner and size, which the background set does not have.
 */

import type { Factors } from '../../model/index.ts';
import { stream } from '../../random/index.ts';
import { type Dataset, fingerprint } from '../dataset.ts';
import { imageStore } from '../images/image-store.ts';
import type { BuiltIn } from './built-in.ts';
import { allCombinations } from './factors.ts';

const licence = 'part of untangle (MIT)';
const get = 'Generated; nothing to download.';

export const shapes: BuiltIn = {
  title: 'Shapes',
  what: '3,072 grey 16×16 pictures with known factors: shape 3, scale 4, x 8, y 8, brightness 4',
  licence,
  get,
  open: async ({ size }) => ({ kind: 'single', data: shapesDataset(size) }),
};

export const shapesContrast: BuiltIn = {
  title: 'Shapes with and without a mark',
  what: '3,072 shapes with a bright mark in one of 4 corners and 4 sizes (target), and 3,072 without (background)',
  licence,
  get,
  open: async ({ size, seed }) => ({
    kind: 'contrast',
    target: markedShapes(size, seed),
    background: { ...shapesDataset(size), name: 'shapes-contrast background', title: 'Shapes without a mark' },
  }),
};

const shapeNames = ['disc', 'square', 'triangle'];
const corners = ['top left', 'top right', 'bottom left', 'bottom right'];
const markSizes = 4;

/** Lengths are in the units of a picture of 16 × 16, whatever its size. */
const unit = 16;

/** All shapes, at `size` × `size`. */
export function shapesDataset(size = unit): Dataset {
  const factors = allCombinations(['shape', 'scale', 'x', 'y', 'brightness'], [3, 4, 8, 8, 4]);
  return dataset('shapes', shapes.title, size, drawn(factors, size, shape), factors, shapeNames, 0);
}

/** All shapes, each with a mark whose corner and size are drawn by the seed. */
export function markedShapes(size = unit, seed = 0): Dataset {
  const plain = allCombinations(['shape', 'scale', 'x', 'y', 'brightness'], [3, 4, 8, 8, 4]);
  const random = stream(seed, 'marks of shapes');
  const width = plain.factors.length + 2;
  const count = plain.values.length / plain.factors.length;
  const values = new Float32Array(count * width);
  for (let i = 0; i < count; i++) {
    values.set(plain.values.subarray(i * (width - 2), (i + 1) * (width - 2)), i * width);
    values[i * width + width - 2] = random.integer(corners.length);
    values[i * width + width - 1] = random.integer(markSizes);
  }
  const factors: Factors = {
    factors: [
      ...plain.factors,
      { name: 'mark corner', kind: 'discrete', size: corners.length },
      { name: 'mark size', kind: 'discrete', size: markSizes },
    ],
    values,
  };
  return dataset(
    'shapes-contrast',
    'Shapes with a mark',
    size,
    drawn(factors, size, markedShape),
    factors,
    corners,
    plain.factors.length,
  );
}

/** From an item's factors to the brightness at each point. */
type Painter = (known: Float32Array, pixel: number) => (x: number, y: number) => number;

function drawn({ factors, values }: Factors, size: number, painter: Painter): Uint8Array {
  const width = factors.length;
  const count = values.length / width;
  const pixel = unit / size;
  const pixels = new Uint8Array(count * size * size);
  for (let i = 0, to = 0; i < count; i++) {
    const paint = painter(values.subarray(i * width, (i + 1) * width), pixel);
    for (let row = 0; row < size; row++) {
      const y = (row + 0.5) * pixel;
      for (let column = 0; column < size; column++, to++) pixels[to] = 255 * paint((column + 0.5) * pixel, y) + 0.5;
    }
  }
  return pixels;
}

/** A shape of radius 2.4 to 4.2 about a centre from 4.5 to 11.5, between 0.3 and 0.75 bright. */
const shape: Painter = ([kind, scale, left, top, brightness], pixel) => {
  const distance = distances[kind];
  const radius = 2.4 + 0.6 * scale;
  const light = 0.3 + 0.15 * brightness;
  return (x, y) => light * coverage(distance(x - 4.5 - left, y - 4.5 - top, radius), pixel);
};

/** The shape under a white diamond, 1 to 2.2 from its centre to its tips, in a corner. */
const markedShape: Painter = (known, pixel) => {
  const paint = shape(known, pixel);
  const [corner, size] = known.subarray(5);
  const centreX = corner % 2 === 0 ? 3.5 : 12.5;
  const centreY = corner < 2 ? 3.5 : 12.5;
  const tip = 1 + 0.4 * size;
  return (x, y) => {
    const outside = (Math.abs(x - centreX) + Math.abs(y - centreY) - tip) * Math.SQRT1_2;
    return Math.max(paint(x, y), coverage(outside, pixel));
  };
};

/** How far a point lies outside of each shape, negative inside. */
const distances = [
  (dx: number, dy: number, radius: number) => Math.sqrt(dx * dx + dy * dy) - radius,
  (dx: number, dy: number, radius: number) => Math.max(Math.abs(dx), Math.abs(dy)) - 0.85 * radius,
  (dx: number, dy: number, radius: number) => Math.max(dy, (Math.abs(dx) * Math.sqrt(3) - dy) / 2) - 0.6 * radius,
];

/** The share of a pixel that lies inside an edge at this distance from its centre. */
function coverage(distance: number, pixel: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance / pixel));
}

function dataset(
  name: string,
  title: string,
  size: number,
  pixels: Uint8Array,
  factors: Factors,
  names: string[],
  labelFactor: number,
): Dataset {
  const width = factors.factors.length;
  const count = pixels.length / (size * size);
  return imageStore({
    name,
    title,
    shape: { kind: 'image', channels: 1, height: size, width: size },
    pixels,
    factors,
    labels: {
      names,
      values: Uint16Array.from({ length: count }, (_, i) => factors.values[i * width + labelFactor]),
    },
    fingerprint: fingerprint('shapes', pixels, factors.values),
  });
}
