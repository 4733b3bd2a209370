/** Activations, and the stable forms of logarithms of probabilities. */
import { UntangleError } from '../../errors.ts';
import { resolveAxis, sameShape } from '../shape.ts';
import { elementwiseSpread, rowsMeet, show } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { add, cast, exp, greater, minimum, multiply, negate, subtract, unary, where } from './elementwise.ts';

/** max(x, 0) */
export function relu(x: Tensor): Tensor {
  return unary(reluOp, x);
}
const reluOp: Op = {
  name: 'relu',
  gradient: (node, dy) => [multiply(dy, cast(greater(node, 0)))],
  write: (node, inputs, graph) => graph.node('Relu', inputs, node),
};

/** x where positive, slope · x elsewhere. */
export function leakyRelu(x: Tensor, slope = 0.01): Tensor {
  const op: Op = {
    name: 'leakyRelu',
    gradient: ({ inputs: [input] }, dy) => [multiply(dy, slope <= 1 ? gentle(input, slope) : steep(input, slope))],
    write: (node, inputs, graph) => graph.node('LeakyRelu', inputs, node, { alpha: { float: slope } }),
  };
  return unary(op, x);
}

/**
 * The derivative of a leaky ReLU: 1 where x > 0, the slope elsewhere. Scaled up so far that no number is left between the
 * two bounds, x only has to be held between them; ONNX Runtime's Sign and Where take several times as long.
 */
function gentle(x: Tensor, slope: number): Tensor {
  const op: Op = {
    name: 'slope',
    cheap: true,
    write: (node, [name], graph) => {
      const scaled = graph.node('Mul', [name, graph.scalar(3e38)], undefined, {}, 'scaled');
      return graph.node('Clip', [scaled, graph.scalar(slope), graph.scalar(1)], node);
    },
  };
  return unary(op, x);
}

/** The derivative of a leaky ReLU whose slope is above one. */
function steep(x: Tensor, slope: number): Tensor {
  return add(multiply(cast(greater(x, 0)), 1 - slope), slope);
}

/** x where positive, α(eˣ − 1) elsewhere. */
export function elu(x: Tensor, alpha = 1): Tensor {
  const op: Op = {
    name: 'elu',
    gradient: ({ inputs: [input] }, dy) => [
      where(greater(input, 0), dy, multiply(dy, multiply(exp(minimum(input, 0)), alpha))),
    ],
    write: (node, inputs, graph) => graph.node('Elu', inputs, node, { alpha: { float: alpha } }),
  };
  return unary(op, x);
}

/** x · Φ(x), with the exact normal distribution function. */
export function gelu(x: Tensor): Tensor {
  return multiply(multiply(x, 0.5), add(erf(multiply(x, Math.SQRT1_2)), 1));
}

/** The error function. */
export function erf(x: Tensor): Tensor {
  return unary(erfOp, x);
}
const erfOp: Op = {
  name: 'erf',
  gradient: ({ inputs: [x] }, dy) => [multiply(dy, multiply(exp(negate(multiply(x, x))), 2 / Math.sqrt(Math.PI)))],
  write: (node, inputs, graph) => graph.node('Erf', inputs, node),
};

/** 1 / (1 + e⁻ˣ) */
export function sigmoid(x: Tensor): Tensor {
  return unary(sigmoidOp, x);
}
const sigmoidOp: Op = {
  name: 'sigmoid',
  cheap: true,
  gradient: (node, dy) => [multiply(dy, multiply(node, subtract(1, node)))],
  write: (node, inputs, graph) => graph.node('Sigmoid', inputs, node),
};

/** The hyperbolic tangent. */
export function tanh(x: Tensor): Tensor {
  return unary(tanhOp, x);
}
const tanhOp: Op = {
  name: 'tanh',
  gradient: (node, dy) => [multiply(dy, subtract(1, multiply(node, node)))],
  write: (node, inputs, graph) => graph.node('Tanh', inputs, node),
};

/** ln(1 + eˣ), without overflow for large x. */
export function softplus(x: Tensor): Tensor {
  return unary(softplusOp, x);
}
const softplusOp: Op = {
  name: 'softplus',
  gradient: ({ inputs: [x] }, dy) => [multiply(dy, sigmoid(x))],
  write: (node, inputs, graph) => graph.node('Softplus', inputs, node),
};

/** ln σ(x) = −softplus(−x) */
export function logSigmoid(x: Tensor): Tensor {
  return negate(softplus(negate(x)));
}

/**
 * −t ln σ(l) − (1 − t) ln(1 − σ(l)) from logits l, as softplus(l) − t l: finite for any logit.
 */
export function binaryCrossEntropy(logits: Tensor, target: Tensor): Tensor {
  if (!sameShape(logits.shape, target.shape))
    throw new UntangleError(`binaryCrossEntropy: the target ${show(target)} does not fit the logits ${show(logits)}.`);
  const op: Op = {
    name: 'binaryCrossEntropy',
    gradient: ({ inputs: [l, t] }, dy) => [multiply(dy, subtract(sigmoid(l), t)), negate(multiply(dy, l))],
    // ONNX Runtime's Softplus is slow, so here it is taken apart: softplus(l) = max(l, 0) − ln σ(|l|).
    write: (node, [l, t], graph) => {
      const step = (type: string, ...inputs: string[]) => graph.node(type, inputs, undefined, {}, type.toLowerCase());
      const rest = step('Log', step('Sigmoid', step('Abs', l)));
      return graph.node('Sub', [step('Sub', step('Relu', l), step('Mul', t, l)), rest], node);
    },
  };
  const spread = elementwiseSpread('binaryCrossEntropy', [logits, target], logits.rank);
  return new Tensor(op, [logits, target], logits.shape, 'float32', spread);
}

/** eˣ / Σ eˣ over an axis. */
export function softmax(x: Tensor, axis = -1): Tensor {
  const at = classAxis('softmax', x, axis);
  const op: Op = {
    name: 'softmax',
    gradient: (node, dy) => {
      const weighted = multiply(dy, node);
      return [subtract(weighted, multiply(node, weighted.sum(at, { keepDimensions: true })))];
    },
    write: (node, inputs, graph) => graph.node('Softmax', inputs, node, { axis: at }),
  };
  return unary(op, x);
}

/** x − ln Σ eˣ over an axis. */
export function logSoftmax(x: Tensor, axis = -1): Tensor {
  const at = classAxis('logSoftmax', x, axis);
  const op: Op = {
    name: 'logSoftmax',
    gradient: (node, dy) => [subtract(dy, multiply(exp(node), dy.sum(at, { keepDimensions: true })))],
    write: (node, inputs, graph) => graph.node('LogSoftmax', inputs, node, { axis: at }),
  };
  return unary(op, x);
}

function classAxis(what: string, x: Tensor, axis: number): number {
  const at = resolveAxis(what, axis, x);
  if (at === 0 && x.spread.kind === 'rows') throw rowsMeet(what, x);
  return at;
}
