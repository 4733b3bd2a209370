/** Average pooling and nearest-neighbour up-sampling, each the other's gradient up to a factor. */
import { UntangleError } from '../../errors.ts';
import { elementwiseSpread, show } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { multiply } from './elementwise.ts';

export interface PoolOptions {
  /** How far the window moves; by default its own size. */
  stride?: number;
  /** Zeros around the image, which count in the mean. */
  padding?: number;
}

/** The mean over windows of size × size. @example averagePool(x, 2) */
export function averagePool(x: Tensor, size: number, options: PoolOptions = {}): Tensor {
  const { stride = size, padding = 0 } = options;
  checkImage('averagePool', x);
  if (![size, stride].every((n) => Number.isInteger(n) && n >= 1) || !Number.isInteger(padding) || padding < 0) {
    throw new UntangleError(
      `averagePool: window ${size}, stride ${stride} and padding ${padding} over ${show(x)} must be whole and not negative.`,
    );
  }
  const [height, width] = [2, 3].map((axis) => Math.floor((Number(x.shape[axis]) + 2 * padding - size) / stride) + 1);
  if (height < 1 || width < 1 || padding >= size)
    throw new UntangleError(`averagePool: a window of ${size} does not fit into ${show(x)} with padding ${padding}.`);
  const exact = stride === size && padding === 0 && height * size === x.shape[2] && width * size === x.shape[3];
  const op: Op = {
    name: 'averagePool',
    gradient: ({ inputs: [image] }, dy) => [
      exact ? upsample(multiply(dy, 1 / (size * size)), size) : spreadWindows(dy, image, size, stride, padding),
    ],
    write: (node, inputs, graph) =>
      graph.node('AveragePool', inputs, node, {
        kernel_shape: [size, size],
        strides: [stride, stride],
        pads: [padding, padding, padding, padding],
        count_include_pad: 1,
      }),
  };
  return new Tensor(
    op,
    [x],
    [x.shape[0], x.shape[1], height, width],
    'float32',
    elementwiseSpread('averagePool', [x], 4),
  );
}

/** Each value spread evenly over its window: the gradient of a pooling whose windows overlap or leave a rest. */
function spreadWindows(dy: Tensor, like: Tensor, size: number, stride: number, padding: number): Tensor {
  const channels = Number(dy.shape[1]);
  const op: Op = {
    name: 'spreadWindows',
    gradient: (_, ddx) => [averagePool(ddx, size, { stride, padding })],
    write: (node, [name], graph) => {
      const share = new Float32Array(channels * size * size).fill(1 / (size * size));
      const filter = graph.initialiser(share, [channels, 1, size, size]);
      const reached = [2, 3].map((axis) => (Number(dy.shape[axis]) - 1) * stride + size - 2 * padding);
      return graph.node('ConvTranspose', [name, filter], node, {
        kernel_shape: [size, size],
        strides: [stride, stride],
        pads: [padding, padding, padding, padding],
        output_padding: reached.map((length, side) => Number(like.shape[2 + side]) - length),
        group: channels,
      });
    },
  };
  return new Tensor(op, [dy], like.shape, 'float32', dy.spread);
}

/** Each pixel repeated factor × factor times. */
export function upsample(x: Tensor, factor: number): Tensor {
  checkImage('upsample', x);
  if (!Number.isInteger(factor) || factor < 1)
    throw new UntangleError(`upsample: ${show(x)} can't be repeated ${factor} times.`);
  const [batch, channels, height, width] = x.shape;
  const op: Op = {
    name: 'upsample',
    gradient: (_, dy) => [multiply(averagePool(dy, factor), factor * factor)],
    write: (node, [name], graph) =>
      graph.node('Resize', [name, '', graph.initialiser(Float32Array.of(1, 1, factor, factor), [4])], node, {
        mode: 'nearest',
        nearest_mode: 'floor',
        coordinate_transformation_mode: 'asymmetric',
      }),
  };
  const shape = [batch, channels, Number(height) * factor, Number(width) * factor];
  return new Tensor(op, [x], shape, 'float32', elementwiseSpread('upsample', [x], 4));
}

function checkImage(what: string, x: Tensor): void {
  if (x.rank !== 4) throw new UntangleError(`${what}: takes images [n, c, h, w], not ${show(x)}.`);
}
