/** A data matrix: n points of d numbers each, row by row in one typed array. Checked once, at the door. */
import { UntangleError } from '../errors.ts';
import { requireMatrix } from './input.ts';

export type Numbers = Float32Array | Float64Array;

/** What every unsupervised method here takes: n points of d numbers. */
export interface Points {
  /** The points, one after the other. */
  x: Numbers;
  n: number;
  d: number;
}

/**
 * The points as doubles, after making sure that there are at least `atLeast`, whole, and of finite numbers that can be
 * squared.
 */
export function checkPoints({ x, n, d }: Points, atLeast = 1): Float64Array {
  checkCount('the number of points', n, atLeast);
  requireMatrix(x, n, d);
  checkSize('number', x);
  return x instanceof Float64Array ? x : Float64Array.from(x);
}

/** Makes sure that `value` is a whole number of at least `atLeast` and at most `atMost`. */
export function checkCount(what: string, value: number, atLeast: number, atMost = Number.POSITIVE_INFINITY): void {
  if (Number.isSafeInteger(value) && value >= atLeast && value <= atMost) return;
  const range = atMost === Number.POSITIVE_INFINITY ? `${atLeast} or more` : `between ${atLeast} and ${atMost}`;
  throw new UntangleError(`${what.charAt(0).toUpperCase()}${what.slice(1)} is ${value}.`, {
    kind: 'call',
    hint: `It must be a whole number, ${range}.`,
  });
}

/** Makes sure that `cost` holds n × m finite numbers of a size that can be added up. */
export function checkCosts(cost: Float64Array, n: number, m: number): void {
  requireMatrix(cost, n, m);
  checkSize('cost', cost);
}

/** Sums of costs, and of squares of numbers, must not overflow. */
function checkSize(what: string, values: Numbers): void {
  let largest = 0;
  for (let e = 0; e < values.length; e++) {
    const size = Math.abs(values[e]);
    if (size > largest) largest = size;
  }
  if (largest > 1e150)
    throw new UntangleError(`A ${what} as large as ${largest} cannot be computed with.`, {
      kind: 'call',
      hint: 'Divide them all by the largest.',
    });
}
