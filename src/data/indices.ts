/** Small helpers on lists of item numbers. */
import { UntangleError } from '../errors.ts';

/** The index itself, or an error if the set does not reach that far. */
export function checkIndex(index: number, length: number, name: string): number {
  if (index >= 0 && index < length && Number.isInteger(index)) return index;
  throw new UntangleError(`Item ${index} of ${name} was asked for; it has ${length} items.`, { kind: 'call' });
}

/** The numbers from `from` up to, and without, `to`. */
export function range(from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: to - from }, (_, i) => from + i);
}
