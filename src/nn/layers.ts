/** Layers as data: each a plain record, applied to a tensor under a name. */
import { UntangleError } from '../errors.ts';
import {
  averagePool,
  conv2d,
  convTranspose2d,
  elu,
  gelu,
  leakyRelu,
  product,
  relu,
  type Shape,
  showShape,
  sigmoid,
  type Tensor,
  tanh,
  upsample,
} from '../tensor/index.ts';
import type { Build } from './build.ts';
import { constantly, fanOf, glorot, type Initialiser, orthogonal, torchDefault } from './initialisers.ts';

export type InitialiserName = 'torch' | 'glorot' | 'orthogonal';

interface Weighted {
  /** Without a bias if false. */
  bias?: boolean;
  initial?: InitialiserName;
}

/** Zeros around an image: as many on every side, or above and below and then left and right. */
type Padding = number | readonly [number, number];

export type Layer =
  | ({ kind: 'linear'; out: number } & Weighted)
  | ({ kind: 'conv'; out: number; kernel: number; stride?: number; padding?: Padding; dilation?: number } & Weighted)
  | ({
      kind: 'convTranspose';
      out: number;
      kernel: number;
      stride?: number;
      padding?: Padding;
      /** Rows and columns more at the lower and right edge. */
      outputPadding?: readonly [number, number];
    } & Weighted)
  | { kind: 'relu' | 'gelu' | 'sigmoid' | 'tanh' | 'elu' | 'flatten' }
  | { kind: 'leakyRelu'; slope: number }
  | { kind: 'reshape'; item: readonly number[] }
  | { kind: 'channelNorm' }
  | { kind: 'batchNorm' }
  | { kind: 'upsample'; factor: number }
  | { kind: 'averagePool'; size: number }
  | { kind: 'dropout'; p: number };

/** Runs a tensor through layers; those with parameters are named by their kind and place, such as `conv1`. */
export function apply(build: Build, layers: readonly Layer[], x: Tensor): Tensor {
  const counts = new Map<string, number>();
  return layers.reduce((value, layer) => {
    const count = (counts.get(layer.kind) ?? 0) + 1;
    counts.set(layer.kind, count);
    const name = `${layer.kind}${count}`;
    const result = applyLayer(build.at(name), layer, value);
    return result.named(result.op.name === 'parameter' ? name : `${name} out`);
  }, x);
}

function applyLayer(build: Build, layer: Layer, x: Tensor): Tensor {
  switch (layer.kind) {
    case 'linear':
      return linear(build, x, layer.out, layer);
    case 'conv':
      return conv(build, x, layer);
    case 'convTranspose':
      return convTranspose(build, x, layer);
    case 'relu':
      return relu(x);
    case 'gelu':
      return gelu(x);
    case 'elu':
      return elu(x);
    case 'sigmoid':
      return sigmoid(x);
    case 'tanh':
      return tanh(x);
    case 'leakyRelu':
      return leakyRelu(x, layer.slope);
    case 'flatten':
      return flatten(x);
    case 'reshape':
      return x.reshape([x.shape[0], ...layer.item]);
    case 'channelNorm':
      return channelNorm(x);
    case 'batchNorm':
      return batchNorm(build, x);
    case 'upsample':
      return upsample(x, layer.factor);
    case 'averagePool':
      return averagePool(x, layer.size);
    case 'dropout':
      return dropout(build, x, layer.p);
  }
}

/**
 * x Wᵀ + b over the last axis of [n, in]. With a mask of the weight's shape, masked weights are zero and stay zero.
 */
export function linear(
  build: Build,
  x: Tensor,
  out: number,
  options: Weighted & { mask?: Tensor; weight?: Initialiser } = {},
): Tensor {
  if (x.rank !== 2) throw new UntangleError(`linear: takes rows of features [n, in], not ${showShape(x.shape)}.`);
  const shape = [out, Number(x.shape[1])];
  const weight = build.parameter('weight', shape, options.weight ?? initialiser(options.initial));
  const bias = options.bias === false ? undefined : build.parameter('bias', [out], biasInitial(options, fanOf(shape)));
  return product(x, options.mask === undefined ? weight : weight.times(options.mask), { transposeB: true, bias });
}

