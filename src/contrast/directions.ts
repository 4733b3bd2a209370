/**
 * How many factors the salient codes hold: the directions in which those of the target lie apart from the background's, as the
 * eigenvectors of their second moments. Dimensions that say the same are one direction, whatever the number of dimensions.
 */
import { leadingEigenvectors } from '../analysis/index.ts';
import type { EncodedSet } from './encoded.ts';
import type { SalientFactor } from './factors.ts';

/** A direction counts if it holds more than this share of what the largest holds: below is how codes of one factor bend. */
export const leastShare = 0.05;

export interface SalientDirections {
  /** The dimensions that count, or all where none does. */
  dimensions: { block: string; index: number }[];
  /** The second moments about the background's mean, the largest first: all of them, those that do not count as well. */
  moments: number[];
  /** For each direction that counts, the weights of the dimensions. */
  directions: number[][];
}

/** Directions in the codes of items that were trained on, so that those held out can test them. */
export function salientDirections(
  target: EncodedSet,
  background: EncodedSet,
  factors: readonly SalientFactor[],
): SalientDirections {
  const active = factors.filter((factor) => factor.active);
  // Where all codes are faint, their directions tell as much.
  const dimensions = (active.length > 0 ? active : factors).map(({ block, index }) => ({ block, index }));
  const m = dimensions.length;
  const ours = codesAlong(target, dimensions, target.split.train);
  const theirs = codesAlong(background, dimensions, background.split.train);
  const centre = dimensions.map((_, k) => meanOf(theirs, m, k));
  const moments = new Float64Array(m * m);
  const n = ours.length / m;
  for (let i = 0; i < n; i++)
    for (let e = 0; e < m * m; e++) {
      const [a, b] = [Math.floor(e / m), e % m];
      moments[e] += ((ours[i * m + a] - centre[a]) * (ours[i * m + b] - centre[b])) / n;
    }
  const { values, vectors } = leadingEigenvectors(moments, m, m);
  const count = values.filter((value) => value > leastShare * values[0]).length;
  return {
    dimensions,
    moments: Array.from(values),
    directions: Array.from({ length: count }, (_, c) => Array.from(vectors.subarray(c * m, (c + 1) * m))),
  };
}

/** Some items' codes in some dimensions, row by row. */
export function codesAlong(
  { codes }: EncodedSet,
  dimensions: SalientDirections['dimensions'],
  items: Uint32Array,
): Float64Array {
  const places = dimensions.map(
    ({ block, index }) => (codes.blocks.find(({ name }) => name === block)?.start ?? 0) + index,
  );
  const out = new Float64Array(items.length * places.length);
  for (let i = 0; i < items.length; i++)
    for (const [k, place] of places.entries()) out[i * places.length + k] = codes.values[items[i] * codes.d + place];
  return out;
}

function meanOf(rows: Float64Array, width: number, column: number): number {
  let sum = 0;
  for (let e = column; e < rows.length; e += width) sum += rows[e];
  return sum / (rows.length / width);
}
