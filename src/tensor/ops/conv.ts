/**
 * Convolution, transposed convolution and the gradient of either in its filter. The three are closed under
 * differentiation: the derivatives of each are the other two.
 */
import { UntangleError } from '../../errors.ts';
import { asPlain, asTransposed } from '../passes/convolutions.ts';
import { partUsed, rowsMeet, type Spread, show } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { writeFilterGradient } from './filter-gradient.ts';
import { pad } from './layout.ts';
import { sumTo } from './reduce.ts';

export interface ConvOptions {
  /** How far the filter moves at a time: one number, or [rows, columns]. */
  stride?: number | readonly [number, number];
  /** Zeros around the image: one number, [rows, columns], or [top, left, bottom, right]. */
  padding?: number | readonly [number, number] | readonly [number, number, number, number];
  /** The distance between the filter's taps. */
  dilation?: number | readonly [number, number];
}

export interface ConvTransposeOptions extends ConvOptions {
  /** Rows and columns added at the lower and right edge, to reach a size that the stride alone leaves open. */
  outputPadding?: number | readonly [number, number];
}

/** How a filter meets an image, in ONNX's terms. */
export interface Geometry {
  stride: readonly [number, number];
  /** top, left, bottom, right */
  padding: readonly [number, number, number, number];
  dilation: readonly [number, number];
}

/**
 * Cross-correlation of images [n, c, h, w] with filters [o, c, kh, kw], plus a bias [o] if there is one.
 *
 * @example conv2d(x, w, { stride: 2, padding: 1 }, b)
 */
export function conv2d(x: Tensor, w: Tensor, options: ConvOptions = {}, bias?: Tensor): Tensor {
  checkRank('conv2d', x, w);
  if (x.shape[1] !== w.shape[1]) {
    throw new UntangleError(
      `conv2d: the image ${show(x)} has ${x.shape[1]} channels, the filter ${show(w)} takes ${w.shape[1]}.`,
    );
  }
  const geometry = geometryOf('conv2d', options);
  const [height, width] = [0, 1].map((side) => {
    const room = Number(x.shape[2 + side]) + geometry.padding[side] + geometry.padding[2 + side];
    return (
      Math.floor((room - geometry.dilation[side] * (Number(w.shape[2 + side]) - 1) - 1) / geometry.stride[side]) + 1
    );
  });
  if (height < 1 || width < 1) {
    throw new UntangleError(`conv2d: the filter ${show(w)} does not fit into the image ${show(x)} with its padding.`);
  }
  checkBias('conv2d', bias, w, 0);
  const spread = spreadOf('conv2d', x, w, bias);
  const cheaper = asTransposed(x, w, geometry);
  if (cheaper) return convTransposeTo(cheaper.image, cheaper.filter, cheaper.geometry, [height, width], bias);
  const op: Op = {
    name: 'conv2d',
    gradient: ({ inputs: [image, filter, offset] }, dy) => {
      const inImage = convTransposeTo(dy, filter, geometry, [Number(image.shape[2]), Number(image.shape[3])]);
      const inFilter = filterGradient(image, dy, geometry, [Number(filter.shape[2]), Number(filter.shape[3])]);
      return offset === undefined ? [inImage, inFilter] : [inImage, inFilter, biasGradient(dy, offset)];
    },
    write: (node, inputs, graph) => graph.node('Conv', inputs, node, attributes(geometry, node.inputs[1])),
  };
  const inputs = bias === undefined ? [x, w] : [x, w, bias];
  return new Tensor(op, inputs, [x.shape[0], w.shape[0], height, width], 'float32', spread);
}

/**
 * Transposed convolution of [n, c, h, w] with filters [c, o, kh, kw], plus a bias [o]: the gradient of `conv2d` in its image.
 *
 * @example convTranspose2d(x, w, { stride: 2, padding: 1 }) // doubles the size for 4×4 filters
 */
export function convTranspose2d(x: Tensor, w: Tensor, options: ConvTransposeOptions = {}, bias?: Tensor): Tensor {
  checkRank('convTranspose2d', x, w);
  if (x.shape[1] !== w.shape[0]) {
    throw new UntangleError(
      `convTranspose2d: the image ${show(x)} has ${x.shape[1]} channels, the filter ${show(w)} takes ${w.shape[0]}.`,
    );
  }
  checkBias('convTranspose2d', bias, w, 1);
  const geometry = geometryOf('convTranspose2d', options);
  const extra = pair(options.outputPadding ?? 0);
  const size = [0, 1].map((side) => {
    const reach = geometry.dilation[side] * (Number(w.shape[2 + side]) - 1) + 1;
    return (
      (Number(x.shape[2 + side]) - 1) * geometry.stride[side] -
      geometry.padding[side] -
      geometry.padding[2 + side] +
      reach +
      extra[side]
    );
  });
  for (const side of [0, 1]) {
    const limit = Math.max(geometry.stride[side], geometry.dilation[side]);
    if (!(Number.isInteger(extra[side]) && extra[side] >= 0 && extra[side] < limit)) {
      throw new UntangleError(
        `convTranspose2d: the output padding ${extra[side]} of ${show(x)} by ${show(w)} must be whole and smaller than the stride or the dilation.`,
      );
    }
    if (size[side] < 1)
      throw new UntangleError(`convTranspose2d: the padding leaves nothing of ${show(x)} by ${show(w)}.`);
  }
  return convTransposeTo(withRoom(x, geometry, extra), w, geometry, [size[0], size[1]], bias);
}

