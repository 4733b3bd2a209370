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

/**
 * How an op treats its inputs together: `added` if it is linear in all of them at once, `scaled` if it is linear in one with
 * the others fixed, `curved` otherwise. Only a linear op of summands gives a summand of the result.
 */
export type Linearity = 'added' | 'scaled' | 'curved';

/** The spread of an elementwise result: rows stay rows if they lie along axis 0 of the result. */
export function elementwiseSpread(
  what: string,
  inputs: readonly Tensor[],
  rank: number,
  linearity: Linearity = 'curved',
): Spread {
  const parts = inputs.filter(({ spread }) => spread.kind === 'part');
  if (parts.length > 0) {
    const allowed = linearity === 'added' ? inputs.length : linearity === 'scaled' ? 1 : 0;
    if (parts.length !== allowed || inputs.some(({ spread }) => spread.kind === 'rows')) throw partUsed(what, parts[0]);
    return parts[0].spread;
  }
  let spread: Spread = whole;
  for (const input of inputs) {
    if (input.spread.kind !== 'rows') continue;
    if (input.rank !== rank) throw rowsMeet(what, input);
    if (spread.kind === 'rows' && spread.total !== input.spread.total) {
      throw new UntangleError(`${what}: ${show(input)} has rows of another batch than the other operand.`);
    }
    spread = input.spread;
  }
  if (spread.kind === 'rows') {
    for (const input of inputs) if (holdsRows(input, rank)) throw wholeAmongRows(what, input);
  }
  return spread;
}

/** The spread of the gradient in `target`: its rows where it has rows; otherwise as it came. */
export function gradientSpread(target: Tensor, outputGradient: Tensor): Spread {
  return target.spread.kind === 'rows' ? target.spread : outputGradient.spread;
}

/** Whether a whole tensor would give each of a worker's rows a value of its own, the same on every worker. */
export function holdsRows(tensor: Tensor, rank: number): boolean {
  return tensor.spread.kind === 'whole' && tensor.rank === rank && rank > 0 && tensor.shape[0] !== 1;
}

/** The error for a formula that mixes rows of the batch without saying so. */
export function rowsMeet(what: string, tensor: Tensor): UntangleError {
  return new UntangleError(`${what}: the rows of the batch meet in ${show(tensor)}.`, {
    hint: 'Take wholeBatch(x) first, so that the formula sees all rows whichever worker holds them.',
  });
}

/** The error for a whole tensor beside rows, with an axis 0 that is not theirs. */
export function wholeAmongRows(what: string, tensor: Tensor): UntangleError {
  return new UntangleError(
    `${what}: ${show(tensor)} holds the same on every worker, the other operand rows of the batch.`,
    {
      hint: 'Take ownRows(x, like) of a value that has all rows of the batch, or feed it with rows.',
    },
  );
}

/** The error for a worker's summand where only the sum makes sense. */
export function partUsed(what: string, tensor: Tensor): UntangleError {
  return new UntangleError(`${what}: ${show(tensor)} is a worker’s summand, not yet the sum over the batch.`, {
    hint: 'Take allSum(x) first.',
  });
}
