/** Shapes: lists of dimensions, of which the first may be the symbolic batch dimension of an exported graph. */
import { UntangleError } from '../errors.ts';
import { show } from './spread.ts';
import type { Tensor } from './tensor.ts';

/** A dimension: a whole number, or `'batch'` for the batch size that an exported graph leaves free. */
export type Dimension = number | 'batch';
export type Shape = readonly Dimension[];
export type DataType = 'float32' | 'int64' | 'bool';

/** A shape as people write it. @example showShape(['batch', 1, 28]) // '[batch, 1, 28]' */
export function showShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dimension, i) => dimension === b[i]);
}

/** Refuses dimensions that are not whole numbers from 1 on. */
export function checkShape(what: string, shape: Shape): void {
  if (shape.every((dimension) => dimension === 'batch' || (Number.isInteger(dimension) && dimension >= 1))) return;
  throw new UntangleError(`${what}: ${showShape(shape)} is not a shape.`, {
    hint: 'Each dimension is a whole number from 1 on.',
  });
}

/** How many numbers a shape holds; a symbolic shape has no such count. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const dimension of shape) {
    if (dimension === 'batch') {
      throw new UntangleError(
        `The shape ${showShape(shape)} has a free batch dimension, so its size is not known here.`,
      );
    }
    size *= dimension;
  }
  return size;
}

/** The shape that two shapes broadcast to by numpy's rule, or undefined if they do not fit. */
export function broadcastShapes(a: Shape, b: Shape): Shape | undefined {
  const rank = Math.max(a.length, b.length);
  const out: Dimension[] = [];
  for (let i = 0; i < rank; i++) {
    const left = a[a.length - rank + i] ?? 1;
    const right = b[b.length - rank + i] ?? 1;
    if (left !== right && left !== 1 && right !== 1) return undefined;
    out.push(left === 1 ? right : left);
  }
  return out;
}

/** An axis counted from the front. @example resolveAxis('sum', -1, x) // 2 if x has three dimensions */
export function resolveAxis(what: string, axis: number, x: Tensor): number {
  const resolved = axis < 0 ? axis + x.rank : axis;
  if (!Number.isInteger(axis) || resolved < 0 || resolved >= x.rank) {
    throw new UntangleError(`${what}: there is no axis ${axis} in ${show(x)}.`);
  }
  return resolved;
}

/** Axes counted from the front, each once, ascending. `undefined` means all of them. */
export function resolveAxes(what: string, axes: number | readonly number[] | undefined, x: Tensor): number[] {
  if (axes === undefined) return x.shape.map((_, i) => i);
  const list = (typeof axes === 'number' ? [axes] : axes).map((axis) => resolveAxis(what, axis, x));
  return [...new Set(list)].sort((a, b) => a - b);
}
