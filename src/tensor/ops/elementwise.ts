/** Elementwise arithmetic with numpy's broadcasting, comparisons and the choice between two tensors. */
import { UntangleError } from '../../errors.ts';
import { broadcastShapes, type DataType, sameShape, showShape } from '../shape.ts';
import { elementwiseSpread, type Linearity, show } from '../spread.ts';
import { type Op, Tensor, type TensorLike } from '../tensor.ts';
import { constant, constantValue, scalar } from './leaf.ts';
import { sumTo } from './reduce.ts';

/** a + b */
export function add(a: TensorLike, b: TensorLike): Tensor {
  const [x, y] = operands('add', a, b);
  if (constantValue(x) === 0 && sameShape(y.shape, resultShape('add', x, y))) return y;
  if (constantValue(y) === 0 && sameShape(x.shape, resultShape('add', x, y))) return x;
  return binary(addOp, x, y, 'added');
}
const addOp: Op = {
  name: 'add',
  cheap: true,
  gradient: ({ inputs: [a, b] }, dy) => [sumTo(dy, a), sumTo(dy, b)],
  write: (node, inputs, graph) => graph.node('Add', inputs, node),
};

/** a − b */
export function subtract(a: TensorLike, b: TensorLike): Tensor {
  const [x, y] = operands('subtract', a, b);
  if (constantValue(y) === 0 && sameShape(x.shape, resultShape('subtract', x, y))) return x;
  return binary(subtractOp, x, y, 'added');
}
const subtractOp: Op = {
  name: 'subtract',
  cheap: true,
  gradient: ({ inputs: [a, b] }, dy) => [sumTo(dy, a), negate(sumTo(dy, b))],
  write: (node, inputs, graph) => graph.node('Sub', inputs, node),
};

/** a · b */
export function multiply(a: TensorLike, b: TensorLike): Tensor {
  const [x, y] = operands('multiply', a, b);
  const shape = resultShape('multiply', x, y);
  if (constantValue(x) === 1 && sameShape(y.shape, shape)) return y;
  if (constantValue(y) === 1 && sameShape(x.shape, shape)) return x;
  const left = constantValue(x);
  const right = constantValue(y);
  const numbers = left !== undefined && right !== undefined && shape.length === 0 && x.type === 'float32';
  return numbers ? scalar(left * right) : binary(multiplyOp, x, y, 'scaled');
}
const multiplyOp: Op = {
  name: 'multiply',
  linear: true,
  cheap: true,
  gradient: ({ inputs: [a, b] }, dy) => [sumTo(multiply(dy, b), a), sumTo(multiply(dy, a), b)],
  write: (node, inputs, graph) => graph.node('Mul', inputs, node),
};

/** a / b */
export function divide(a: TensorLike, b: TensorLike): Tensor {
  const [x, y] = operands('divide', a, b);
  const divisor = constantValue(y);
  if (divisor !== undefined && y.rank === 0 && y.type === 'float32') return multiply(x, 1 / divisor);
  return binary(divideOp, x, y, y.spread.kind === 'part' ? 'curved' : 'scaled');
}
const divideOp: Op = {
  name: 'divide',
  gradient: (node, dy) => {
    const [a, b] = node.inputs;
    const scaled = divide(dy, b);
    return [sumTo(scaled, a), negate(sumTo(multiply(scaled, node), b))];
  },
  write: (node, inputs, graph) => graph.node('Div', inputs, node),
};

/** a to the power of b. The gradient in b needs a > 0. */
export function power(a: TensorLike, b: TensorLike): Tensor {
  const [x, y] = operands('power', a, b);
  const exponent = y.rank === 0 ? constantValue(y) : undefined;
  if (exponent === 1) return x;
  if (exponent === 2) return square(x);
  if (exponent === 0.5) return sqrt(x);
  return binary(powerOp, x, y);
}
const powerOp: Op = {
  name: 'power',
  gradient: (node, dy) => {
    const [a, b] = node.inputs;
    const exponent = constantValue(b);
    if (exponent === 0) return [];
    const inBase = multiply(dy, multiply(b, power(a, exponent === undefined ? subtract(b, 1) : exponent - 1)));
    return [sumTo(inBase, a), exponent === undefined ? sumTo(multiply(dy, multiply(node, log(a))), b) : undefined];
  },
  write: (node, inputs, graph) => graph.node('Pow', inputs, node),
};

/** The smaller of a and b; where they are equal, each gets half of the gradient. */
export function minimum(a: TensorLike, b: TensorLike): Tensor {
  return binary(minimumOp, ...operands('minimum', a, b));
}
const minimumOp: Op = {
  name: 'minimum',
  gradient: ({ inputs: [a, b] }, dy) => {
    const share = orderShare(b, a);
    return [sumTo(multiply(dy, share), a), sumTo(multiply(dy, subtract(1, share)), b)];
  },
  write: (node, inputs, graph) => graph.node('Min', inputs, node),
};

