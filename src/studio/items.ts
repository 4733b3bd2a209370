/** Items of a run's data and what is known of them, as pages ask for them. Runs in the workshop, away from the server. */
import type { Dataset } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import { itemSize } from '../model/index.ts';
import { methodOf } from '../plugins/index.ts';
import { stream } from '../random/index.ts';
import { openRun, type RunFile } from '../runs/index.ts';
import { openRunData, type Parted, type RunData } from '../training/index.ts';
import { type JsonText, jsonText } from './answers.ts';
import { Recent } from './recent.ts';
import type { Spelled } from './wire.ts';

export type ItemPart = 'test' | 'background';

export interface ItemsRequest {
  folder: string;
  part: ItemPart;
  from: number;
  count: number;
}

export interface Items {
  values: Float32Array;
  /** How many there are here, in all, and how many numbers each holds. */
  count: number;
  total: number;
  size: number;
}

export interface ItemLabels {
  /** The number of each item in its part, as the command line counts. */
  items: number[];
  labels?: { names: string[]; values: number[] };
  factors?: { name: string; kind: 'discrete' | 'continuous'; size: number; values: Spelled[] }[];
  /** Something that a person should know of the data. */
  note?: string;
}

/** The largest answer, in bytes: more items than fit are asked for in pieces. */
const largest = 32_000_000;

/** Items one after the other in the model's range, an image in channel, row, column order. */
export async function itemsOfPart({ folder, part, from, count }: ItemsRequest): Promise<Items> {
  const { data, order } = await openPart(folder, part);
  const size = itemSize(data.shape);
  const most = Math.min(count, Math.max(1, Math.floor(largest / (4 * size))));
  const chosen = order.subarray(from, from + most);
  const values = chosen.length === 0 ? new Float32Array(0) : data.gather(chosen);
  return { values, count: chosen.length, total: order.length, size };
}

/** What is known of the same items, as text: there may be millions of numbers, which the server should not spell. */
export async function labelsOf({ folder, part, from, count }: ItemsRequest): Promise<JsonText<ItemLabels>> {
  const { data, order, numbers, note } = await openPart(folder, part);
  const chosen = order.subarray(from, from + count);
  const { labels, factors } = data;
  const known: ItemLabels = {
    items: [...numbers.subarray(from, from + count)],
    labels: labels && { names: labels.names, values: Array.from(chosen, (item) => labels.values[item]) },
    factors: factors?.factors.map((factor, k) => ({
      ...factor,
      values: Array.from(chosen, (item) => factors.values[item * factors.factors.length + k]),
    })),
    note,
  };
  return jsonText(known);
}

export interface OpenPart {
  data: Dataset;
  /** Items of the part in an order that mixes them, so that the first ones are a fair sample of all. */
  order: Uint32Array;
  /** The number of each in its part. */
  numbers: Uint32Array;
  note?: string;
}

export async function openPart(folder: string, part: ItemPart): Promise<OpenPart> {
  const { file } = await openRun(folder);
  const { data, note } = await recent.get(keyOf(file), () => open(file));
  const set = part === 'background' ? data.background : data.target;
  if (set === undefined) throw new UntangleError('This run has no background set.', { kind: 'call' });
  return { ...mixed(set), note };
}

/** Opened data is large, so that of the last two runs is kept. */
const recent = new Recent<{ data: RunData; note?: string }>(2);

async function open(file: RunFile): Promise<{ data: RunData; note?: string }> {
  let note: string | undefined;
  const data = await openRunData(file, {
    onNote: (sentence) => {
      note = sentence;
    },
  });
  return { data, note };
}

/** Runs with the same data, parted in the same way, share it. */
function keyOf(file: RunFile): string {
  const { data, training } = file;
  return JSON.stringify([data, training.seed, training.validation, methodOf(file, () => {}).needs]);
}

/** Data too small for a test part is shown by what it was trained on. */
function mixed({ data, split }: Parted): Omit<OpenPart, 'note'> {
  const items = split.test.length > 0 ? split.test : split.train;
  const numbers = stream(0, 'items on pages').permutation(items.length);
  return { data, order: numbers.map((number) => items[number]), numbers };
}
