/**
 * A model of a table in the columns' own units: how much of each column its codes keep, and which columns a dimension moves from
 * what to what. Bars are in standard deviations, so that columns of different units can stand side by side.
 */
import { decodeRows, type Transformation } from '../data/index.ts';
import { barChart, type Drawing } from '../drawing/index.ts';
import type { Parted, RunData } from '../training/index.ts';
import { priorCentre, type TrainedModel } from '../use/index.ts';
import { byKl, classMeant, codesOf, decodeMovements, evenQuantiles } from './codes.ts';
import { type PictureOptions, startAt, testItems, titled } from './subject.ts';
import { continuous, movement } from './traversal.ts';

const mostColumns = 40;
const mostItems = 2000;

/** The share of each column's variance that reconstructions of test rows keep; of each set a group of bars. */
export async function drawTableReconstruction(
  model: TrainedModel,
  data: RunData,
  { items = mostItems }: PictureOptions,
): Promise<Drawing> {
  const transformation = transformationOf(model);
  const kept = async (parted: Parted, name: 'target' | 'background') => {
    const given = parted.data.gather(testItems(parted).subarray(0, items));
    const made = await model.decode(await codesOf(model, given, name));
    const [rows, guesses] = [given, made].map((encoded) => decodeRows(transformation, encoded));
    return placesOf(transformation).map((place) => ({
      label: `${place.name}: ${errorOf(rows, guesses, place.name)}`,
      value: explained(place, given, made, model.itemSize),
    }));
  };
  const target = await kept(data.target, 'target');
  const background = data.background && (await kept(data.background, 'background'));
  const varies = (i: number) => Number.isFinite(target[i].value + (background?.[i].value ?? 0));
  const order = target.flatMap((_, i) => (varies(i) ? [i] : [])).sort((a, b) => target[b].value - target[a].value);
  const most = background ? mostColumns / 4 : mostColumns / 2;
  const shown = order.length <= 2 * most ? order : [...order.slice(0, most), ...order.slice(-most)];
  const group = (name: string, bars: typeof target) => ({ name, bars: shown.map((i) => bars[i]) });
  return barChart({
    groups: [group('target', target), ...(background ? [group('background', background)] : [])],
    value: { label: 'share of the variance that reconstructions of test rows keep' },
    title: titled(model, 'how well each column is kept'),
    ...(shown.length < order.length && {
      caption: `The ${most} columns that are kept best and the ${most} that are kept worst, of ${order.length}. Errors are mean distances in the column’s own units.`,
    }),
  });
}

/** The columns that each dimension moves most, from the low to the high end of its prior. */
export async function drawTableTraversal(
  model: TrainedModel,
  data: () => Promise<RunData>,
  options: PictureOptions,
): Promise<Drawing> {
  const { from = 'prior', range = 0.02, dimensions = 5, items = 6 } = options;
  const start = from === 'prior' ? undefined : await startAt(model, data, from, options.onNote);
  const transformation = transformationOf(model);
  const moved = byKl(continuous(model, options.blocks)).slice(0, dimensions);
  const base = start?.codes ?? priorCentre(model, classMeant(model, options.class));
  const ends = evenQuantiles(range, 2);
  const size = model.itemSize;
  const rows = await decodeMovements(
    model,
    moved.map(({ block, index }) => movement(block, index, base, ends)),
  );
  const groups = moved.map(({ block, index, kl }, d) => {
    const low = rows.subarray(2 * d * size, (2 * d + 1) * size);
    const high = rows.subarray((2 * d + 1) * size, (2 * d + 2) * size);
    const [before, after] = decodeRows(transformation, rows.subarray(2 * d * size, (2 * d + 2) * size));
    const bars = placesOf(transformation).map((place) => ({
      label: `${place.name}: ${short(before[place.name])} → ${short(after[place.name])}`,
      value: largestChange(place, low, high),
    }));
    bars.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
    const carries = kl === undefined ? '' : `, KL ${kl.toFixed(2)}`;
    return { name: `${block.name} ${index}${carries}`, bars: bars.slice(0, items) };
  });
  const percent = (quantile: number) => `${Number((100 * quantile).toFixed(1))} %`;
  return barChart({
    groups,
    value: { label: 'change', unit: 'standard deviations' },
    title: titled(model, `what each dimension moves, from ${start ? start.name : 'the prior’s mean'}`),
    caption: `The columns that move most as a dimension goes from the ${percent(range)} to the ${percent(1 - range)} quantile of its prior, in their own units.`,
  });
}

/** How the model's numbers become columns again; as they are where nothing is known of it. */
export function transformationOf({ file }: TrainedModel): Transformation {
  const { shape, transformation } = file.data;
  if (transformation) return transformation;
  const names = shape.kind === 'table' ? shape.columns : [];
  const columns = names.map((name) => ({ kind: 'number' as const, name, mean: 0, deviation: 1, fill: 0 }));
  return { columns, left: [], filled: {} };
}

/** Where a column's numbers stand among those that the model sees. */
interface Place {
  name: string;
  at: number;
  width: number;
}

function placesOf({ columns }: Transformation): Place[] {
  let next = 0;
  return columns.map((column) => {
    const width = column.kind === 'number' ? 1 : column.categories.length;
    const at = next;
    next += width;
    return { name: column.name, at, width };
  });
}

type Rows = ReturnType<typeof decodeRows>;

/** The mean distance from what was given, or how often a category is another. */
function errorOf(rows: Rows, guesses: Rows, name: string): string {
  const wrong = rows.filter((row, i) => row[name] !== guesses[i][name]).length;
  if (typeof rows[0][name] === 'string') return `wrong in ${((100 * wrong) / rows.length).toFixed(0)} %`;
  const sum = rows.reduce((total, row, i) => total + Math.abs(Number(row[name]) - Number(guesses[i][name])), 0);
  return `off by ${short(sum / rows.length)}`;
}

/** 1 − the squared error over the variance; not a number for a column that does not vary in these rows. */
function explained({ at, width }: Place, given: Float32Array, made: Float32Array, size: number): number {
  const n = given.length / size;
  let [error, variance] = [0, 0];
  for (let k = at; k < at + width; k++) {
    let mean = 0;
    for (let i = k; i < given.length; i += size) mean += given[i] / n;
    for (let i = k; i < given.length; i += size) {
      error += (given[i] - made[i]) ** 2;
      variance += (given[i] - mean) ** 2;
    }
  }
  return variance > 1e-6 * n ? 1 - error / variance : Number.NaN;
}

function largestChange({ at, width }: Place, low: Float32Array, high: Float32Array): number {
  let change = 0;
  for (let k = at; k < at + width; k++) if (Math.abs(high[k] - low[k]) > Math.abs(change)) change = high[k] - low[k];
  return change;
}

function short(value: number | string): string {
  return typeof value === 'string' ? value : String(Number(value.toPrecision(3))).replace('-', '−');
}