/** The larger of a and b; where they are equal, each gets half of the gradient. */
export function maximum(a: TensorLike, b: TensorLike): Tensor {
  return binary(maximumOp, ...operands('maximum', a, b));
}
const maximumOp: Op = {
  name: 'maximum',
  gradient: ({ inputs: [a, b] }, dy) => {
    const share = orderShare(a, b);
    return [sumTo(multiply(dy, share), a), sumTo(multiply(dy, subtract(1, share)), b)];
  },
  write: (node, inputs, graph) => graph.node('Max', inputs, node),
};

/** 1 where a > b, 0 where a < b, ½ where they are equal. */
function orderShare(a: Tensor, b: Tensor): Tensor {
  return multiply(add(sign(subtract(a, b)), 1), 0.5);
}

/** −x */
export function negate(x: Tensor): Tensor {
  return unary(negateOp, x, 'added');
}
const negateOp: Op = {
  name: 'negate',
  gradient: (_, dy) => [negate(dy)],
  write: (node, inputs, graph) => graph.node('Neg', inputs, node),
};

/** x² */
export function square(x: Tensor): Tensor {
  return unary(squareOp, x);
}
const squareOp: Op = {
  name: 'square',
  gradient: ({ inputs: [x] }, dy) => [multiply(multiply(dy, 2), x)],
  write: (node, [input], graph) => graph.node('Mul', [input, input], node),
};

/** √x */
export function sqrt(x: Tensor): Tensor {
  return unary(sqrtOp, x);
}
const sqrtOp: Op = {
  name: 'sqrt',
  gradient: (node, dy) => [divide(multiply(dy, 0.5), node)],
  write: (node, inputs, graph) => graph.node('Sqrt', inputs, node),
};

/** eˣ */
export function exp(x: Tensor): Tensor {
  return unary(expOp, x);
}
const expOp: Op = {
  name: 'exp',
  cheap: true,
  gradient: (node, dy) => [multiply(dy, node)],
  write: (node, inputs, graph) => graph.node('Exp', inputs, node),
};

/** The natural logarithm. */
export function log(x: Tensor): Tensor {
  return unary(logOp, x);
}
const logOp: Op = {
  name: 'log',
  gradient: ({ inputs: [x] }, dy) => [divide(dy, x)],
  write: (node, inputs, graph) => graph.node('Log', inputs, node),
};

/** |x|, with gradient 0 at 0. */
export function abs(x: Tensor): Tensor {
  return unary(absOp, x);
}
const absOp: Op = {
  name: 'abs',
  gradient: ({ inputs: [x] }, dy) => [multiply(dy, sign(x))],
  write: (node, inputs, graph) => graph.node('Abs', inputs, node),
};

/** −1, 0 or 1; its gradient is zero. */
export function sign(x: Tensor): Tensor {
  return unary(signOp, x);
}
const signOp: Op = { name: 'sign', cheap: true, write: (node, inputs, graph) => graph.node('Sign', inputs, node) };

/** sin x */
export function sin(x: Tensor): Tensor {
  return unary(sinOp, x);
}
const sinOp: Op = {
  name: 'sin',
  gradient: ({ inputs: [x] }, dy) => [multiply(dy, cos(x))],
  write: (node, inputs, graph) => graph.node('Sin', inputs, node),
};

/** cos x */
export function cos(x: Tensor): Tensor {
  return unary(cosOp, x);
}
const cosOp: Op = {
  name: 'cos',
  gradient: ({ inputs: [x] }, dy) => [negate(multiply(dy, sin(x)))],
  write: (node, inputs, graph) => graph.node('Cos', inputs, node),
};

/** x held between `low` and `high`; the gradient passes where low ≤ x ≤ high. */
export function clip(x: Tensor, low: number, high: number): Tensor {
  if (!(low <= high)) throw new UntangleError(`clip: the lower bound ${low} is above the upper bound ${high}.`);
  const op: Op = {
    name: 'clip',
    gradient: ({ inputs: [input] }, dy) => [
      multiply(dy, multiply(cast(greaterOrEqual(input, low)), cast(lessOrEqual(input, high)))),
    ],
    write: (node, [input], graph) => graph.node('Clip', [input, graph.scalar(low), graph.scalar(high)], node),
  };
  return unary(op, x);
}

/** The value passes, the gradient does not. */
export function stopGradient(x: Tensor): Tensor {
  return new Tensor(stopGradientOp, [x], x.shape, x.type, x.spread);
}
const stopGradientOp: Op = { name: 'stopGradient', cheap: true, view: true, write: (_, [input]) => input };

/** Where a > b. */
export function greater(a: TensorLike, b: TensorLike): Tensor {
  return comparison('Greater', a, b);
}
/** Where a ≥ b. */
export function greaterOrEqual(a: TensorLike, b: TensorLike): Tensor {
  return comparison('GreaterOrEqual', a, b);
}
/** Where a < b. */
export function less(a: TensorLike, b: TensorLike): Tensor {
  return comparison('Less', a, b);
}
/** Where a ≤ b. */
export function lessOrEqual(a: TensorLike, b: TensorLike): Tensor {
  return comparison('LessOrEqual', a, b);
}
/** Where a = b. */
export function equal(a: TensorLike, b: TensorLike): Tensor {
  return comparison('Equal', a, b);
}

