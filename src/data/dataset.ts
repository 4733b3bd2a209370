/** What every dataset is: a shape, a value range, items by index, and what is known about them. */
import type { ValueRange } from '../objectives/likelihood.ts';

export type { ValueRange };

/** The shape of one item. */
export type ItemShape = ImageShape | TableShape;

export interface ImageShape {
  kind: 'image';
  channels: number;
  height: number;
  width: number;
}

export interface TableShape {
  kind: 'table';
  /** The encoded columns, in order: what a model sees. */
  columns: string[];
}

/** A factor of variation that is known for every item. */
export interface Factor {
  name: string;
  /** Discrete factors take the values 0 … size−1; continuous ones any number. */
  kind: 'discrete' | 'continuous';
  /** How many values a discrete factor takes; 0 for a continuous one. */
  size: number;
}

/** The known factors of all items: `values[i * factors.length + k]` is factor k of item i. */
export interface Factors {
  factors: Factor[];
  values: Float32Array;
}

/** The class of every item, as an index into `names`. */
export interface Labels {
  names: string[];
  values: Uint16Array;
}

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

/** How many numbers an item holds. */
export function itemSize(shape: ItemShape): number {
  return shape.kind === 'image' ? shape.channels * shape.height * shape.width : shape.columns.length;
}
