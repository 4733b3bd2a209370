/**
 * What the factors of a table do, in the columns' own units: how far each moves every column by the data themselves, which of that
 * is more than chance, and how much of it the decoder shows when real background rows are decoded with the factor low and high.
 */
import { percentile } from '../analysis/index.ts';
import type { Transformation } from '../data/index.ts';
import { barChart, type Drawing, htmlParagraph, htmlTable, percent, readable } from '../drawing/index.ts';
import type { Codes } from '../model/index.ts';
import { codesOf, transformationOf } from '../pictures/index.ts';
import type { TrainedModel } from '../use/index.ts';
import type { SalientDirections } from './directions.ts';
import { type FactorEffects, factorEffects, ratesOf } from './effects.ts';
import type { EncodedSet } from './encoded.ts';

/** A column as a factor moves it from low to high. */
export interface MovedColumn {
  column: string;
  /** The category that becomes most more or less frequent. */
  category?: string;
  /** The mean of a number, or the share of rows that have `category`. */
  from: number;
  to: number;
  /** The change in standard deviations of the column, or of a category's share in probability, with its 95 % interval. */
  effect: number;
  interval: [number, number];
  /** The same as the decoder shows it. */
  decoded: number;
  /** The rate of false discoveries among columns that move at least as surely. */
  rate: number;
  found: boolean;
  /** The 5 %, 50 % and 95 % quantiles of the column in held-out rows of either set; not for categories. */
  quantiles?: { target: number[]; background: number[] };
}

export interface FactorColumns {
  name: string;
  /** The weights of the salient dimensions, for a score of 1 in a usual target item. */
  weights: { block: string; index: number; weight: number }[];
  /** The scores between which it moves: 5 % and 95 % quantiles of the target's items, and the neutral 0 if it is not between. */
  low: number;
  high: number;
  /** The share of the effects that the decoder shows; undefined where no column moves. */
  shown: number | undefined;
  /** Those that were found first, then by the size of the effect. */
  columns: MovedColumn[];
}

const mostRows = 200;
/** Columns whose rate of false discoveries is at most this are found. */
const falseDiscoveries = 0.05;

/** The columns that each factor moves. Undefined for a model of images. */
export async function columnsMoved(
  model: TrainedModel,
  target: EncodedSet,
  background: EncodedSet,
  directions: SalientDirections,
): Promise<FactorColumns[] | undefined> {
  if (model.file.data.shape.kind === 'image') return undefined;
  const transformation = transformationOf(model);
  const rows = background.data.gather(background.heldOut.subarray(0, mostRows));
  const base = await codesOf(model, rows, 'background');
  const quantiles = [target, background].map((set) => quantilesOf(set, transformation));
  const found: FactorColumns[] = [];
  for (const [f, effects] of factorEffects(target, background, directions).entries()) {
    const moved = async (score: number) => await model.decode(withScore(base, directions, effects, score, model));
    const [low, high] = [await moved(effects.low), await moved(effects.high)];
    const columns = changes(transformation, effects, { rows, low, high }).map((one) => ({
      ...one,
      quantiles:
        one.category === undefined
          ? { target: quantiles[0][one.column], background: quantiles[1][one.column] }
          : undefined,
    }));
    const sure = columns.filter((one) => one.found);
    const squares = sure.reduce((sum, { effect }) => sum + effect ** 2, 0);
    found.push({
      name: `factor ${f + 1}`,
      weights: directions.dimensions.map((one, m) => ({ ...one, weight: effects.weights[m] })),
      low: effects.low,
      high: effects.high,
      shown: squares > 0 ? sure.reduce((sum, { effect, decoded }) => sum + effect * decoded, 0) / squares : undefined,
      columns,
    });
  }
  return found;
}

/** Every column with its effect, those that were found first and the larger ones before the smaller. */
export function changes(
  transformation: Transformation,
  { slopes, errors, pValues, low, high }: Pick<FactorEffects, 'slopes' | 'errors' | 'pValues' | 'low' | 'high'>,
  decoded: { rows: Float32Array; low: Float32Array; high: Float32Array },
): MovedColumn[] {
  const width = slopes.length;
  const mean = (rows: Float32Array, at: number) => {
    let sum = 0;
    for (let i = at; i < rows.length; i += width) sum += rows[i];
    return (sum * width) / rows.length;
  };
  let next = 0;
  const chosen = transformation.columns.map((column) => {
    const first = next;
    const count = column.kind === 'number' ? 1 : column.categories.length;
    next += count;
    const places = Array.from({ length: count }, (_, k) => first + k);
    // Of a category's levels the one that moves most surely.
    const at = places.reduce((best, one) => (pValues[one] < pValues[best] ? one : best));
    return { column, at, pValue: pValues[at], among: count, level: at - first };
  });
  const rates = ratesOf(chosen);
  return chosen
    .map(({ column, at, level }, i): MovedColumn => {
      const reach = high - low;
      const half = 1.96 * errors[at] * reach;
      const effect = slopes[at] * reach;
      const middle = mean(decoded.rows, at);
      const [from, to] = [low, high].map((score) => middle + slopes[at] * score);
      const own = (value: number) => (column.kind === 'number' ? column.mean + column.deviation * value : value);
      return {
        column: column.name,
        category: column.kind === 'category' ? column.categories[level] : undefined,
        from: own(from),
        to: own(to),
        effect,
        interval: [effect - half, effect + half],
        decoded: mean(decoded.high, at) - mean(decoded.low, at),
        rate: rates[i],
        found: rates[i] <= falseDiscoveries,
      };
    })
    .sort((a, b) => Number(b.found) - Number(a.found) || Math.abs(b.effect) - Math.abs(a.effect));
}

