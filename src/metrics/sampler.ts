/**
 * Draws codes of random items, with one factor fixed where a protocol asks for it (Z-diff, FactorVAE score). The ordinary
 * sampler draws rows of a table of codes and factors, so that incomplete factor grids and anybody's codes will do.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import type { CodeTable, ScoreContext, Supplied } from './metric.ts';
import { type ClassColumn, classColumns } from './rows.ts';

export interface Sampler {
  /** How many dimensions a code has. */
  readonly d: number;
  /** The factors that can be held fixed. */
  readonly factors: readonly string[];
  /** Draws a whole number in 0 … n−1: the factor to fix. */
  integer(n: number): number;
  /** Writes the codes of `count` random items into `out`, row by row. */
  random(count: number, out: Float64Array): void;
  /** Writes the codes of `count` random items that all have the same random value of factor `k` into `out`. */
  fixed(k: number, count: number, out: Float64Array): void;
  /** Writes `count` pairs of codes; the two of a pair share their value of factor `k`. */
  pairs(k: number, count: number, first: Float64Array, second: Float64Array): void;
}

/** The sampler that the inputs bring, or one over their table. Notes tell which factors it leaves out. */
export function samplerOf(
  inputs: Supplied<'codes' | 'factors'>,
  bins: number,
  context: ScoreContext,
  notes: string[],
): Sampler {
  const sampler =
    inputs.sampler ?? tableSampler(inputs.codes, classColumns(inputs.factors, bins, notes), context, notes);
  if (sampler.factors.length < 2)
    throw new UntangleError('This score tells factors apart, so it needs at least two factors that vary.', {
      hint: 'A factor takes part if it has two values or more, each on two rows or more.',
    });
  return sampler;
}

/**
 * Draws rows of a table with replacement. The value to fix is that of a random row, so each value comes as often as the
 * table has it; the rows are then drawn among all that share it. A value on a single row is never fixed: its group would
 * not vary in any dimension.
 */
export function tableSampler(
  codes: CodeTable,
  factors: ClassColumn[],
  context: ScoreContext,
  notes: string[] = [],
): Sampler {
  const { values, d, n } = codes;
  const groups = factors.map((factor) => groupRows(factor, notes)).filter(({ rows }) => rows.length > 0);
  const source = stream(context.seed, 'table sampler');

  const copy = (row: number, out: Float64Array, at: number) => {
    for (let j = 0, from = row * d, to = at * d; j < d; j++) out[to + j] = values[from + j];
  };

  return {
    d,
    factors: groups.map(({ name }) => name),
    integer: source.integer,
    random(count, out) {
      for (let i = 0; i < count; i++) copy(source.integer(n), out, i);
    },
    fixed(k, count, out) {
      const { rows, starts, valueAt } = groups[k];
      const value = valueAt[source.integer(rows.length)];
      const start = starts[value];
      const size = starts[value + 1] - start;
      for (let i = 0; i < count; i++) copy(rows[start + source.integer(size)], out, i);
    },
    pairs(k, count, first, second) {
      const { rows, starts, valueAt } = groups[k];
      for (let i = 0; i < count; i++) {
        const place = source.integer(rows.length);
        const start = starts[valueAt[place]];
        copy(rows[place], first, i);
        copy(rows[start + source.integer(starts[valueAt[place] + 1] - start)], second, i);
      }
    },
  };
}

/** Rows sorted by a factor's value: those of value v are `rows[starts[v]]` … `rows[starts[v + 1] − 1]`. */
interface RowGroups {
  name: string;
  rows: Uint32Array;
  starts: Uint32Array;
  /** The value at each place of `rows`. */
  valueAt: Uint32Array;
}

function groupRows(factor: ClassColumn, notes: string[]): RowGroups {
  const counts = new Uint32Array(factor.size);
  for (const value of factor.values) counts[value]++;
  const single = counts.filter((count) => count === 1).length;
  if (single > 0)
    notes.push(
      `${single} of ${factor.size} values of factor “${factor.name}” are on one row only and are never fixed.`,
    );
  const starts = new Uint32Array(factor.size + 1);
  for (let v = 0; v < factor.size; v++) starts[v + 1] = starts[v] + (counts[v] > 1 ? counts[v] : 0);
  const rows = new Uint32Array(starts[factor.size]);
  const valueAt = new Uint32Array(rows.length);
  const next = starts.slice();
  for (let i = 0; i < factor.values.length; i++) {
    const value = factor.values[i];
    if (counts[value] < 2) continue;
    valueAt[next[value]] = value;
    rows[next[value]++] = i;
  }
  return { name: factor.name, rows, starts, valueAt };
}
