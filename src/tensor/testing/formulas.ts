/** Every differentiable op of the room in a small formula, at places where it is smooth. */
import { stream } from '../../random/index.ts';
import * as tensor from '../index.ts';
import type { Variable } from './evaluate.ts';

export type Formula = (...inputs: tensor.Tensor[]) => tensor.Tensor;

const positive = (...shape: number[]): Variable => ({ shape, values: drawn(shape, (u) => 0.5 + u) });
/** Numbers at least ¼ from zero, so that no difference crosses a kink there. */
const apart = (...shape: number[]): Variable => ({ shape, values: drawn(shape, (u) => (u < 0.5 ? u - 1 : u + 0.25)) });
const any = (...shape: number[]): Variable => ({ shape });
/** The numbers 0, ¼, ½ … in a random order: no two of them are close. */
const distinct = (...shape: number[]): Variable => ({
  shape,
  values: Float32Array.from(
    stream(2, 'order').permutation(shape.reduce((a, b) => a * b, 1)),
    (place) => place / 4 + 1 / 8,
  ),
});

function drawn(shape: number[], map: (uniform: number) => number): Float32Array {
  return stream(2, `numbers ${shape}`)
    .uniforms(shape.reduce((a, b) => a * b, 1))
    .map(map);
}

const places = tensor.constant([2, 0, 2], [3], 'int64');
const batch = { size: 4, workers: 1 };
const rows = (x: tensor.Tensor) => tensor.ownRows(x, tensor.rowsInput('like', [3], batch));

/** An op's formula, and the inputs it takes. */
export const formulas: Record<string, [Formula, ...Variable[]]> = {
  abs: [tensor.abs, apart(2, 3)],
  add: [tensor.add, any(2, 3), any(3)],
  asPart: [(x) => tensor.asPart(x, 1).times(2), any(4)],
  allSum: [(x) => tensor.allSum(tensor.asPart(x, 1)).square(), any(4)],
  averagePool: [(x) => tensor.averagePool(x, 3, { stride: 2, padding: 1 }), any(1, 2, 5, 5)],
  binaryCrossEntropy: [tensor.binaryCrossEntropy, any(2, 3), positive(2, 3)],
  clip: [(x) => tensor.clip(x, -0.5, 0.5), { shape: [5], values: Float32Array.of(-1, -0.2, 0, 0.3, 0.8) }],
  concat: [(a, b) => tensor.concat([a, b, a], 1).square(), any(2, 1), any(2, 2)],
  conv2d: [(x, w, b) => tensor.conv2d(x, w, { stride: 2, padding: 1 }, b), any(2, 2, 5, 4), any(2, 2, 3, 2), any(2)],
  convTranspose2d: [
    (x, w, b) => tensor.convTranspose2d(x, w, { stride: 2, padding: 1, outputPadding: 1 }, b),
    any(2, 2, 3, 2),
    any(2, 2, 3, 3),
    any(2),
  ],
  cos: [tensor.cos, any(2, 3)],
  divide: [tensor.divide, any(2, 3), positive(2, 1)],
  elu: [(x) => tensor.elu(x, 0.7), apart(2, 3)],
  erf: [tensor.erf, any(2, 3)],
  exp: [tensor.exp, any(2, 3)],
  expand: [(x) => tensor.expand(x, tensor.input('like', [4, 2, 3])).square(), any(2, 1)],
  gather: [(x) => tensor.gather(x, places, 1).square(), any(2, 3)],
  gelu: [tensor.gelu, any(2, 3)],
  leakyRelu: [(x) => tensor.leakyRelu(x, 0.2), apart(2, 3)],
  log: [tensor.log, positive(2, 3)],
  logSigmoid: [tensor.logSigmoid, any(2, 3)],
  logSoftmax: [(x) => tensor.logSoftmax(x, 0), any(3, 2)],
  logSumExp: [(x) => tensor.logSumExp(x, 1), any(2, 3)],
  matmul: [tensor.matmul, any(2, 3, 2), any(2, 4)],
  max: [(x) => tensor.max(x, [0, 2]), distinct(2, 3, 2)],
  maximum: [tensor.maximum, any(2, 2), { shape: [2, 1], values: Float32Array.of(-3, 3) }],
  mean: [(x) => tensor.mean(x, 1).square(), any(2, 3)],
  minimum: [tensor.minimum, any(2, 2), { shape: [2, 1], values: Float32Array.of(-3, 3) }],
  multiply: [tensor.multiply, any(2, 3), any(2, 1)],
  negate: [tensor.negate, any(3)],
  ownRows: [(x) => rows(x).square(), any(4, 3)],
  pad: [(x) => tensor.pad(x, { 0: [1, 0], 1: [0, 2] }).square(), any(2, 2)],
  power: [tensor.power, positive(2, 3), any(3)],
  product: [(a, b, bias) => tensor.product(a, b, { transposeA: true, bias }), any(3, 2), any(3, 4), any(4)],
  relu: [tensor.relu, apart(2, 3)],
  reshape: [(x) => tensor.reshape(x, [3, 2]).square(), any(2, 3)],
  sigmoid: [tensor.sigmoid, any(2, 3)],
  sin: [tensor.sin, any(2, 3)],
  slice: [(x) => tensor.slice(x, 1, 1, 5, 2).square(), any(2, 5)],
  softmax: [(x) => tensor.softmax(x, 1), any(2, 3)],
  softplus: [tensor.softplus, any(2, 3)],
  sqrt: [tensor.sqrt, positive(2, 3)],
  square: [tensor.square, any(2, 3)],
  stackRows: [(a, b) => tensor.stackRows([rows(a), rows(b)]).square(), any(4, 3), any(4, 3)],
  subtract: [tensor.subtract, any(3), any(2, 1)],
  sum: [(x) => tensor.sum(x, 0).square(), any(2, 3)],
  tanh: [tensor.tanh, any(2, 3)],
  transpose: [(x) => tensor.transpose(x, [2, 0, 1]).square(), any(2, 3, 2)],
  unstackRows: [(x) => tensor.unstackRows(x, [tensor.input('a', [1, 2]), tensor.input('b', [2, 2])])[1], any(3, 2)],
  upsample: [(x) => tensor.upsample(x, 2).square(), any(1, 2, 2, 2)],
  where: [(c, a, b) => tensor.where(tensor.greater(c, 0), a, b), apart(2, 1), any(2, 3), any(3)],
  wholeBatch: [(x) => tensor.wholeBatch(rows(x)).square(), any(4, 3)],
};

