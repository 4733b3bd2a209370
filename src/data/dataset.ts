/** What every dataset is: a shape, a value range, items by index, and what is known about them; and what all datasets are made with. */
import { createHash } from 'node:crypto';
import { UntangleError } from '../errors.ts';
import type { Factors, ItemShape, Labels, ValueRange } from '../model/index.ts';
import type { Grouping } from './design.ts';
import type { Given } from './given.ts';

/** Items by index, as numbers in the dataset's range. */
export interface Dataset {
  readonly name: string;
  readonly title: string;
  readonly shape: ItemShape;
  readonly range: ValueRange;
  readonly length: number;
  /**
   * The items at `indices` one after the other, an image in channel, row, column order. Writes into `out` if given.
   *
   * @example dataset.gather([3, 1], new Float32Array(2 * 28 * 28))
   */
  gather(indices: ArrayLike<number>, out?: Float32Array): Float32Array;
  readonly factors?: Factors;
  readonly labels?: Labels;
  /** Which items belong together, and within which others they may be exchanged, where that was said. */
  readonly groups?: Grouping;
  readonly strata?: Grouping;
  /** What a model is told of each item beside its numbers, where that was said. */
  readonly given?: Given;
  /** A hash of what the data is, equal for equal data on every machine. */
  readonly fingerprint: string;
  /** The split that the data's paper defines, as indices, where there is one. */
  readonly split?: { train: Uint32Array; validation?: Uint32Array; test: Uint32Array };
}

/** What a name or a path opens as: one set, or a target with its background. */
export type Opened = { kind: 'single'; data: Dataset } | { kind: 'contrast'; target: Dataset; background: Dataset };

/** The index itself, or an error if the set does not reach that far. */
export function checkIndex(index: number, length: number, name: string): number {
  if (index >= 0 && index < length && Number.isInteger(index)) return index;
  throw new UntangleError(`Item ${index} of ${name} was asked for; it has ${length} items.`, { kind: 'call' });
}

/** A dataset's `gather`, given what writes the numbers of one item into `out` from `at` on. */
export function gatherBy(
  { name, length, size }: { name: string; length: number; size: number },
  write: (item: number, out: Float32Array, at: number) => void,
): Dataset['gather'] {
  return (indices, out = new Float32Array(indices.length * size)) => {
    for (let i = 0; i < indices.length; i++) write(checkIndex(indices[i], length, name), out, i * size);
    return out;
  };
}

/** The numbers from `from` up to, and without, `to`. */
export function range(from: number, to: number): Uint32Array {
  return Uint32Array.from({ length: to - from }, (_, i) => from + i);
}

/**
 * A short hash of what data is, equal for equal data on every machine: the first half of a SHA-256 of the parts in their order.
 * Each part is framed by its kind and length, so that moving a boundary changes the hash.
 *
 * @example fingerprint('mnist', images, labels, 32)
 */
export function fingerprint(...parts: (string | number | ArrayBufferView)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (typeof part === 'object') {
      hash.update(`bytes ${part.byteLength}\n`);
      hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    } else {
      const text = String(part);
      hash.update(`${typeof part} ${Buffer.byteLength(text)}\n${text}`);
    }
  }
  return hash.digest('hex').slice(0, 32);
}
