/** Symbolic tensors: ops with their shape rules, gradients and ONNX nodes, and the graph that is made of them. */

export { grad } from './grad.ts';
export { type GraphOptions, toOnnx, type WrittenGraph, writeGraph } from './onnx.ts';
export {
  binaryCrossEntropy,
  elu,
  erf,
  gelu,
  leakyRelu,
  logSigmoid,
  logSoftmax,
  relu,
  sigmoid,
  softmax,
  softplus,
  tanh,
} from './ops/activation.ts';
export { type ConvOptions, type ConvTransposeOptions, conv2d, convTranspose2d } from './ops/conv.ts';
export {
  abs,
  add,
  cast,
  clip,
  cos,
  divide,
  equal,
  exp,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  log,
  maximum,
  minimum,
  multiply,
  negate,
  power,
  sign,
  sin,
  sqrt,
  square,
  stopGradient,
  subtract,
  where,
} from './ops/elementwise.ts';
export { concat, expand, gather, oneHot, pad, reshape, slice, transpose } from './ops/layout.ts';
export {
  constant,
  type Distribution,
  type InputKind,
  input,
  isConstant,
  isInput,
  isKept,
  isParameter,
  type KeptKind,
  parameter,
  scalar,
} from './ops/leaf.ts';
export { matmul, product } from './ops/matmul.ts';
export { averagePool, type PoolOptions, upsample } from './ops/pool.ts';
export { logSumExp, max, mean, type ReduceOptions, sum } from './ops/reduce.ts';
export {
  allSum,
  asPart,
  type Batch,
  ownRows,
  rowsInput,
  stackRows,
  unstackRows,
  wholeBatch,
} from './ops/rows.ts';
export { partners } from './ops/solved.ts';
export { inOrder } from './passes/order.ts';
export { phasesOf } from './passes/phases.ts';
export { encodeModel } from './protobuf.ts';
export { type DataType, type Dimension, type Shape, sameShape, showShape, sizeOf } from './shape.ts';
export { type Spread, whole } from './spread.ts';
export { type Between, type Op, Tensor, type TensorLike } from './tensor.ts';
