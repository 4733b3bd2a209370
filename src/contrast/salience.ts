/**
 * How salient each item is: the distance of its salient code from the neutral one, in units of the target's own, so that 0 is an
 * item that lacks all that the target adds, and 1 is usual for the target.
 */
import { type Cluster, nearestClusters } from '../analysis/index.ts';
import { csvLine, fieldsOf } from '../data/index.ts';
import { type Drawing, grid, htmlParagraph, htmlTable, percent, rastersOf } from '../drawing/index.ts';
import { imagesOf } from '../pictures/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { codesIn, type EncodedSet, everyItem, labelOf, nameOf, neutralOf, partsOf } from './encoded.ts';

export interface SalienceScores {
  /** The root mean square distance of held-out target items: what a score of 1 is. */
  unit: number;
  target: Float64Array;
  background: Float64Array;
  /** The share of held-out background items whose score is below that of the middle held-out target item. */
  backgroundBelow: number;
}

export function salienceScores(model: TrainedModel, target: EncodedSet, background: EncodedSet): SalienceScores {
  const neutral = neutralOf(model);
  const distances = (set: EncodedSet) => {
    const { x, n, d } = codesIn(set, 'salient', everyItem(set));
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

export interface SalienceReport {
  unit: number;
  backgroundBelow: number;
  most: { item: number; name: string; score: number }[];
  least: { item: number; name: string; score: number }[];
}

const shownExtremes = 10;

export function salienceReport(target: EncodedSet, scores: SalienceScores): SalienceReport {
  const order = ranked(scores.target);
  const extreme = (items: number[]) =>
    items.map((item) => ({ item, name: nameOf(target, item), score: scores.target[item] }));
  return {
    unit: scores.unit,
    backgroundBelow: scores.backgroundBelow,
    most: extreme(order.slice(0, shownExtremes)),
    least: extreme(order.slice(-shownExtremes).reverse()),
  };
}

/** The items of a set by their score: the first are the most salient. */
function ranked(scores: Float64Array): number[] {
  return Array.from(scores, (_, item) => item).sort((a, b) => scores[b] - scores[a]);
}

/** All items of both sets with their scores, codes and what is known of them in words, as CSV. */
export function salienceCsv(
  target: EncodedSet,
  background: EncodedSet,
  scores: SalienceScores,
  clusters: readonly Cluster[] = [],
): string {
  const clusterOf =
    clusters.length > 0 ? nearestClusters(clusters, codesIn(target, 'salient', everyItem(target))) : undefined;
  const salient = target.codes.blocks.filter(({ role }) => role === 'salient');
  const codes = salient.flatMap(({ name, size }) => Array.from({ length: size }, (_, i) => `${name}[${i}]`));
  const known = fieldsOf(target.data).filter(({ kind }) => kind === 'text');
  // A table's label is one of its columns already.
  const texts = known.length > 1 ? known.filter(({ name }) => name !== 'label') : known;
  const lines = [['role', 'item', 'part', ...texts.map(({ name }) => name), 'salience', 'cluster', ...codes]];
  for (const set of [target, background]) {
    const parts = partsOf(set);
    const all = codesIn(set, 'salient', everyItem(set));
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
        set.name === 'target' && clusterOf ? String(clusterOf[item] + 1) : '',
        ...Array.from({ length: all.d }, (_, j) => short(all.x[item * all.d + j])),
      ]);
  }
  return lines.map(csvLine).join('');
}

/** The most salient items of the target above the least salient ones. */
export function drawExtremes(model: TrainedModel, target: EncodedSet, scores: Float64Array): Drawing {
  const order = ranked(scores);
  const count = Math.min(shownExtremes, Math.max(1, Math.floor(order.length / 2)));
  const row = (items: readonly number[]) =>
    rastersOf(imagesOf(model, target.data.gather(items))).map((image, i) => {
      const label = labelOf(target, items[i]);
      return { image, caption: [scores[items[i]].toFixed(2), label].filter(Boolean).join(' ') };
    });
  return grid({
    rows: [row(order.slice(0, count)), row(order.slice(-count).reverse())],
    rowLabels: [{ text: 'most salient' }, { text: 'least salient' }],
    cellSize: 56,
    title: 'Target items by their salience',
  });
}

export function salienceChapter({ most, least, backgroundBelow }: SalienceReport, kind: 'image' | 'table'): string[] {
  const rows = most.map((item, i) => [
    String(i + 1),
    item.name,
    item.score.toFixed(2),
    least[i]?.name ?? '',
    least[i]?.score.toFixed(2) ?? '',
  ]);
  return [
    htmlParagraph(
      `The salience of an item is the distance of its salient code from the neutral one: 0 if it lacks all that the target adds, 1 if it is as far as the root mean square of target items. ${percent(backgroundBelow)} of the background lie below the middle target item. The scores of all items of both sets are in salience.csv.`,
    ),
    ...(kind === 'table' ? [htmlTable(['', 'most salient', 'score', 'least salient', 'score'], rows)] : []),
  ];
}

const short = (value: number) => String(Number(value.toPrecision(6)));
