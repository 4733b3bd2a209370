/** Where a program's parameters live: one flat array, with each parameter a view of it. */
import { UntangleError } from '../errors.ts';
import { type Shape, showShape, sizeOf } from '../tensor/index.ts';

/** A parameter with its values at the start. */
export interface ParameterSpec {
  name: string;
  shape: Shape;
  initial: Float32Array;
}

export interface Place {
  offset: number;
  size: number;
  shape: readonly number[];
}

/** The place of each parameter in the flat array. */
export type Layout = ReadonlyMap<string, Place>;

/** Lays parameters out one after the other, in the given order. */
export function layOutParameters(parameters: readonly { name: string; shape: Shape }[]): {
  layout: Layout;
  size: number;
} {
  const layout = new Map<string, Place>();
  let offset = 0;
  for (const { name, shape } of parameters) {
    if (layout.has(name)) throw new UntangleError(`Two parameters are called “${name}”.`);
    const size = sizeOf(shape);
    layout.set(name, { offset, size, shape: shape.map(Number) });
    offset += size;
  }
  return { layout, size: offset };
}

/** Copies named values into the flat array, after checking that all are there and fit. */
export function fill(
  flat: Float32Array,
  layout: Layout,
  values: ReadonlyMap<string, Float32Array>,
  what: string,
): void {
  for (const [name, place] of layout) {
    const given = values.get(name);
    if (given === undefined) throw new UntangleError(`${what} lack the values of “${name}”.`);
    if (given.length !== place.size) {
      throw new UntangleError(
        `${what} hold ${given.length} values for “${name}”, which has shape ${showShape(place.shape)}.`,
      );
    }
  }
  for (const name of values.keys()) {
    if (!layout.has(name)) throw new UntangleError(`${what} hold “${name}”, which this model does not have.`);
  }
  for (const [name, place] of layout) flat.set(values.get(name)!, place.offset);
}

/** A run of neighbouring numbers in the flat array. */
export interface Segment {
  start: number;
  end: number;
}

/** The runs that some parameters take in the flat array, in the parameters' order; neighbours are merged. */
export function segmentsOf(names: readonly string[], layout: Layout): Segment[] {
  const segments: Segment[] = [];
  for (const name of names) {
    const place = layout.get(name)!;
    const last = segments.at(-1);
    if (last !== undefined && last.end === place.offset) last.end += place.size;
    else segments.push({ start: place.offset, end: place.offset + place.size });
  }
  return segments;
}

/** The part of a list of runs that lies between two places of their concatenation. */
export function cutSegments(segments: readonly Segment[], from: number, to: number): Segment[] {
  const cut: Segment[] = [];
  let place = 0;
  for (const { start, end } of segments) {
    const size = end - start;
    const low = Math.max(from, place);
    const high = Math.min(to, place + size);
    if (low < high) cut.push({ start: start + low - place, end: start + high - place });
    place += size;
  }
  return cut;
}
