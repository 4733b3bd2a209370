/**
 * Rewrites convolutions of stride 1 into the opposite kind where that is less work. It is done as soon as one is made, so that
 * its gradients are those of the cheaper form too.
 */

import type { Geometry } from '../ops/conv.ts';
import { constant } from '../ops/leaf.ts';
import { product } from '../ops/matmul.ts';
import type { Tensor } from '../tensor.ts';

/** A convolution of the opposite kind that gives the same. */
interface Rewritten {
  image: Tensor;
  filter: Tensor;
  geometry: Geometry;
}

/**
 * A convolution as a transposed one. Of an up-sampled image that is one of the image itself, with 16 products a pixel for 3×3
 * filters in place of 36. And where few channels come out, adding up their taps is less work than gathering those of many
 * that go in.
 */
export function asTransposed(x: Tensor, w: Tensor, geometry: Geometry): Rewritten | undefined {
  const image = x.op.name === 'upsample' ? x.inputs[0] : x;
  const factor = Number(x.shape[2]) / Number(image.shape[2]);
  const [rows, columns] = geometry.dilation;
  const isCheaper = factor > 1 ? rows === 1 && columns === 1 : 4 * Number(w.shape[0]) < Number(w.shape[1]);
  const padding = mirroredPadding(geometry, w);
  if (!isCheaper || !isUnit(geometry.stride) || padding === undefined) return undefined;
  return {
    image,
    filter: mirroredFilter(w, factor),
    geometry: { stride: [factor, factor], padding, dilation: geometry.dilation },
  };
}

/**
 * A transposed convolution, with its rows and columns of output padding, as a plain one: where more channels come out than go
 * in, gathering the taps of the few is less work than adding up those of the many.
 */
export function asPlain(x: Tensor, w: Tensor, geometry: Geometry, extra: readonly number[]): Rewritten | undefined {
  const padding = mirroredPadding(geometry, w);
  if (!isUnit(geometry.stride) || padding === undefined || Number(w.shape[1]) <= Number(w.shape[0])) return undefined;
  const [top, left, bottom, right] = padding;
  return {
    image: x,
    filter: mirroredFilter(w),
    geometry: {
      stride: [1, 1],
      padding: [top, left, bottom + extra[0], right + extra[1]],
      dilation: geometry.dilation,
    },
  };
}

function isUnit(stride: readonly [number, number]): boolean {
  return stride[0] === 1 && stride[1] === 1;
}

/** The padding with which a convolution of stride 1 becomes a transposed one, and back; none if it is wider than the filter. */
function mirroredPadding({ padding, dilation }: Geometry, filter: Tensor): Geometry['padding'] | undefined {
  const [rows, columns] = [0, 1].map((side) => dilation[side] * (Number(filter.shape[2 + side]) - 1));
  const mirrored = [rows - padding[0], columns - padding[1], rows - padding[2], columns - padding[3]] as const;
  return mirrored.every((amount) => amount >= 0) ? mirrored : undefined;
}

/**
 * A filter as the opposite kind of convolution takes it: channels change places, taps are reversed. With a factor, each tap
 * also acts on all the pixels that up-sampling makes of one: K[q] = Σ_{i < factor} w[k − 1 − q + i] along either side.
 */
function mirroredFilter(w: Tensor, factor = 1): Tensor {
  const [outer, inner, ...kernel] = w.shape.map(Number);
  const [rows, columns] = kernel.map((size) => size + factor - 1);
  const acts = (tap: number, place: number, size: number) => {
    const shift = tap - (size - 1 - place);
    return shift >= 0 && shift < factor;
  };
  const table = new Float32Array(kernel[0] * kernel[1] * rows * columns);
  for (let i = 0; i < table.length; i++) {
    const [tap, place] = [Math.floor(i / (rows * columns)), i % (rows * columns)];
    const inRow = acts(Math.floor(tap / kernel[1]), Math.floor(place / columns), kernel[0]);
    if (inRow && acts(tap % kernel[1], place % columns, kernel[1])) table[i] = 1;
  }
  const taps = w.reshape([outer * inner, kernel[0] * kernel[1]]);
  return product(taps, constant(table, [kernel[0] * kernel[1], rows * columns]))
    .reshape([outer, inner, rows, columns])
    .transpose([1, 0, 2, 3]);
}
