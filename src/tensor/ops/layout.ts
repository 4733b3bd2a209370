/** Ops that move values without changing them: reshape, transpose, join, cut, pad, repeat and pick by index. */
import { UntangleError } from '../../errors.ts';
import { checkShape, type Dimension, resolveAxis, type Shape, sameShape, showShape } from '../shape.ts';
import {
  elementwiseSpread,
  gradientSpread,
  holdsRows,
  partUsed,
  rowsMeet,
  type Spread,
  show,
  wholeAmongRows,
} from '../spread.ts';
import { type Op, Tensor } from '../tensor.ts';
import { cast, equal } from './elementwise.ts';
import { constant } from './leaf.ts';
import { sumTo } from './reduce.ts';

/** The same values in another shape; rows of a batch may be grouped or split, never mixed. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  checkShape('reshape', shape);
  if (x.op.name === 'reshape' && x.inputs[0].spread.kind === x.spread.kind) return reshape(x.inputs[0], shape);
  const fixed = (dimensions: Shape) => dimensions.reduce<number>((size, d) => (d === 'batch' ? size : size * d), 1);
  const free = (dimensions: Shape) => dimensions.filter((d) => d === 'batch').length;
  if (fixed(x.shape) !== fixed(shape) || free(x.shape) !== free(shape)) {
    throw new UntangleError(`reshape: ${show(x)} does not hold as many values as ${showShape(shape)}.`);
  }
  const op: Op = {
    name: 'reshape',
    linear: true,
    cheap: true,
    view: true,
    gradient: (node, dy) => [reshape(dy, node.inputs[0].shape)],
    write: (node, [name], graph) => {
      const sizes = shape.map((dimension) => (dimension === 'batch' ? -1 : dimension));
      return graph.node('Reshape', [name, graph.integers(sizes)], node);
    },
  };
  return new Tensor(op, [x], shape, x.type, reshapeSpread(x, shape));
}

function reshapeSpread(x: Tensor, shape: Shape): Spread {
  if (x.spread.kind !== 'rows') return x.spread;
  const [from, to] = [Number(x.shape[0]), Number(shape[0] ?? 1)];
  if (to % from !== 0 && from % to !== 0) throw rowsMeet('reshape', x);
  return { ...x.spread, total: (x.spread.total * to) / from };
}

/** The axes in another order; without one, reversed. */
export function transpose(x: Tensor, order?: readonly number[]): Tensor {
  const axes =
    order === undefined
      ? x.shape.map((_, i) => x.rank - 1 - i)
      : order.map((axis) => resolveAxis('transpose', axis, x));
  if (axes.length !== x.rank || new Set(axes).size !== x.rank)
    throw new UntangleError(`transpose: ${showShape(axes)} is not an order of the axes of ${show(x)}.`);
  if (axes.every((axis, i) => axis === i)) return x;
  if (x.spread.kind === 'rows' && axes[0] !== 0) throw rowsMeet('transpose', x);
  const op: Op = {
    name: 'transpose',
    linear: true,
    gradient: (_, dy) => [
      transpose(
        dy,
        axes.map((_, i) => axes.indexOf(i)),
      ),
    ],
    write: (node, inputs, graph) => graph.node('Transpose', inputs, node, { perm: axes }),
  };
  return new Tensor(
    op,
    [x],
    axes.map((axis) => x.shape[axis]),
    x.type,
    x.spread,
  );
}

/** Tensors one after the other along an axis. @example concat([z, u], 1) */
export function concat(tensors: readonly Tensor[], axis: number): Tensor {
  if (tensors.length === 0) throw new UntangleError('concat: there is nothing to join.');
  const [first] = tensors;
  const at = resolveAxis('concat', axis, first);
  for (const tensor of tensors) {
    const fits = tensor.rank === first.rank && tensor.shape.every((d, i) => i === at || d === first.shape[i]);
    if (!fits) throw new UntangleError(`concat along axis ${at}: ${show(tensor)} does not fit ${show(first)}.`);
    if (tensor.type !== first.type)
      throw new UntangleError(`concat: ${show(tensor)} holds ${tensor.type}, but ${show(first)} holds ${first.type}.`);
    if (tensor.shape[at] === 'batch')
      throw new UntangleError(`concat: the free batch dimension of ${show(tensor)} can't be joined.`);
    if (tensor.spread.kind === 'rows' && at === 0) throw rowsMeet('concat', tensor);
  }
  if (tensors.length === 1) return first;
  return joined(tensors, at, elementwiseSpread('concat', tensors, first.rank, 'added'));
}

