/**
 * What a factor of a table does, in the columns' own units: real background rows are decoded with the factor at a low and at a
 * high value of the target's, everything else of their codes held.
 */
import { percentile } from '../analysis/index.ts';
import { decodeRows, type Transformation } from '../data/index.ts';
import { barChart, type Drawing, percent, readable } from '../drawing/index.ts';
import { withValue } from '../model/index.ts';
import { codesOf, transformationOf } from '../pictures/index.ts';
import type { TrainedModel } from '../use/index.ts';
import type { EncodedSet } from './encoded.ts';
import type { SalientFactor } from './factors.ts';

/** A column as a factor moves it, on average over real background rows. */
export interface MovedColumn {
  column: string;
  /** The mean of a number, or the share of rows that have `category`. */
  from: number;
  to: number;
  /** The category that becomes most more or less frequent. */
  category?: string;
  /** The change in standard deviations of the column, or of a category's share in probability. */
  effect: number;
}

export interface FactorColumns {
  block: string;
  index: number;
  /** The codes between which it moves: the 5 % and 95 % quantiles of held-out target items. */
  low: number;
  high: number;
  /** Sorted by the size of the effect. */
  columns: MovedColumn[];
}

const mostRows = 200;

/** The columns that each factor moves. Undefined for a model of images. */
export async function columnsMoved(
  model: TrainedModel,
  target: EncodedSet,
  background: EncodedSet,
  factors: readonly SalientFactor[],
): Promise<FactorColumns[] | undefined> {
  if (model.file.data.shape.kind === 'image') return undefined;
  const transformation = transformationOf(model);
  const rows = background.data.gather(background.heldOut.subarray(0, mostRows));
  const base = await codesOf(model, rows, 'background');
  const found: FactorColumns[] = [];
  for (const { block, index } of factors) {
    const { start, size } = target.codes.blocks.find(({ name }) => name === block) ?? { start: 0, size: 1 };
    const values = Array.from(target.heldOut, (item) => target.codes.values[item * target.codes.d + start + index]);
    const [low, high] = [percentile(values, 5), percentile(values, 95)];
    const at = async (value: number) => await model.decode(withValue(base, { name: block, size }, index, value));
    const columns = changes(transformation, await at(low), await at(high));
    found.push({ block, index, low, high, columns });
  }
  return found;
}

export const columnsAbout =
  'Real background rows are decoded with a factor at a low and at a high value of the target’s; all else of them is held. Bars are in standard deviations, so that columns can be compared; the numbers beside the names are means in the column’s own units.';

/** The columns that a factor moves most, as bars. */
export function drawColumns({ block, index, columns }: FactorColumns, most = 15): Drawing {
  const shown = columns.slice(0, most);
  return barChart({
    groups: [
      {
        name: `${block} ${index}`,
        bars: shown.map(({ column, category, from, to, effect }) => ({
          label:
            category === undefined
              ? `${column}: ${readable(from)} → ${readable(to)}`
              : `${column} = ${category}: ${percent(from)} → ${percent(to)}`,
          value: effect,
        })),
      },
    ],
    value: { label: 'change', unit: 'standard deviations of the column' },
    title: `${block} ${index}: what it moves`,
    caption: `From a low to a high value of ${block} ${index} (5 % and 95 % of the target’s) on real background rows${columns.length > most ? `; ${most} of ${columns.length} columns` : ''}.`,
  });
}

/** Mean columns before and after, the largest effects first. */
export function changes(transformation: Transformation, before: Float32Array, after: Float32Array): MovedColumn[] {
  const [first, second] = [before, after].map((rows) => decodeRows(transformation, rows));
  const width = before.length / first.length;
  let next = 0;
  const columns = transformation.columns.map((column): MovedColumn => {
    const at = next;
    if (column.kind === 'number') {
      next += 1;
      const mean = (rows: typeof first) => rows.reduce((sum, row) => sum + Number(row[column.name]), 0) / rows.length;
      const [from, to] = [mean(first), mean(second)];
      return { column: column.name, from, to, effect: (to - from) / column.deviation };
    }
    next += column.categories.length;
    const shares = column.categories.map((category, k) => {
      const share = (rows: Float32Array) => {
        let sum = 0;
        for (let i = at + k; i < rows.length; i += width) sum += rows[i];
        return (sum * width) / rows.length;
      };
      const [from, to] = [share(before), share(after)];
      return { column: column.name, category, from, to, effect: to - from };
    });
    return shares.reduce((most, one) => (Math.abs(one.effect) > Math.abs(most.effect) ? one : most));
  });
  return columns.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
}