/** Zeros at the lower and right edge for output padding of a stride and more, of which ONNX Runtime takes only the rest. */
function withRoom(x: Tensor, { stride }: Geometry, extra: readonly [number, number]): Tensor {
  return pad(x, { 2: [0, Math.floor(extra[0] / stride[0])], 3: [0, Math.floor(extra[1] / stride[1])] });
}

/** The transposed convolution that reaches a given size. */
function convTransposeTo(
  x: Tensor,
  w: Tensor,
  geometry: Geometry,
  size: readonly [number, number],
  bias?: Tensor,
): Tensor {
  const extra = [0, 1].map((side) => {
    const reach = geometry.dilation[side] * (Number(w.shape[2 + side]) - 1) + 1;
    const natural =
      (Number(x.shape[2 + side]) - 1) * geometry.stride[side] -
      geometry.padding[side] -
      geometry.padding[2 + side] +
      reach;
    return size[side] - natural;
  });
  const spread = spreadOf('convTranspose2d', x, w, bias);
  const cheaper = asPlain(x, w, geometry, extra);
  if (cheaper) return conv2d(cheaper.image, cheaper.filter, cheaper.geometry, bias);
  const op: Op = {
    name: 'convTranspose2d',
    gradient: ({ inputs: [image, filter, offset] }, dy) => {
      const inImage = conv2d(dy, filter, geometry);
      const inFilter = filterGradient(dy, image, geometry, [Number(filter.shape[2]), Number(filter.shape[3])]);
      return offset === undefined ? [inImage, inFilter] : [inImage, inFilter, biasGradient(dy, offset)];
    },
    write: (node, inputs, graph) =>
      graph.node('ConvTranspose', inputs, node, { ...attributes(geometry, node.inputs[1]), output_padding: extra }),
  };
  const inputs = bias === undefined ? [x, w] : [x, w, bias];
  return new Tensor(op, inputs, [x.shape[0], w.shape[1], ...size], 'float32', spread);
}

/**
 * The gradient of a convolution in its filter: Σ over images and places of output gradient times the image under the tap.
 * `x` is what was convolved [n, c, …], `dy` the output's gradient [n, o, …]; the result is [o, c, kh, kw].
 */
function filterGradient(x: Tensor, dy: Tensor, geometry: Geometry, kernel: readonly [number, number]): Tensor {
  const op: Op = {
    name: 'filterGradient',
    gradient: ({ inputs: [image, outer] }, dw) => [
      convTransposeTo(outer, dw, geometry, [Number(image.shape[2]), Number(image.shape[3])]),
      conv2d(image, dw, geometry),
    ],
    write: (node, [image, outer], graph) => writeFilterGradient(node, image, outer, geometry, kernel, graph),
  };
  const rows = x.spread.kind === 'rows' ? x.spread : dy.spread;
  const spread: Spread = rows.kind === 'rows' ? { kind: 'part', workers: rows.workers } : rows;
  return new Tensor(op, [x, dy], [dy.shape[1], x.shape[1], ...kernel], 'float32', spread);
}

/** Attributes that ONNX's Conv and ConvTranspose share. */
function attributes(geometry: Geometry, filter: Tensor): Record<string, readonly number[]> {
  return {
    kernel_shape: filter.shape.slice(2).map(Number),
    strides: geometry.stride,
    pads: geometry.padding,
    dilations: geometry.dilation,
  };
}

function biasGradient(dy: Tensor, bias: Tensor): Tensor {
  const channels = bias.reshape([1, Number(bias.shape[0]), 1, 1]);
  return sumTo(dy, channels).reshape(bias.shape);
}

function geometryOf(what: string, options: ConvOptions): Geometry {
  const stride = pair(options.stride ?? 1);
  const dilation = pair(options.dilation ?? 1);
  const given = options.padding ?? 0;
  const padding = typeof given !== 'number' && given.length === 4 ? given : ([...pair(given), ...pair(given)] as const);
  const whole = [...stride, ...dilation].every((n) => Number.isInteger(n) && n >= 1);
  if (!whole || !padding.every((n) => Number.isInteger(n) && n >= 0)) {
    throw new UntangleError(
      `${what}: stride ${stride}, dilation ${dilation} and padding ${padding} must be whole, at least 1, 1 and 0.`,
    );
  }
  return { stride, dilation, padding };
}

function pair(value: number | readonly [number, number]): readonly [number, number] {
  return typeof value === 'number' ? [value, value] : value;
}

/** Rows of images give rows; of a summand, image or filter, only a convolution without a bias gives a summand. */
function spreadOf(what: string, x: Tensor, w: Tensor, bias?: Tensor): Spread {
  if (w.spread.kind === 'rows') throw rowsMeet(what, w);
  if (bias !== undefined && bias.spread.kind !== 'whole')
    throw bias.spread.kind === 'rows' ? rowsMeet(what, bias) : partUsed(what, bias);
  if (w.spread.kind === 'part' && (x.spread.kind !== 'whole' || bias !== undefined)) throw partUsed(what, w);
  if (x.spread.kind === 'part' && bias !== undefined) throw partUsed(what, x);
  return w.spread.kind === 'part' ? w.spread : x.spread;
}

function checkRank(what: string, x: Tensor, w: Tensor): void {
  if (x.rank === 4 && w.rank === 4) return;
  throw new UntangleError(
    `${what}: takes images [n, c, h, w] and filters of four dimensions, not ${show(x)} and ${show(w)}.`,
  );
}

function checkBias(what: string, bias: Tensor | undefined, w: Tensor, axis: number): void {
  if (bias === undefined || (bias.rank === 1 && bias.shape[0] === w.shape[axis])) return;
  throw new UntangleError(`${what}: the bias ${show(bias)} does not fit the ${w.shape[axis]} channels of ${show(w)}.`);
}