/** The join itself, of tensors that are known to fit. */
export function joined(tensors: readonly Tensor[], axis: number, spread: Spread): Tensor {
  const sizes = tensors.map((tensor) => Number(tensor.shape[axis]));
  const op: Op = {
    name: 'concat',
    gradient: (node, dy) => {
      let start = 0;
      return node.inputs.map((part, i) => cut(dy, axis, start, (start += sizes[i]), 1, gradientSpread(part, dy)));
    },
    write: (node, inputs, graph) => graph.node('Concat', inputs, node, { axis }),
  };
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const shape = tensors[0].shape.map((dimension, i) => (i === axis ? total : dimension));
  return new Tensor(op, tensors, shape, tensors[0].type, spread);
}

/** Every `step`-th entry from `start` up to, not including, `end` along an axis. Negative places count from the end. */
export function slice(x: Tensor, axis: number, start: number, end: number, step = 1): Tensor {
  const at = resolveAxis('slice', axis, x);
  const size = x.shape[at];
  if (size === 'batch') throw new UntangleError(`slice: the free batch dimension of ${show(x)} can't be cut.`);
  if (x.spread.kind === 'rows' && at === 0) throw rowsMeet('slice', x);
  const from = start < 0 ? start + size : start;
  const to = end < 0 ? end + size : end;
  const whole = [start, end, step].every(Number.isInteger);
  if (!(whole && from >= 0 && from < to && to <= size && step >= 1)) {
    throw new UntangleError(
      `slice: places ${start} to ${end} in steps of ${step} do not lie in axis ${at} of ${show(x)}.`,
    );
  }
  return cut(x, at, from, to, step, x.spread);
}

/** The cut itself, of places that are known to lie in the tensor. */
export function cut(x: Tensor, axis: number, start: number, end: number, step: number, spread: Spread): Tensor {
  const size = Number(x.shape[axis]);
  if (start === 0 && end === size && step === 1) return x;
  const op: Op = {
    name: 'slice',
    gradient: (node, dy) => [scatterSlice(dy, node.inputs[0], axis, start, step)],
    write: (node, [name], graph) =>
      graph.node(
        'Slice',
        [name, graph.integers([start]), graph.integers([end]), graph.integers([axis]), graph.integers([step])],
        node,
      ),
  };
  const shape = x.shape.map((dimension, i) => (i === axis ? Math.ceil((end - start) / step) : dimension));
  return new Tensor(op, [x], shape, x.type, spread);
}

/** Puts a slice's gradient back in its places, with zeros between and around. */
function scatterSlice(dy: Tensor, target: Tensor, axis: number, start: number, step: number): Tensor {
  const size = Number(target.shape[axis]);
  let spreadOut = dy;
  const count = Number(dy.shape[axis]);
  if (step > 1) {
    const withGap = [...dy.shape.slice(0, axis + 1), 1, ...dy.shape.slice(axis + 1)];
    const gap = padded(reshape(dy, withGap), axis + 1, 0, step - 1, dy.spread);
    const merged: Dimension[] = dy.shape.map((dimension, i) => (i === axis ? count * step : dimension));
    spreadOut = reshape(gap, merged);
    if (start + count * step > size) spreadOut = cut(spreadOut, axis, 0, size - start, 1, dy.spread);
  }
  return padded(spreadOut, axis, start, size - start - Number(spreadOut.shape[axis]), gradientSpread(target, dy));
}

/** Zeros before and after along axes. @example pad(x, { 2: [1, 1], 3: [1, 1] }) */
export function pad(x: Tensor, amounts: Record<number, readonly [number, number]>): Tensor {
  let result = x;
  for (const [key, [before, after]] of Object.entries(amounts)) {
    const axis = resolveAxis('pad', Number(key), x);
    if (x.spread.kind === 'rows' && axis === 0) throw rowsMeet('pad', x);
    if (x.shape[axis] === 'batch')
      throw new UntangleError(`pad: the free batch dimension of ${show(x)} can't be padded.`);
    if (![before, after].every((amount) => Number.isInteger(amount) && amount >= 0))
      throw new UntangleError(`pad: ${before} and ${after} zeros around ${show(x)} must be whole and not negative.`);
    result = padded(result, axis, before, after, x.spread);
  }
  return result;
}

function padded(x: Tensor, axis: number, before: number, after: number, spread: Spread): Tensor {
  if (before === 0 && after === 0) return x;
  const size = Number(x.shape[axis]);
  const op: Op = {
    name: 'pad',
    gradient: (node, dy) => [cut(dy, axis, before, before + size, 1, gradientSpread(node.inputs[0], dy))],
    write: (node, [name], graph) => {
      const amounts = new Array(2 * node.rank).fill(0);
      amounts[axis] = before;
      amounts[axis + node.rank] = after;
      return graph.node('Pad', [name, graph.integers(amounts)], node, { mode: 'constant' });
    },
  };
  const shape = x.shape.map((dimension, i) => (i === axis ? size + before + after : dimension));
  return new Tensor(op, [x], shape, x.type, spread);
}

