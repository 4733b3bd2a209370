/**
 * How a tensor lies over the workers that share a batch. `whole`: every worker has the same value. `rows`: each worker has
 * its own rows of axis 0. `part`: each worker has a summand, and the value is their sum. Ops keep account of this, so that
 * a method is written as if there were one batch, and a formula in which rows meet unnoticed is an error.
 */
import { UntangleError } from '../errors.ts';
import { showShape } from './shape.ts';
import type { Tensor } from './tensor.ts';

export type Spread =
  | { kind: 'whole' }
  | { kind: 'rows'; total: number; workers: number }
  | { kind: 'part'; workers: number };

export const whole: Spread = { kind: 'whole' };

/** A tensor in an error message: its name where it has one, and its shape. */
export function show(tensor: Tensor): string {
  return `${tensor.label === undefined ? tensor.op.name : `“${tensor.label}”`} ${showShape(tensor.shape)}`;
}

/** The spread of an elementwise result: rows stay rows if they lie along axis 0 of the result. */
export function elementwiseSpread(what: string, inputs: readonly Tensor[], rank: number, linear = false): Spread {
  let spread: Spread = whole;
  for (const input of inputs) {
    if (input.spread.kind === 'whole') continue;
    if (input.spread.kind === 'part' && !linear) throw partUsed(what, input);
    if (input.spread.kind === 'rows' && input.rank !== rank) throw rowsMeet(what, input);
    if (spread.kind !== 'whole' && spread.kind !== input.spread.kind) throw partUsed(what, input);
    if (spread.kind === 'rows' && input.spread.kind === 'rows' && spread.total !== input.spread.total) {
      throw new UntangleError(`${what}: ${show(input)} has rows of another batch than the other operand.`);
    }
    spread = input.spread;
  }
  return spread;
}

/** The error for a formula that mixes rows of the batch without saying so. */
export function rowsMeet(what: string, tensor: Tensor): UntangleError {
  return new UntangleError(`${what}: the rows of the batch meet in ${show(tensor)}.`, {
    hint: 'Take wholeBatch(x) first, so that the formula sees all rows whichever worker holds them.',
  });
}

function partUsed(what: string, tensor: Tensor): UntangleError {
  return new UntangleError(`${what}: ${show(tensor)} is a worker’s summand, not yet the sum over the batch.`);
}
