/**
 * Symbolic tensors. A tensor is the result of an op on other tensors, with a shape that is known when it is made; nothing
 * is computed until a graph of them is compiled. Its methods are the ops of `ops/`, so that a formula reads from left to
 * right.
 */
import type { GraphWriter } from './onnx.ts';
import * as elementwise from './ops/elementwise.ts';
import * as layout from './ops/layout.ts';
import * as reduce from './ops/reduce.ts';
import type { DataType, Shape } from './shape.ts';
import type { Spread } from './spread.ts';

/** What is done between the graphs of a step: workers add up or join their values, or a solver finds one. */
export type Between = 'allSum' | 'wholeBatch' | 'partners';

/** What a tensor's op is: its kind, its gradient and its ONNX node, side by side. */
export interface Op {
  readonly name: string;
  /** Linear in an input that is a weight: a worker's summand of the result's gradient gives a summand of the weight's. */
  readonly linear?: boolean;
  /** So little work that a later phase does it again, rather than that its result is kept. */
  readonly cheap?: boolean;
  /** The same values, seen otherwise. */
  readonly view?: boolean;
  /** Set if the op is no part of a graph, but done where a step's graph is cut. */
  readonly between?: Between;
  /**
   * The gradient of the scalar that is differentiated, in each input of `node`, given the one in its output
   * (the vector-Jacobian product). An entry is undefined where nothing flows.
   */
  gradient?(node: Tensor, outputGradient: Tensor): (Tensor | undefined)[];
  /** Writes the node's ONNX form, and gives back the name of its value. */
  write(node: Tensor, inputs: string[], graph: GraphWriter): string;
}

/** A tensor, or a number that stands for a constant. */
export type TensorLike = Tensor | number;

let count = 0;

/** A node of the symbolic graph. */
export class Tensor {
  readonly id = count++;
  readonly op: Op;
  readonly inputs: readonly Tensor[];
  readonly shape: Shape;
  readonly type: DataType;
  readonly spread: Spread;
  /** What a person would call it; shown in errors and in a graph viewer. */
  label?: string;

  constructor(op: Op, inputs: readonly Tensor[], shape: Shape, type: DataType, spread: Spread) {
    this.op = op;
    this.inputs = inputs;
    this.shape = shape;
    this.type = type;
    this.spread = spread;
  }

  get rank(): number {
    return this.shape.length;
  }

  /** Gives the tensor a name for errors and graph viewers. */
  named(label: string): this {
    this.label ??= label;
    return this;
  }

  plus(other: TensorLike): Tensor {
    return elementwise.add(this, other);
  }
  minus(other: TensorLike): Tensor {
    return elementwise.subtract(this, other);
  }
  times(other: TensorLike): Tensor {
    return elementwise.multiply(this, other);
  }
  over(other: TensorLike): Tensor {
    return elementwise.divide(this, other);
  }
  power(exponent: TensorLike): Tensor {
    return elementwise.power(this, exponent);
  }
  negate(): Tensor {
    return elementwise.negate(this);
  }
  square(): Tensor {
    return elementwise.square(this);
  }
  sqrt(): Tensor {
    return elementwise.sqrt(this);
  }
  exp(): Tensor {
    return elementwise.exp(this);
  }
  log(): Tensor {
    return elementwise.log(this);
  }
  abs(): Tensor {
    return elementwise.abs(this);
  }
  clip(low: number, high: number): Tensor {
    return elementwise.clip(this, low, high);
  }
  sum(axes?: number | readonly number[], options?: reduce.ReduceOptions): Tensor {
    return reduce.sum(this, axes, options);
  }
  mean(axes?: number | readonly number[], options?: reduce.ReduceOptions): Tensor {
    return reduce.mean(this, axes, options);
  }
  max(axes?: number | readonly number[], options?: reduce.ReduceOptions): Tensor {
    return reduce.max(this, axes, options);
  }
  reshape(shape: Shape): Tensor {
    return layout.reshape(this, shape);
  }
  transpose(order?: readonly number[]): Tensor {
    return layout.transpose(this, order);
  }
  slice(axis: number, start: number, end: number, step = 1): Tensor {
    return layout.slice(this, axis, start, end, step);
  }
  /** Stops gradients here: the value passes, the derivative is zero. */
  stopGradient(): Tensor {
    return elementwise.stopGradient(this);
  }
}
