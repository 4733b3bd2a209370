/**
 * A first look at a table: of every column its kind, what is missing, its range and its distribution, and what a model would be
 * given of it.
 */
import type { Dataset } from '../dataset.ts';
import { type Field, fieldsOf } from '../fields.ts';
import { reasons, type Transformation } from './transformation.ts';

export interface ColumnLook {
  name: string;
  kind: 'number' | 'text';
  missing: number;
  /** How many different values there are. */
  distinct: number;
  /** Of numbers; absent where all are missing. */
  range?: { min: number; median: number; mean: number; max: number };
  /** Numbers in equal bins between their least and largest. */
  bins?: number[];
  /** Texts by how often they come, the most frequent ones first. */
  categories?: { name: string; count: number }[];
  /** What a model is given of it, or why nothing. */
  use: string;
}

const binCount = 16;
const mostCategories = 12;

/** Every column of a dataset that is a table; of an array without columns, its numbers. */
export function lookAtTable(data: Dataset): ColumnLook[] {
  const fields = fieldsOf(data);
  const transformation = transformationOf(data);
  const known =
    transformation === undefined ? [...numbersOf(data), ...fields] : fields.filter(isColumn(transformation));
  return known.map((field) => {
    const use = transformation === undefined ? '' : useOf(field.name, transformation);
    return { ...(field.kind === 'number' ? numberLook(field, data.length) : textLook(field, data.length)), use };
  });
}

/** The usual field “label” stands for a column that is there by its own name. */
const isColumn = ({ columns, left }: Transformation) => {
  const names = new Set([...columns, ...left].map(({ name }) => name));
  return ({ name }: Field) => names.has(name);
};

function transformationOf(data: Dataset & { transformation?: Transformation }): Transformation | undefined {
  return data.transformation;
}

/** The encoded numbers themselves, where no names of columns are known. */
function numbersOf(data: Dataset): Field[] {
  if (data.shape.kind !== 'table') return [];
  const width = data.shape.columns.length;
  const values = data.gather(Uint32Array.from({ length: data.length }, (_, item) => item));
  return data.shape.columns.map((name, k) => ({ kind: 'number', name, at: (item) => values[item * width + k] }));
}

function numberLook({ name, at }: Field & { kind: 'number' }, n: number): Omit<ColumnLook, 'use'> {
  const values = Float64Array.from({ length: n }, (_, item) => at(item)).filter((value) => !Number.isNaN(value));
  const look = { name, kind: 'number' as const, missing: n - values.length, distinct: new Set(values).size };
  if (values.length === 0) return look;
  values.sort();
  const [min, max] = [values[0], values[values.length - 1]];
  const bins = new Array<number>(binCount).fill(0);
  let sum = 0;
  for (const value of values) {
    sum += value;
    bins[max > min ? Math.min(binCount - 1, Math.floor(((value - min) / (max - min)) * binCount)) : 0]++;
  }
  const middle = values.length >> 1;
  const median = values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return { ...look, range: { min, median, mean: sum / values.length, max }, bins };
}

function textLook({ name, categories, at }: Field & { kind: 'text' }, n: number): Omit<ColumnLook, 'use'> {
  const counts = new Array<number>(categories.length).fill(0);
  let missing = 0;
  for (let item = 0; item < n; item++) {
    const code = at(item);
    if (code < 0) missing++;
    else counts[code]++;
  }
  const found = categories
    .map((category, k) => ({ name: category, count: counts[k] }))
    .filter(({ count }) => count > 0);
  found.sort((a, b) => b.count - a.count);
  return { name, kind: 'text', missing, distinct: found.length, categories: found.slice(0, mostCategories) };
}

function useOf(name: string, { columns, left }: Transformation): string {
  const column = columns.find((one) => one.name === name);
  if (column?.kind === 'number') return 'standardised';
  if (column) return `${column.categories.length} columns, one of them 1`;
  const why = left.find((one) => one.name === name)?.why;
  if (why === undefined) return '';
  if (why === 'label') return 'the class, which the model does not see';
  return why === 'excluded' ? 'known, and not seen by the model' : `left out: ${reasons[why]}`;
}