const w = tensor.parameter('w', [4, 3]);
const filters = tensor.parameter('filters', [2, 1, 3, 3]);
/** Formulas of a batch of any size: of codes [n, 3], images [n, 1, 6, 6] and classes [n], with their gradients. */
export const batchFormulas: Record<
  string,
  (codes: tensor.Tensor, images: tensor.Tensor, classes: tensor.Tensor) => tensor.Tensor
> = {
  arithmetic: (codes) => codes.times(2).plus(codes.square()).over(tensor.exp(codes)),
  'a layer': (codes) => tensor.tanh(tensor.product(codes, w, { transposeB: true, bias: tensor.parameter('b', [4]) })),
  softmax: (codes) => tensor.softmax(codes, 1),
  logSumExp: (codes) => tensor.logSumExp(codes, 1),
  'the largest of a row': (codes) => tensor.max(codes, 1, { keepDimensions: true }),
  'the largest of the batch': (codes) => tensor.max(codes, 0),
  'a sum over the batch': (codes) => codes.sum(0),
  'a choice': (codes) => tensor.where(tensor.greater(codes, 0), codes, codes.mean(1, { keepDimensions: true })),
  'cut and joined': (codes) => tensor.concat([codes.slice(1, 1, 3), tensor.pad(codes, { 1: [1, 0] })], 1),
  'repeated to the batch': (codes) => tensor.expand(tensor.parameter('row', [1, 3]), codes),
  flattened: (_, images) => images.reshape([images.shape[0], 36]),
  'turned around': (codes) => codes.transpose(),
  convolution: (_, images) =>
    tensor.conv2d(images, filters, { stride: 2, padding: 1 }, tensor.parameter('offset', [2])),
  'transposed convolution': (_, images) => tensor.convTranspose2d(images, filters.reshape([1, 2, 3, 3]), { stride: 2 }),
  'pooled and repeated': (_, images) => tensor.upsample(tensor.averagePool(images, 3, { stride: 2, padding: 1 }), 2),
  'one-hot': (_, __, classes) => tensor.oneHot(classes, 4),
  'columns by index': (codes) => tensor.gather(codes, tensor.constant([2, 0, 0], [3], 'int64'), 1),
  'rows of a table': (_, __, classes) => tensor.gather(w, classes, 0),
  'stacks of matrices': (codes) => tensor.matmul(codes.reshape([codes.shape[0], 3, 1]), w.reshape([1, 1, 12])),
  'all pairs of rows': (codes) => tensor.product(codes, codes, { transposeB: true }),
  'a gradient in the images': (_, images) => {
    const y = tensor.tanh(tensor.conv2d(images, filters, { stride: 2, padding: 1 }));
    return tensor.grad(tensor.averagePool(y, 2, { stride: 1 }).square().sum(), [images])[0];
  },
  'gradients in parameters': (_, images) => {
    const y = tensor.conv2d(images, filters, { stride: 2 }, tensor.parameter('offset', [2]));
    return tensor.grad(tensor.binaryCrossEntropy(y, tensor.tanh(y)).sum(), [filters])[0];
  },
  'a gradient through cuts and choices': (codes) => {
    const y = tensor.where(
      tensor.greater(codes, 0.1),
      codes.square(),
      tensor.pad(codes.slice(1, 0, 3, 2), { 1: [0, 1] }),
    );
    return tensor.grad(tensor.max(y, 1).sum().plus(tensor.logSumExp(y, 1).sum()), [codes])[0];
  },
  'a gradient in a table of rows': (codes, _, classes) =>
    tensor.grad(tensor.gather(w, classes, 0).times(codes).square().sum(), [w])[0],
  'zeros for what plays no part': (codes, images) => tensor.grad(codes.sum(), [images])[0],
};

/** The inputs of `batchFormulas`, for a fixed or a free number of rows. */
export function batchInputs(n: tensor.Dimension): [tensor.Tensor, tensor.Tensor, tensor.Tensor] {
  return [
    tensor.input('codes', [n, 3]),
    tensor.input('images', [n, 1, 6, 6]),
    tensor.input('classes', [n], { type: 'int64' }),
  ];
}
