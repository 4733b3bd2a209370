/**
 * How salient each item is: the distance of its salient code from the neutral one, in units of the target's own, so that 0 is an
 * item that lacks all that the target adds, and 1 is usual for the target.
 */
import { fieldsOf } from '../data/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { codesIn, type EncodedSet, partsOf } from './sets.ts';

export interface SalienceScores {
  /** The root mean square distance of held-out target items: what a score of 1 is. */
  unit: number;
  target: Float64Array;
  background: Float64Array;
  /** The share of held-out background items whose score is below that of the middle held-out target item. */
  backgroundBelow: number;
}

export function salienceScores(model: TrainedModel, target: EncodedSet, background: EncodedSet): SalienceScores {
  const neutral = model.file.blocks
    .filter(({ role }) => role === 'salient')
    .flatMap(({ size, neutral: code }) => Array.from({ length: size }, (_, i) => code?.[i] ?? 0));
  const distances = (set: EncodedSet) => {
    const { x, n, d } = codesIn(
      set,
      'salient',
      Uint32Array.from({ length: set.data.length }, (_, i) => i),
    );
    return Float64Array.from({ length: n }, (_, i) =>
      Math.sqrt(neutral.reduce((sum, value, j) => sum + (x[i * d + j] - value) ** 2, 0)),
    );
  };
  const [ofTarget, ofBackground] = [distances(target), distances(background)];
  const held = Array.from(target.heldOut, (item) => ofTarget[item]);
  const unit = Math.sqrt(held.reduce((sum, value) => sum + value ** 2, 0) / held.length);
  const scored = (all: Float64Array) => (unit > 0 ? all.map((value) => value / unit) : all);
  const middle = held.sort((a, b) => a - b)[Math.floor(held.length / 2)];
  const below = background.heldOut.filter((item) => ofBackground[item] < middle).length;
  return {
    unit,
    target: scored(ofTarget),
    background: scored(ofBackground),
    backgroundBelow: below / background.heldOut.length,
  };
}

/** The items of a set by their score: the first are the most salient. */
export function ranked(scores: Float64Array): number[] {
  return Array.from(scores, (_, item) => item).sort((a, b) => scores[b] - scores[a]);
}

/** A text that says what an item is: its label, or the texts of its row. */
export function nameOf(set: EncodedSet, item: number): string {
  const { labels } = set.data;
  return labels ? labels.names[labels.values[item]] : `item ${item}`;
}

/** All items of both sets with their scores, codes and what is known of them in words, as CSV. */
export function salienceCsv(sets: readonly EncodedSet[], scores: SalienceScores, clusterOf: Int32Array): string {
  const [first] = sets;
  const salient = first.codes.blocks.filter(({ role }) => role === 'salient');
  const codes = salient.flatMap(({ name, size }) => Array.from({ length: size }, (_, i) => `${name}[${i}]`));
  const known = fieldsOf(first.data).filter(({ kind }) => kind === 'text');
  // A table's label is one of its columns already.
  const texts = known.length > 1 ? known.filter(({ name }) => name !== 'label') : known;
  const lines = [['role', 'item', 'part', ...texts.map(({ name }) => name), 'salience', 'cluster', ...codes]];
  for (const set of sets) {
    const parts = partsOf(set);
    const all = codesIn(
      set,
      'salient',
      Uint32Array.from({ length: set.data.length }, (_, i) => i),
    );
    const fields = new Map(fieldsOf(set.data).map((field) => [field.name, field]));
    for (let item = 0; item < set.data.length; item++)
      lines.push([
        set.name,
        String(item),
        parts[item],
        ...texts.map(({ name }) => {
          const field = fields.get(name);
          return field?.kind === 'text' ? (field.categories[field.at(item)] ?? '') : '';
        }),
        short(scores[set.name][item]),
        set.name === 'target' ? String(clusterOf[item] + 1) : '',
        ...Array.from({ length: all.d }, (_, j) => short(all.x[item * all.d + j])),
      ]);
  }
  return `${lines.map((cells) => cells.map(quoted).join(',')).join('\n')}\n`;
}

const short = (value: number) => String(Number(value.toPrecision(6)));
const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
