/** The noise that some tensors take: how a test that feeds graphs by itself knows what to feed. */

import { type Distribution, isInput } from '../ops/leaf.ts';
import { inOrder } from '../passes/order.ts';
import { sizeOf } from '../shape.ts';
import type { Tensor } from '../tensor.ts';

export function noisesOf(tensors: readonly Tensor[]): { name: string; count: number; distribution: Distribution }[] {
  return inOrder(tensors).flatMap(({ op, shape }) =>
    isInput(op) && op.is.kind === 'noise'
      ? [{ name: op.input, count: sizeOf(shape), distribution: op.is.distribution }]
      : [],
  );
}