/** x repeated to the shape of another tensor, by numpy's rule. */
export function expand(x: Tensor, like: Tensor): Tensor {
  const extra = like.rank - x.rank;
  const fits = extra >= 0 && x.shape.every((dimension, i) => dimension === 1 || dimension === like.shape[i + extra]);
  if (!fits) throw new UntangleError(`expand: ${show(x)} can't be repeated to the shape of ${show(like)}.`);
  const spread = expandSpread(x, like);
  if (sameShape(x.shape, like.shape) && x.spread.kind === spread.kind) return x;
  const free = like.shape.includes('batch');
  const op: Op = {
    name: 'expand',
    cheap: true,
    view: true,
    gradient: (node, dy) => [sumTo(dy, node.inputs[0])],
    write: (node, [name, reference], graph) => {
      if (sameShape(node.inputs[0].shape, node.shape)) return name;
      const target = free
        ? graph.node('Shape', [reference], undefined, {}, 'shape')
        : graph.integers(like.shape.map(Number));
      return graph.node('Expand', [name, target], node);
    },
  };
  return new Tensor(op, free ? [x, like] : [x], like.shape, x.type, spread);
}

function expandSpread(x: Tensor, like: Tensor): Spread {
  if (x.spread.kind === 'rows' && (like.spread.kind !== 'rows' || x.shape[0] !== like.shape[0] || x.rank !== like.rank))
    throw rowsMeet('expand', x);
  if (like.spread.kind !== 'rows') return x.spread;
  if (x.spread.kind === 'part') throw partUsed('expand', x);
  if (holdsRows(x, like.rank)) throw wholeAmongRows('expand', x);
  return like.spread;
}

/** The entries of a tensor along an axis at given places, a list of whole numbers. */
export function gather(x: Tensor, indices: Tensor, axis = 0): Tensor {
  const at = resolveAxis('gather', axis, x);
  if (indices.type !== 'int64' || indices.rank !== 1) {
    throw new UntangleError(`gather: the indices ${show(indices)} must be one list of whole numbers (int64).`);
  }
  if (x.spread.kind === 'rows' && at === 0) throw rowsMeet('gather', x);
  if (indices.spread.kind === 'rows' && at !== 0) throw rowsMeet('gather', indices);
  if (indices.spread.kind === 'rows' && x.spread.kind === 'part') throw partUsed('gather', x);
  const op: Op = {
    name: 'gather',
    gradient: (node, dy) => [scatterAdd(dy, node.inputs[1], node.inputs[0], at), undefined],
    write: (node, inputs, graph) => graph.node('Gather', inputs, node, { axis: at }),
  };
  const shape = x.shape.map((dimension, i) => (i === at ? indices.shape[0] : dimension));
  return new Tensor(op, [x, indices], shape, x.type, indices.spread.kind === 'rows' ? indices.spread : x.spread);
}

/** Zeros of a target's shape, with entries added at given places along an axis: the gradient of `gather`. */
function scatterAdd(values: Tensor, indices: Tensor, target: Tensor, axis: number): Tensor {
  if (target.shape.includes('batch'))
    throw new UntangleError(`gather: ${show(target)} has a free batch dimension, so there is no gradient in it.`);
  const op: Op = {
    name: 'scatterAdd',
    gradient: (_, dy) => [gather(dy, indices, axis), undefined],
    write: (node, [valuesName, indicesName], graph) => {
      const column = graph.integers(values.shape.map((_, i) => (i === axis ? -1 : 1)));
      const places = graph.node('Reshape', [indicesName, column], undefined, {}, 'places');
      const size = values.shape.includes('batch')
        ? graph.node('Shape', [valuesName], undefined, {}, 'shape')
        : graph.integers(values.shape.map(Number));
      const repeated = graph.node('Expand', [places, size], undefined, {}, 'places');
      const zeros = graph.zeros(target.shape.map(Number));
      return graph.node('ScatterElements', [zeros, repeated, valuesName], node, { axis, reduction: 'add' });
    },
  };
  const spread: Spread =
    values.spread.kind === 'rows' && axis === 0 ? { kind: 'part', workers: values.spread.workers } : values.spread;
  return new Tensor(op, [values, indices], target.shape, values.type, spread);
}

/** A row of `depth` numbers for each index: 1 at the index, 0 elsewhere. */
export function oneHot(indices: Tensor, depth: number): Tensor {
  if (indices.type !== 'int64')
    throw new UntangleError(`oneHot: the indices ${show(indices)} must be whole numbers (int64).`);
  if (!Number.isInteger(depth) || depth < 1)
    throw new UntangleError(`oneHot: there can't be ${depth} classes for ${show(indices)}.`);
  const column = reshape(indices, [...indices.shape, 1]);
  const classes = constant(
    Array.from({ length: depth }, (_, i) => i),
    [...indices.shape.map(() => 1), depth],
    'int64',
  );
  return cast(equal(column, classes));
}
