/** What an item is, to a network, a metric and a page alike: its shape, the range of its values, and what is known about it. */

/**
 * How an item's numbers are to be read, which decides the likelihood: `binary` {0, 1}, `unit` [0, 1], `symmetric` [−1, 1]
 * or `real` (standardised).
 */
export type ValueRange = 'binary' | 'unit' | 'symmetric' | 'real';

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

/** How many numbers an item holds. */
export function itemSize(shape: ItemShape): number {
  return shape.kind === 'image' ? shape.channels * shape.height * shape.width : shape.columns.length;
}

/** The shape of one item as a tensor: channels, height and width of an image, the columns of a table. */
export function tensorShape(shape: ItemShape): number[] {
  return shape.kind === 'image' ? [shape.channels, shape.height, shape.width] : [shape.columns.length];
}