/** `a` where the condition holds, `b` elsewhere. */
export function where(condition: Tensor, a: TensorLike, b: TensorLike): Tensor {
  if (condition.type !== 'bool')
    throw new UntangleError(`where: the condition ${show(condition)} is not a comparison.`);
  const [x, y] = operands('where', a, b);
  const shape = broadcastShapes(condition.shape, resultShape('where', x, y));
  if (shape === undefined) {
    throw new UntangleError(`where: the condition ${show(condition)} does not fit ${show(x)} and ${show(y)}.`);
  }
  const inputs = [condition, x, y];
  return new Tensor(whereOp, inputs, shape, x.type, elementwiseSpread('where', inputs, shape.length));
}
const whereOp: Op = {
  name: 'where',
  gradient: ({ inputs: [condition, a, b] }, dy) => [
    undefined,
    sumTo(where(condition, dy, 0), a),
    sumTo(where(condition, 0, dy), b),
  ],
  write: (node, inputs, graph) => graph.node('Where', inputs, node),
};

/** A comparison as ones and zeros, or whole numbers as floats. */
export function cast(x: Tensor, type: DataType = 'float32'): Tensor {
  if (x.type === type) return x;
  return new Tensor(castOps[type], [x], x.shape, type, x.spread);
}
const castTo = (type: DataType): Op => ({
  name: 'cast',
  cheap: true,
  write: (node, inputs, graph) => graph.node('Cast', inputs, node, { to: graph.dataType(type) }),
});
const castOps: Record<DataType, Op> = { float32: castTo('float32'), int64: castTo('int64'), bool: castTo('bool') };

/** Makes a one-input op's tensor; a linear op (`added`) may also act on a worker's summand. */
export function unary(op: Op, x: Tensor, linearity?: Linearity): Tensor {
  if (x.type !== 'float32')
    throw new UntangleError(`${op.name}: ${show(x)} holds ${x.type}, not numbers to compute with.`);
  return new Tensor(op, [x], x.shape, x.type, elementwiseSpread(op.name, [x], x.rank, linearity));
}

function binary(op: Op, x: Tensor, y: Tensor, linearity?: Linearity): Tensor {
  const shape = resultShape(op.name, x, y);
  const inputs = [withoutExpand(x, y), withoutExpand(y, x)];
  return new Tensor(op, inputs, shape, x.type, elementwiseSpread(op.name, [x, y], shape.length, linearity));
}

/** An operand that was repeated to the other's shape need not be: broadcasting does the same without the copies. */
function withoutExpand(x: Tensor, other: Tensor): Tensor {
  const repeated = x.op.name === 'expand' && other.op.name !== 'expand' && sameShape(x.shape, other.shape);
  return repeated && x.inputs[0].rank === x.rank ? x.inputs[0] : x;
}

function comparison(type: string, a: TensorLike, b: TensorLike): Tensor {
  const name = type[0].toLowerCase() + type.slice(1);
  const [x, y] = operands(name, a, b);
  const shape = resultShape(name, x, y);
  const op: Op = { name, cheap: true, write: (node, inputs, graph) => graph.node(type, inputs, node) };
  return new Tensor(op, [x, y], shape, 'bool', elementwiseSpread(name, [x, y], shape.length));
}

function operands(what: string, a: TensorLike, b: TensorLike): [Tensor, Tensor] {
  const x = a instanceof Tensor ? a : beside(what, a, b);
  const y = b instanceof Tensor ? b : beside(what, b, a);
  for (const operand of [x, y]) {
    if (operand.type !== 'bool') continue;
    throw new UntangleError(`${what}: ${show(operand)} holds truth values, not numbers.`, {
      hint: 'cast(x) makes ones and zeros of them.',
    });
  }
  if (x.type !== y.type)
    throw new UntangleError(`${what}: ${show(x)} holds ${x.type}, but ${show(y)} holds ${y.type}.`);
  return [x, y];
}

/** A number as a constant of the type that the other operand has. */
function beside(what: string, value: number, other: TensorLike): Tensor {
  if (!(other instanceof Tensor) || other.type !== 'int64') return scalar(value);
  if (!Number.isInteger(value))
    throw new UntangleError(`${what}: ${value} is not a whole number, but ${show(other)} holds int64.`);
  return constant([value], [], 'int64');
}

function resultShape(what: string, x: Tensor, y: Tensor) {
  const shape = broadcastShapes(x.shape, y.shape);
  if (shape === undefined) {
    throw new UntangleError(`${what}: the shapes of ${show(x)} and ${show(y)} do not fit together.`, {
      hint: `Dimensions must be equal or 1, counted from the last: ${showShape(x.shape)} against ${showShape(y.shape)}.`,
    });
  }
  return shape;
}
