/**
 * Sums, means and maxima over axes. Over the batch axis of rows that workers share, sum and mean are taken over the whole
 * batch: each worker adds up its own rows, and the summands are added across workers.
 */
import { UntangleError } from '../../errors.ts';
import { type Dimension, resolveAxes, sameShape } from '../shape.ts';
import { elementwiseSpread, rowsMeet, type Spread, show } from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { cast, divide, equal, multiply } from './elementwise.ts';
import { expand, reshape } from './layout.ts';
import { allSum } from './rows.ts';

export interface ReduceOptions {
  /** Keep each reduced axis with size 1. */
  keepDimensions?: boolean;
}

type Axes = number | readonly number[] | undefined;

/** Σ over the axes, or over all of them. */
export function sum(x: Tensor, axes?: Axes, options: ReduceOptions = {}): Tensor {
  const local = localSum(x, resolveAxes('sum', axes, x), options.keepDimensions ?? false);
  return local.spread.kind === 'part' && x.spread.kind === 'rows' ? allSum(local) : local;
}

/** The mean over the axes, or over all of them. */
export function mean(x: Tensor, axes?: Axes, options: ReduceOptions = {}): Tensor {
  const list = resolveAxes('mean', axes, x);
  const batch = x.spread.kind === 'rows' && list.includes(0) ? x.spread.total : undefined;
  if (batch === undefined && list.some((axis) => x.shape[axis] === 'batch')) {
    throw new UntangleError(`mean: the batch size of ${show(x)} is free, so a mean over it has no fixed divisor.`);
  }
  const size = list.reduce(
    (product, axis) => product * (axis === 0 && batch !== undefined ? batch : Number(x.shape[axis])),
    1,
  );
  return divide(sum(x, list, options), size);
}

/** The largest value over the axes; equal ones share the gradient. */
export function max(x: Tensor, axes?: Axes, options: ReduceOptions = {}): Tensor {
  const list = resolveAxes('max', axes, x);
  if (list.length === 0) return x;
  if (x.spread.kind === 'rows' && list.includes(0)) throw rowsMeet('max', x);
  const op: Op = {
    name: 'max',
    gradient: (node, dy) => {
      const winners = cast(equal(node.inputs[0], expand(node, node.inputs[0])));
      const share = divide(winners, expand(localSum(winners, list, true), node.inputs[0]));
      return [multiply(expand(dy, node.inputs[0]), share)];
    },
    write: (node, inputs, graph) => graph.node('ReduceMax', inputs, node, { axes: list, keepdims: 1 }),
  };
  const kept = x.shape.map((dimension, axis) => (list.includes(axis) ? 1 : dimension));
  const result = new Tensor(op, [x], kept, x.type, elementwiseSpread('max', [x], x.rank));
  return options.keepDimensions ? result : dropAxes(result, list);
}

/** ln Σ eˣ over one axis, shifted by the largest value so that nothing overflows. */
export function logSumExp(x: Tensor, axis: number, options: ReduceOptions = {}): Tensor {
  const [resolved] = resolveAxes('logSumExp', axis, x);
  const shift = max(x, resolved, { keepDimensions: true }).stopGradient().clip(-3e38, 3e38);
  const result = x.minus(shift).exp().sum(resolved, { keepDimensions: true }).log().plus(shift);
  return options.keepDimensions ? result : dropAxes(result, [resolved]);
}

/**
 * The gradient in a tensor that was broadcast: summed over the axes along which it was repeated. Of rows that meet a whole
 * tensor, the worker's own summand.
 */
export function sumTo(gradient: Tensor, target: Tensor): Tensor {
  const meets = gradient.spread.kind === 'rows' && target.spread.kind !== 'rows';
  if (sameShape(gradient.shape, target.shape) && !meets) return gradient;
  const extra = gradient.rank - target.rank;
  const axes: number[] = [];
  gradient.shape.forEach((dimension, axis) => {
    const repeated = axis < extra || (target.shape[axis - extra] === 1 && dimension !== 1);
    if (repeated || (axis === 0 && meets)) axes.push(axis);
  });
  const summed = localSum(gradient, axes, true);
  return extra > 0
    ? dropAxes(
        summed,
        Array.from({ length: extra }, (_, i) => i),
      )
    : summed;
}

/** The sum over this worker's rows: a summand of the batch's sum if axis 0 of rows is among the axes. */
function localSum(x: Tensor, axes: readonly number[], keepDimensions: boolean): Tensor {
  if (axes.length === 0) return x;
  if (x.type === 'bool') {
    throw new UntangleError(`sum: ${show(x)} holds truth values, not numbers.`, {
      hint: 'cast(x) makes ones and zeros of them.',
    });
  }
  const op: Op = {
    name: 'sum',
    gradient: (node, dy) => [expand(dy, node.inputs[0])],
    write: (node, [name], graph) => graph.node('ReduceSum', [name, graph.integers([...axes])], node, { keepdims: 1 }),
  };
  const kept: Dimension[] = x.shape.map((dimension, axis) => (axes.includes(axis) ? 1 : dimension));
  const result = new Tensor(op, [x], kept, x.type, sumSpread(x, axes));
  return keepDimensions ? result : dropAxes(result, axes);
}

function sumSpread(x: Tensor, axes: readonly number[]): Spread {
  return x.spread.kind === 'rows' && axes.includes(0) ? { kind: 'part', workers: x.spread.workers } : x.spread;
}

/** Leaves out axes of size 1. */
function dropAxes(x: Tensor, axes: readonly number[]): Tensor {
  return reshape(
    x,
    x.shape.filter((_, axis) => !axes.includes(axis)),
  );
}
