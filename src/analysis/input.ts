/** What every function of this room asks of its input: a whole matrix of finite numbers, and labels that fit it. */
import { UntangleError } from '../errors.ts';

/**
 * Checks that `x` holds n rows of d finite numbers, row after row.
 *
 * @example requireMatrix([1, 2, 3, 4], 2, 2)
 */
export function requireMatrix(x: ArrayLike<number>, n: number, d: number): void {
  if (!(Number.isInteger(n) && n > 0 && Number.isInteger(d) && d > 0 && x.length === n * d))
    throw new UntangleError(`A matrix of ${n} rows and ${d} columns came with ${x.length} numbers.`, {
      kind: 'call',
      hint: 'Give at least one row and one column, and rows × columns numbers, row after row.',
    });
  for (let i = 0; i < x.length; i++)
    if (!Number.isFinite(x[i]))
      throw new UntangleError(`Column ${i % d} holds ${x[i]} in row ${Math.floor(i / d)}.`, {
        kind: 'call',
        hint: 'Every number must be finite: fill or drop missing values first.',
      });
}

/** The numbers as doubles: themselves if they are, so that inner loops meet one kind of array. */
export function doubles(x: ArrayLike<number>): Float64Array {
  return x instanceof Float64Array ? x : Float64Array.from(x);
}

/** Checks that `y` holds a class 0 … classes−1 for each of n rows. */
export function requireLabels(y: ArrayLike<number>, n: number, classes: number): void {
  if (y.length !== n)
    throw new UntangleError(`There are ${y.length} labels for ${n} rows.`, {
      kind: 'call',
      hint: 'Give one label a row.',
    });
  for (let i = 0; i < n; i++)
    if (!(Number.isInteger(y[i]) && y[i] >= 0 && y[i] < classes))
      throw new UntangleError(`The label of row ${i} is ${y[i]}.`, {
        kind: 'call',
        hint: `Labels are whole numbers from 0 to ${classes - 1}.`,
      });
}

/** Checks that rows are as wide as those that a model was fitted to. */
export function requireWidth(fitted: number, given: number): void {
  if (fitted !== given)
    throw new UntangleError(`A model of ${fitted} columns was given rows of ${given}.`, {
      kind: 'call',
      hint: 'Give the columns that it was fitted to, in the same order.',
    });
}

/** Checks that a setting is a positive, finite number. */
export function requirePositive(value: number, what: string): void {
  if (!(Number.isFinite(value) && value > 0))
    throw new UntangleError(`${what} was ${value}.`, { kind: 'call', hint: 'It is a positive number.' });
}

/** The classes that occur in `y`, ascending, and for each row its place among them. */
export function presentClasses(y: ArrayLike<number>, classes: number): { present: number[]; place: Int32Array } {
  const placeOf = new Int32Array(classes).fill(-1);
  for (let i = 0; i < y.length; i++) placeOf[y[i]] = 0;
  const present: number[] = [];
  for (let c = 0; c < classes; c++) if (placeOf[c] === 0) placeOf[c] = present.push(c) - 1;
  return { present, place: Int32Array.from({ length: y.length }, (_, i) => placeOf[y[i]]) };
}
