/**
 * What is known of a dataset's items by name: its labels, its factors, and the columns of the table that it came from. This
 * is what a condition may ask about.
 */
import type { Dataset } from './dataset.ts';
import { subset } from './split.ts';

export type Field = NumberField | TextField;

export interface NumberField {
  kind: 'number';
  name: string;
  /** The value of an item; not a number where it is missing. */
  at(item: number): number;
  /** Set where values are floats of single precision, with which a condition's number must be compared as such. */
  single?: boolean;
}

export interface TextField {
  kind: 'text';
  name: string;
  categories: readonly string[];
  /** The index of an item's category; −1 where it is missing. */
  at(item: number): number;
}

/** Columns beyond labels and factors. They are kept apart from the dataset's own properties, as these survive copying. */
const columns = new WeakMap<Dataset, readonly Field[]>();

/** Remembers columns of a dataset, and gives it back. */
export function withFields<D extends Dataset>(data: D, fields: readonly Field[]): D {
  columns.set(data, fields);
  return data;
}

/** A dataset with more that is known of it, and the columns that it had. */
export function extended(data: Dataset, more: Partial<Dataset>): Dataset {
  const known = columns.get(data);
  return known ? withFields({ ...data, ...more }, known) : { ...data, ...more };
}

/** All fields of a dataset. A column goes before a factor, and a factor before the label, that has the same name. */
export function fieldsOf(data: Dataset): Field[] {
  const fields = [...(columns.get(data) ?? []), ...factorFields(data)];
  const { labels } = data;
  if (labels) fields.push({ kind: 'text', name: 'label', categories: labels.names, at: (item) => labels.values[item] });
  const seen = new Set<string>();
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** A subset that knows the columns of its items. */
export function subsetWithFields(data: Dataset, indices: Uint32Array, name?: string): Dataset {
  const known = columns.get(data);
  const chosen = subset(data, indices, name);
  if (!known) return chosen;
  return withFields(
    chosen,
    known.map((field) => ({ ...field, at: (item: number) => field.at(indices[item]) })),
  );
}

function factorFields({ factors: known }: Dataset): Field[] {
  if (!known) return [];
  const { factors, values } = known;
  return factors.map(({ name }, k) => ({
    kind: 'number',
    name,
    single: true,
    at: (item) => values[item * factors.length + k],
  }));
}
