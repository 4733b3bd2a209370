/** Target and background of a run as its encoder sees them: the codes of every item, and which of them were not trained on. */
import type { Design, Points } from '../analysis/index.ts';
import { type Dataset, heldOut, itemName } from '../data/index.ts';
import { defined } from '../defined.ts';
import type { CodeBlock, CodeTable } from '../metrics/index.ts';
import type { ModelBlock } from '../model/index.ts';
import { stream } from '../random/index.ts';
import type { Parted } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { asCodes, encodeItems } from '../use/index.ts';

export interface EncodedSet {
  name: 'target' | 'background';
  data: Dataset;
  split: Parted['split'];
  /** Means and log variances of all items, the blocks side by side. */
  codes: CodeTable & { logVariance: Float32Array; blocks: CodeBlock[] };
  /** The items of the test and validation parts, ascending. */
  heldOut: Uint32Array;
  /** The number of the group that each item belongs to, such as its subject, where that was said. */
  units?: ArrayLike<number>;
}

/** What is known of a model's blocks, in memory or in its files. */
export interface Described {
  file: { blocks: readonly ModelBlock[] };
}

export async function encodeSet(
  model: TrainedModel,
  name: EncodedSet['name'],
  { data, split }: Parted,
  onProgress: (share: number) => void = () => {},
): Promise<EncodedSet> {
  const encoded = await encodeItems(model, data, everyItem({ data }), (done) => onProgress(done / data.length));
  const codes = asCodes(encoded, 'gaussian', data.length);
  if (codes?.logVariance === undefined) throw new Error('a model with a salient block has continuous codes');
  const held = heldOut(split);
  return {
    name,
    data,
    split,
    codes: { ...codes, logVariance: codes.logVariance },
    heldOut: held.length > 0 ? held : split.train,
    units: data.groups?.values,
  };
}

/** All items of a set, held out or not. */
export function everyItem({ data }: Pick<EncodedSet, 'data'>): Uint32Array {
  return Uint32Array.from({ length: data.length }, (_, i) => i);
}

/** Some items' means in the salient blocks, or in the others. */
export function codesIn(set: EncodedSet, which: 'salient' | 'shared', items: Uint32Array = set.heldOut): Points {
  const { values, d, blocks } = set.codes;
  const dimensions = blocks
    .filter(({ role }) => (role === 'salient') === (which === 'salient'))
    .flatMap(({ start, size }) => Array.from({ length: size }, (_, i) => start + i));
  const x = new Float64Array(items.length * dimensions.length);
  for (let i = 0; i < items.length; i++)
    for (let k = 0; k < dimensions.length; k++) x[i * dimensions.length + k] = values[items[i] * d + dimensions[k]];
  return { x, n: items.length, d: dimensions.length };
}

/** How items may be relabelled in a test of some items of both sets, those of the target first. */
export function designOf(sets: readonly { set: EncodedSet; items: Uint32Array }[]): Design {
  const of = (name: 'groups' | 'strata') => {
    const all = sets.map(({ set, items }) => {
      const values = set.data[name]?.values;
      return values && Array.from(items, (item) => values[item]);
    });
    return all.every((one) => one !== undefined) ? all.flat() : undefined;
  };
  return defined({ units: of('groups'), strata: of('strata') });
}

/** The neutral code of the salient blocks, side by side as in `codesIn`. */
export function neutralOf({ file }: Described): number[] {
  return file.blocks
    .filter(({ role }) => role === 'salient')
    .flatMap(({ size, neutral }) => Array.from({ length: size }, (_, i) => neutral?.[i] ?? 0));
}

/**
 * Codes as the decoder gets them in training, drawn from the posteriors: what lies below their noise is not in them.
 *
 * @example sampledIn(target, 'salient', target.heldOut, 1)
 */
export function sampledIn(set: EncodedSet, which: 'salient' | 'shared', items: Uint32Array, seed: number): Points {
  const means = codesIn(set, which, items);
  const spreads = codesIn({ ...set, codes: { ...set.codes, values: set.codes.logVariance } }, which, items);
  const noise = stream(seed, `samples of ${which} codes`);
  const x = Float64Array.from(means.x, (mean, e) => mean + Math.exp(spreads.x[e] / 2) * noise.normal());
  return { ...means, x };
}

/** The codes of some items as metrics take them. */
export function rowsOf({ codes }: EncodedSet, items: Uint32Array): CodeTable {
  const { d, blocks } = codes;
  const values = new Float32Array(items.length * d);
  const logVariance = new Float32Array(items.length * d);
  for (let i = 0; i < items.length; i++) {
    values.set(codes.values.subarray(items[i] * d, (items[i] + 1) * d), i * d);
    logVariance.set(codes.logVariance.subarray(items[i] * d, (items[i] + 1) * d), i * d);
  }
  return { values, n: items.length, d, blocks, logVariance };
}

/** The part that an item belongs to. */
export function partsOf({ split, data }: EncodedSet): ('train' | 'validation' | 'test' | 'unused')[] {
  const parts = Array.from({ length: data.length }, (): 'train' | 'validation' | 'test' | 'unused' => 'unused');
  for (const name of ['train', 'validation', 'test'] as const) for (const item of split[name]) parts[item] = name;
  return parts;
}

/** What an item is called: by its id, or its number, and its label behind it. @example nameOf(set, 3) // 'mouse 311 (t-CS-s)' */
export function nameOf({ data }: EncodedSet, item: number): string {
  const name = itemName(data, item) ?? `item ${item}`;
  const { labels } = data;
  return labels ? `${name} (${labels.names[labels.values[item]]})` : name;
}

/** What a picture of an item says of it: its label. */
export function labelOf({ data: { labels } }: EncodedSet, item: number): string | undefined {
  return labels?.names[labels.values[item]];
}