function conv(build: Build, x: Tensor, layer: Extract<Layer, { kind: 'conv' }>): Tensor {
  const shape = [layer.out, Number(x.shape[1]), layer.kernel, layer.kernel];
  const weight = build.parameter('weight', shape, initialiser(layer.initial));
  const bias =
    layer.bias === false ? undefined : build.parameter('bias', [layer.out], biasInitial(layer, fanOf(shape)));
  return conv2d(x, weight, layer, bias);
}

function convTranspose(build: Build, x: Tensor, layer: Extract<Layer, { kind: 'convTranspose' }>): Tensor {
  const shape = [Number(x.shape[1]), layer.out, layer.kernel, layer.kernel];
  const weight = build.parameter('weight', shape, initialiser(layer.initial));
  const bias =
    layer.bias === false ? undefined : build.parameter('bias', [layer.out], biasInitial(layer, fanOf(shape)));
  return convTranspose2d(x, weight, layer, bias);
}

/** Each item as one row of numbers. */
export function flatten(x: Tensor): Tensor {
  const size = x.shape.slice(1).reduce<number>((product, dimension) => product * Number(dimension), 1);
  return x.reshape([x.shape[0], size]);
}

/**
 * Each pixel's channels scaled to a mean square of one (Karras et al. 2018, section 4.2): x / √(mean_c x² + 10⁻⁸).
 */
export function channelNorm(x: Tensor): Tensor {
  return x.over(x.square().mean(1, { keepDimensions: true }).plus(1e-8).sqrt());
}

/**
 * Batch normalisation with momentum 0.1: in training by the batch's own statistics, which also move the running ones; in
 * use by the running statistics.
 */
export function batchNorm(build: Build, x: Tensor): Tensor {
  const channels = Number(x.shape[1]);
  const shape: Shape = x.rank === 4 ? [1, channels, 1, 1] : [1, channels];
  const axes = x.rank === 4 ? [0, 2, 3] : [0];
  const gain = build.parameter('weight', shape, constantly(1));
  const offset = build.parameter('bias', shape, constantly(0));
  const runningMean = build.parameter('running mean', shape, constantly(0), { trainable: false });
  const runningVariance = build.parameter('running variance', shape, constantly(1), { trainable: false });
  if (build.batch === undefined)
    return x.minus(runningMean).over(runningVariance.plus(1e-5).sqrt()).times(gain).plus(offset);
  const mean = x.mean(axes, { keepDimensions: true });
  const centred = x.minus(mean);
  const variance = centred.square().mean(axes, { keepDimensions: true });
  const count = x.rank === 4 ? build.batch.size * Number(x.shape[2]) * Number(x.shape[3]) : build.batch.size;
  const momentum = 0.1;
  build.assign(runningMean, runningMean.times(1 - momentum).plus(mean.times(momentum)));
  build.assign(
    runningVariance,
    runningVariance.times(1 - momentum).plus(variance.times((momentum * count) / Math.max(1, count - 1))),
  );
  return centred.over(variance.plus(1e-5).sqrt()).times(gain).plus(offset);
}

/** Zeroes values with probability p and scales the rest up, by a mask that is fed; nothing in use. */
export function dropout(build: Build, x: Tensor, p: number): Tensor {
  return build.batch === undefined ? x : x.times(build.noise('mask', x.shape.slice(1), { keep: 1 - p }));
}

/** Zeroes the whole of an item's values with probability p, and scales them up otherwise. */
export function dropRows(build: Build, x: Tensor, p: number): Tensor {
  return build.batch === undefined ? x : x.times(build.noise('mask', [1], { keep: 1 - p }));
}

function initialiser(name: InitialiserName = 'torch'): Initialiser {
  return { torch: torchDefault(), glorot, orthogonal: orthogonal() }[name];
}

function biasInitial(layer: Weighted, fan: number): Initialiser {
  return layer.initial === undefined || layer.initial === 'torch' ? torchDefault(fan) : constantly(0);
}
