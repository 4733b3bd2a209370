/** Which items and which of their numbers the linear models of a contrast look at, and which of these are there. */
import type { Points } from '../analysis/index.ts';
import { type Dataset, fieldsOf, tableTransformation } from '../data/index.ts';
import { itemSize } from '../model/index.ts';

const mostItems = 4000;
const mostNumbers = 1e7;

/** Items of a set, evenly over it; of large items fewer. */
export function evenly({ length, shape }: Dataset, most = mostItems): Uint32Array {
  const n = Math.min(length, Math.max(2, Math.min(most, Math.floor(mostNumbers / itemSize(shape)))));
  return Uint32Array.from({ length: n }, (_, i) => Math.floor((i * length) / n));
}

/**
 * The numbers of an item that are looked at; undefined for all. One level of each category follows from the others, so the most
 * frequent one is left out.
 */
export function lookedAt(data: Dataset): Uint32Array | undefined {
  const columns = tableTransformation(data)?.columns;
  if (columns === undefined || columns.every(({ kind }) => kind === 'number')) return undefined;
  const kept = columns.flatMap((column) =>
    column.kind === 'number' ? [true] : column.categories.map((category) => category !== column.fill),
  );
  return Uint32Array.from(kept.keys()).filter((at) => kept[at]);
}

/** The names of the columns that are looked at. */
export function named(names: readonly string[], columns: Uint32Array | undefined): readonly string[] {
  return columns === undefined ? names : Array.from(columns, (at) => names[at]);
}

/** Items as points of the columns that are looked at. */
export function itemPoints(data: Dataset, items: Uint32Array, columns: Uint32Array | undefined) {
  const x = data.gather(items);
  const [n, size] = [items.length, itemSize(data.shape)];
  if (columns === undefined) return { x, n, d: size };
  const d = columns.length;
  return { x: Float32Array.from({ length: n * d }, (_, e) => x[Math.floor(e / d) * size + columns[e % d]]), n, d };
}

/** The same with NaN in place of numbers that a table lacks and the dataset has filled in. */
export function pointsWithGaps(
  data: Dataset,
  items: Uint32Array,
  columns: Uint32Array | undefined,
): Points & { gaps: number } {
  const points = itemPoints(data, items, columns);
  const x = Float64Array.from(points.x);
  const transformation = tableTransformation(data);
  if (transformation === undefined) return { ...points, x, gaps: 0 };
  const fields = fieldsOf(data);
  let at = 0;
  let gaps = 0;
  for (const column of transformation.columns) {
    const width = column.kind === 'number' ? 1 : column.categories.length;
    const places = Array.from({ length: width }, (_, k) => at + k)
      .map((place) => (columns === undefined ? place : columns.indexOf(place)))
      .filter((place) => place >= 0);
    at += width;
    const field = fields.find(({ name }) => name === column.name);
    if (field === undefined) continue;
    for (let i = 0; i < items.length; i++) {
      const value = field.at(items[i]);
      if (field.kind === 'number' ? !Number.isNaN(value) : value >= 0) continue;
      gaps++;
      for (const place of places) x[i * points.d + place] = Number.NaN;
    }
  }
  return { ...points, x, gaps };
}
