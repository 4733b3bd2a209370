/** Where graphs begin: fed inputs, parameters that training changes, and constants. */
import { UntangleError } from '../../errors.ts';
import { checkShape, type DataType, type Shape, showShape, sizeOf } from '../shape.ts';
import { type Spread, whole } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';

/** How noise is drawn anew in each step: numbers, an order of the rows in each column, or a mask that keeps a share. */
export type Distribution = 'normal' | 'uniform' | 'gumbel' | 'permutation' | { keep: number };

/** What an input is, whatever it is called. Whoever runs the graph feeds the first four. */
export type InputKind =
  | { kind: 'data' }
  | { kind: 'noise'; distribution: Distribution }
  | { kind: 'schedule' }
  | { kind: 'learning rate' }
  | KeptKind;

/** Inputs whose values the program keeps itself: a vector is a group's parameters, gradient or slot of the optimiser. */
export type KeptKind =
  | { kind: 'step count' }
  | { kind: 'gradient scale' }
  | { kind: 'vector'; group: number; vector: string };

/** A value that is fed at each run. */
export interface InputOp extends Op {
  name: 'input';
  input: string;
  is: InputKind;
}

/** A value that the program keeps and training changes. */
export interface ParameterOp extends Op {
  name: 'parameter';
  parameter: string;
}

/** A value that is known when the graph is made. */
export interface ConstantOp extends Op {
  name: 'constant';
  values: Float32Array | BigInt64Array;
}

/**
 * A fed value. With `rows`, axis 0 is the batch, and each worker gets its own part of it.
 *
 * @example input('x', [64, 1, 28, 28])
 */
export function input(name: string, shape: Shape, options: InputOptions = {}): Tensor {
  checkShape(`The input “${name}”`, shape);
  const op: InputOp = { name: 'input', input: name, is: options.is ?? { kind: 'data' }, write: () => name };
  return new Tensor(op, [], shape, options.type ?? 'float32', options.spread ?? whole).named(name);
}

export interface InputOptions {
  type?: DataType;
  spread?: Spread;
  is?: InputKind;
}

/** A parameter by its name; its values belong to the program that runs the graph. */
export function parameter(name: string, shape: Shape): Tensor {
  checkShape(`The parameter “${name}”`, shape);
  const op: ParameterOp = { name: 'parameter', parameter: name, write: () => name };
  return new Tensor(op, [], shape, 'float32', whole).named(name);
}

/** A constant tensor. @example constant([1, 2, 3, 4], [2, 2]) */
export function constant(values: ArrayLike<number>, shape: Shape, type: Exclude<DataType, 'bool'> = 'float32'): Tensor {
  checkShape('constant', shape);
  if (values.length !== sizeOf(shape)) {
    throw new UntangleError(`constant: ${values.length} values do not fill the shape ${showShape(shape)}.`);
  }
  const fraction = type === 'int64' ? Array.from(values).find((value) => !Number.isInteger(value)) : undefined;
  if (fraction !== undefined) throw new UntangleError(`constant: ${fraction} is not a whole number (int64).`);
  const data =
    type === 'float32' ? Float32Array.from(values) : BigInt64Array.from(Array.from(values, (v) => BigInt(v)));
  const op: ConstantOp = {
    name: 'constant',
    values: data,
    write: (node, _, graph) => graph.initialiser(data, node.shape.map(Number), node.label),
  };
  return new Tensor(op, [], shape, type, whole);
}

/** A constant of no dimensions. */
export function scalar(value: number): Tensor {
  return constant([value], []);
}

/** The single number that a constant tensor holds everywhere, if it is one. */
export function constantValue(tensor: Tensor): number | undefined {
  if (!isConstant(tensor.op) || tensor.op.values.length !== 1) return undefined;
  return Number(tensor.op.values[0]);
}

export function isConstant(op: Op): op is ConstantOp {
  return op.name === 'constant';
}

export function isParameter(op: Op): op is ParameterOp {
  return op.name === 'parameter';
}

export function isInput(op: Op): op is InputOp {
  return op.name === 'input';
}

/** Whether the program keeps an input's values, so that nobody feeds it. */
export function isKept(is: InputKind): is is KeptKind {
  return is.kind === 'step count' || is.kind === 'gradient scale' || is.kind === 'vector';
}