/** Codes with all salient dimensions moved together, to where items of that score have them. */
function withScore(
  base: Codes,
  { dimensions, directions }: SalientDirections,
  { weights }: FactorEffects,
  score: number,
  model: TrainedModel,
): Codes {
  const codes = Object.fromEntries(Object.entries(base).map(([name, values]) => [name, values.slice()]));
  // The score is weights · codes: the shortest way to a score inside the directions is along their own part of the weights.
  const along = dimensions.map((_, m) =>
    directions.reduce((sum, one) => sum + one[m] * one.reduce((dot, value, k) => dot + value * weights[k], 0), 0),
  );
  const square = along.reduce((sum, value, m) => sum + value * weights[m], 0);
  for (const [m, { block, index }] of dimensions.entries()) {
    const size = model.file.blocks.find(({ name }) => name === block)?.size ?? 1;
    const by = square > 0 ? (score * along[m]) / square : 0;
    for (let i = index; i < codes[block].length; i += size) codes[block][i] += by;
  }
  return codes;
}

function quantilesOf({ data, heldOut }: EncodedSet, { columns }: Transformation): Record<string, number[]> {
  const rows = data.gather(heldOut);
  const width = rows.length / heldOut.length;
  const found: Record<string, number[]> = {};
  let at = 0;
  for (const column of columns) {
    if (column.kind === 'number') {
      const values = Array.from(heldOut, (_, i) => rows[i * width + at] * column.deviation + column.mean);
      found[column.name] = [5, 50, 95].map((quantile) => percentile(values, quantile));
    }
    at += column.kind === 'number' ? 1 : column.categories.length;
  }
  return found;
}

const mostListed = 20;

export function columnsChapter(factors: readonly FactorColumns[], pictures: readonly string[]): string[] {
  return [
    htmlParagraph(
      'How far each column moves from a low to a high value of a factor (the 5 % and 95 % quantiles of the target’s items, and the neutral value if it is not between), by what rows of the target add to those of the background; the decoder has no part in it. Columns are named whose rate of false discoveries in held-out rows is at most 5 %. Bars are in standard deviations, so that columns can be compared.',
    ),
    ...factors.flatMap((factor, f) => {
      const found = factor.columns.filter((one) => one.found);
      const rows = found
        .slice(0, mostListed)
        .map(({ column, category, from, to, effect, interval, decoded, rate, quantiles }) => [
          category === undefined ? column : `${column} = ${category}`,
          category === undefined ? `${readable(from)} → ${readable(to)}` : `${percent(from)} → ${percent(to)}`,
          `${effect.toFixed(2)} (${interval.map((end) => end.toFixed(2)).join(' to ')})`,
          rate < 0.001 ? 'below 0.001' : rate.toFixed(3),
          decoded.toFixed(2),
          quantiles ? quantiles.target.map(readable).join(', ') : '',
          quantiles ? quantiles.background.map(readable).join(', ') : '',
        ]);
      const sentence =
        found.length === 0
          ? `${capital(factor.name)} moves no column more than chance would have it.`
          : `${capital(factor.name)} moves ${found.length} of ${factor.columns.length} columns more than chance would have it${rows.length < found.length ? `; the ${rows.length} that move most are listed` : ''}.${shownSentence(factor.shown)}`;
      return [
        htmlParagraph(sentence),
        pictures[f] ?? '',
        ...(rows.length > 0
          ? [
              htmlTable(
                [
                  factor.name,
                  'from low to high',
                  'in deviations (95 %)',
                  'false discoveries',
                  'as decoded',
                  'target’s 5, 50, 95 %',
                  'background’s',
                ],
                rows,
              ),
            ]
          : []),
      ];
    }),
  ];
}

function shownSentence(shown: number | undefined): string {
  if (shown === undefined) return '';
  const share = `The decoder shows ${percent(Math.max(0, shown))} of it`;
  return shown < 0.5
    ? ` ${share}: its pictures of the factor are too flat. More steps help, and a smaller scale of the likelihood.`
    : ` ${share}.`;
}

/** The columns that a factor moves most, as bars; undefined where none moves more than chance would have it. */
export function drawColumns({ name, columns }: FactorColumns, most = 15): Drawing | undefined {
  const found = columns.filter((one) => one.found);
  if (found.length === 0) return undefined;
  return barChart({
    groups: [
      {
        name,
        bars: found.slice(0, most).map(({ column, category, from, to, effect }) => ({
          label:
            category === undefined
              ? `${column}: ${readable(from)} → ${readable(to)}`
              : `${column} = ${category}: ${percent(from)} → ${percent(to)}`,
          value: effect,
        })),
      },
    ],
    value: { label: 'change', unit: 'standard deviations of the column' },
    title: `${capital(name)}: the columns that it moves`,
    caption: `From a low to a high value of ${name}${found.length > most ? `; ${most} of ${found.length} columns` : ''}.`,
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
