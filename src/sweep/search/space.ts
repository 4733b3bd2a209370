/**
 * The space that a sweep searches: for each setting its choices or an interval. A point of the unit cube becomes a setting of
 * every dimension, so that any sequence of points in the cube is a search.
 */
import { z } from 'zod';
import { UntangleError } from '../../errors.ts';

const interval = z
  .tuple([z.number(), z.number()])
  .refine(([low, high]) => low < high, 'Invalid input: expected [low, high] with low below high');
const levels = z.int().min(2).optional();

/** A setting's values: a list, or `integers`, `range` or `log` with two ends; `levels` is how many of them a grid takes. */
export const dimensionSchema = z.union([
  z.array(z.union([z.number(), z.string(), z.boolean()])).min(1),
  z.strictObject({
    integers: interval.refine((ends) => ends.every(Number.isInteger), 'expected two integers'),
    levels,
  }),
  z.strictObject({ range: interval, levels }),
  z.strictObject({ log: interval.refine(([low]) => low > 0, 'a logarithmic interval begins above zero'), levels }),
]);
export type SearchDimension = z.infer<typeof dimensionSchema>;
export type Value = number | string | boolean;

/** Settings by name, in the order of their names. */
export type Point = Readonly<Record<string, Value>>;
export type Space = Readonly<Record<string, SearchDimension>>;

/** Drawn numbers keep this many digits, so that a trial's command can be read. */
const digits = 4;

/**
 * The setting at a place in [0, 1) of a dimension.
 *
 * @example valueAt({ log: [1e-4, 1e-2] }, 0.5) // 0.001
 */
export function settingAt(dimension: SearchDimension, place: number): Value {
  if (Array.isArray(dimension)) return dimension[Math.floor(place * dimension.length)];
  if ('integers' in dimension) {
    const [low, high] = dimension.integers;
    return low + Math.floor(place * (high - low + 1));
  }
  if ('range' in dimension) {
    const [low, high] = dimension.range;
    return rounded(low + place * (high - low));
  }
  const [low, high] = dimension.log;
  return rounded(low * (high / low) ** place);
}

/** All values that a grid takes of a dimension. */
export function gridValues(name: string, dimension: SearchDimension): Value[] {
  if (Array.isArray(dimension)) return dimension;
  if ('integers' in dimension && dimension.levels === undefined) {
    const [low, high] = dimension.integers;
    return Array.from({ length: high - low + 1 }, (_, i) => low + i);
  }
  const { levels: count } = dimension;
  if (count === undefined)
    throw new UntangleError(`A grid can't take all of “${name}”, which is an interval.`, {
      kind: 'call',
      hint: `Say how many, as in { ${Object.keys(dimension)[0]}: […], levels: 5 }, list the values, or search with sobol.`,
    });
  const all = Array.from({ length: count }, (_, i) => between(dimension, i / (count - 1)));
  return [...new Set(all)];
}

/** A value from the lower end (0) to the upper end (1), both taken. */
function between(dimension: Exclude<SearchDimension, Value[]>, share: number): number {
  if ('integers' in dimension) {
    const [low, high] = dimension.integers;
    return Math.round(low + share * (high - low));
  }
  if ('range' in dimension) return rounded(dimension.range[0] + share * (dimension.range[1] - dimension.range[0]));
  return rounded(dimension.log[0] * (dimension.log[1] / dimension.log[0]) ** share);
}

const rounded = (value: number) => Number(value.toPrecision(digits));
