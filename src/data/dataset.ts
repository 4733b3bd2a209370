/** What every dataset is: a shape, a value range, items by index, and what is known about them. */
import type { Factors, ItemShape, Labels, ValueRange } from '../model/index.ts';

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
  /** A hash of what the data is, equal for equal data on every machine. */
  readonly fingerprint: string;
  /** The split that the data's paper defines, as indices, where there is one. */
  readonly split?: { train: Uint32Array; validation?: Uint32Array; test: Uint32Array };
}

/** What a name or a path opens as: one set, or a target with its background. */
export type Opened = { kind: 'single'; data: Dataset } | { kind: 'contrast'; target: Dataset; background: Dataset };
