/**
 * Covariates: columns whose part in the data is known, such as age, sex or batch. A model is told them of each item, so that what
 * they explain is not looked for in the codes. Numbers are standardised over both piles, categories are one-hot.
 */
import { z } from 'zod';
import { UntangleError, unknownName } from '../errors.ts';
import { type Covariate, covariateRows, covariatesSize } from '../model/index.ts';
import type { Dataset, Opened } from './dataset.ts';
import { extended, type Field, fieldsOf } from './fields.ts';

/** The covariates of every item. */
export interface Given {
  covariates: readonly Covariate[];
  /** A row for each item: a number, or a place for each category, of each covariate. */
  values: Float32Array;
}

export const covariateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('number'), name: z.string(), mean: z.number(), deviation: z.number().positive() }),
  z.object({
    kind: z.literal('category'),
    name: z.string(),
    categories: z.array(z.string()).min(2),
    shares: z.array(z.number()),
  }),
]) satisfies z.ZodType<Covariate>;

/** More categories than this are rather the names of items. */
const mostCategories = 100;

/** The data with the covariates of those names, and sentences on what is odd about them. */
export function withGiven(opened: Opened, names: readonly string[]): { opened: Opened; warnings: string[] } {
  if (names.length === 0) return { opened, warnings: [] };
  const sets = opened.kind === 'single' ? [opened.data] : [opened.target, opened.background];
  const warnings: string[] = [];
  const covariates = [...new Set(names)].flatMap((name) => {
    const columns = sets.map((data) => ({ field: fieldOf(data, name), n: data.length }));
    const found = fitted(name, columns);
    if (typeof found === 'string') {
      warnings.push(found);
      return [];
    }
    const [target, background] = columns;
    if (background && areApart(target, background))
      warnings.push(
        `No value of ${name} is in both piles, so what the target adds can’t be told from what goes with ${name}: given ${name}, a model has nothing left to find.`,
      );
    return [found];
  });
  if (covariates.length === 0) return { opened, warnings };
  const told = sets.map((data) => givenAs(data, covariates));
  return {
    opened:
      opened.kind === 'single'
        ? { kind: 'single', data: told[0] }
        : { kind: 'contrast', target: told[0], background: told[1] },
    warnings,
  };
}

/** A set with covariates as a model was given them. A value that is missing, or was never seen, is taken for a usual one. */
export function givenAs(data: Dataset, covariates: readonly Covariate[]): Dataset {
  const width = covariatesSize(covariates);
  const values = new Float32Array(data.length * width);
  let at = 0;
  for (const one of covariates) {
    const field = fieldOf(data, one.name);
    for (let item = 0; item < data.length; item++) {
      const place = item * width + at;
      if (one.kind === 'number') {
        const value = numberAt(field, item);
        values[place] = Number.isNaN(value) ? 0 : (value - one.mean) / one.deviation;
      } else {
        const k = one.categories.indexOf(textAt(field, item) ?? '');
        if (k < 0) values.set(one.shares, place);
        else values[place + k] = 1;
      }
    }
    at += one.kind === 'number' ? 1 : one.categories.length;
  }
  return extended(data, { given: { covariates, values } });
}

/** The covariates of some items of a set. */
export function takenGiven({ covariates, values }: Given, items: ArrayLike<number>): Given {
  return { covariates, values: covariateRows(values, covariates, items) };
}

interface Column {
  field: Field;
  n: number;
}

/** The covariate of a column in all sets, or why it can't be one. */
function fitted(name: string, columns: readonly Column[]): Covariate | string {
  if (columns.every(({ field }) => field.kind === 'number')) {
    const known = columns.flatMap(({ field, n }) => Array.from({ length: n }, (_, item) => numberAt(field, item)));
    const values = known.filter((value) => !Number.isNaN(value));
    if (values.length === 0) return `${name} is missing in every item, so there is nothing to be given.`;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return deviation > 1e-12 * Math.abs(mean) ? { kind: 'number', name, mean, deviation } : isConstant(name);
  }
  const counts = new Map<string, number>();
  for (const { field, n } of columns)
    for (let item = 0; item < n; item++) {
      const text = textAt(field, item);
      if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  if (counts.size === 0) return `${name} is missing in every item, so there is nothing to be given.`;
  if (counts.size === 1) return isConstant(name);
  if (counts.size > mostCategories)
    throw new UntangleError(`${name} has ${counts.size} different texts, too many to be given.`, {
      kind: 'call',
      hint: 'Covariates are numbers, or categories that many items share. Is it rather what --group means?',
    });
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const categories = [...counts.keys()].toSorted();
  return { kind: 'category', name, categories, shares: categories.map((text) => (counts.get(text) ?? 0) / total) };
}

const isConstant = (name: string) => `${name} is the same in every item, so it explains nothing and is not given.`;

/** Whether no item of one set could be one of the other by this column. */
function areApart(one: Column, other: Column): boolean {
  if (one.field.kind === 'number' && other.field.kind === 'number') {
    const [a, b] = [one, other].map(({ field, n }) => {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let item = 0; item < n; item++) {
        const value = numberAt(field, item);
        if (Number.isNaN(value)) continue;
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      return { least, most };
    });
    return a.most < b.least || b.most < a.least;
  }
  const texts = ({ field, n }: Column) =>
    new Set(Array.from({ length: n }, (_, item) => textAt(field, item)).filter((text) => text !== undefined));
  const known = texts(one);
  return ![...texts(other)].some((text) => known.has(text));
}

function fieldOf(data: Dataset, name: string): Field {
  const fields = fieldsOf(data);
  const found =
    fields.find((field) => field.name === name) ??
    fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  if (fields.length > 0)
    throw unknownName(
      `column of ${data.name}`,
      name,
      fields.map((field) => field.name),
    );
  throw new UntangleError(`Nothing is known of the items of ${data.name}, so “${name}” can’t be given.`, {
    kind: 'call',
  });
}

function numberAt(field: Field, item: number): number {
  return field.kind === 'number' ? field.at(item) : Number.NaN;
}

function textAt(field: Field, item: number): string | undefined {
  const value = field.at(item);
  if (field.kind === 'text') return field.categories[value];
  return Number.isNaN(value) ? undefined : String(value);
}
