/** The pictures of a contrast report: codes in the plane, exemplars, traversals, swaps, transfers and syntheses. */
import { type Points, pca, project } from '../analysis/index.ts';
import { type Drawing, grid, pointMap, rastersOf } from '../drawing/index.ts';
import {
  drawSwap,
  drawSynthesis,
  drawTransfer,
  drawTraversal,
  imagesOf,
  heldOut as testItems,
} from '../pictures/index.ts';
import { stream } from '../random/index.ts';
import type { RunData } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import type { Cluster } from './clusters.ts';
import { nameOf } from './salience.ts';
import { codesIn, type EncodedSet } from './sets.ts';
import type { SalientFactor } from './verdict.ts';

/** More points of a set hide each other. */
const mostPoints = 700;
const shownItems = 6;

/** Held-out codes of both sets in their two leading directions, the target by its labels where they are known. */
export function drawCodes(
  target: EncodedSet,
  background: EncodedSet,
  which: 'salient' | 'shared',
  seed: number,
): Drawing {
  const [ours, theirs] = [target, background].map((set) =>
    stream(seed, `points of the ${set.name}`)
      .permutation(set.heldOut.length)
      .subarray(0, mostPoints)
      .map((place) => set.heldOut[place]),
  );
  const [x, y] = [codesIn(target, which, ours), codesIn(background, which, theirs)];
  const both = { x: Float64Array.from([...Array.from(x.x), ...Array.from(y.x)]), n: x.n + y.n, d: x.d };
  const { labels } = target.data;
  const names = labels ? labels.names.map((name) => `target: ${name}`) : ['target'];
  const used = [...new Set(Array.from(ours, (item) => labels?.values[item] ?? 0))].sort((a, b) => a - b);
  const values = [
    ...Array.from(ours, (item) => used.indexOf(labels?.values[item] ?? 0)),
    ...Array.from(theirs, () => used.length),
  ];
  return pointMap({
    points: inPlane(both, seed),
    colour: { kind: 'label', names: [...used.map((label) => names[label]), 'background'], values },
    size: 300,
    title: which === 'salient' ? 'Salient codes' : 'Common codes',
  });
}

/** Two leading directions; of a single one, with a height that means nothing. */
function inPlane(points: Points, seed: number): Float64Array {
  if (points.d > 1 && points.n > 2) return project(pca({ ...points, components: 2 }), points.x, points.n);
  const width = Math.max(...Array.from(points.x)) - Math.min(...Array.from(points.x));
  const heights = stream(seed, 'heights of points').uniforms(points.n);
  return Float64Array.from({ length: 2 * points.n }, (_, e) =>
    e % 2 === 0 ? points.x[(e >> 1) * points.d] : (heights[e >> 1] - 0.5) * width * 0.2,
  );
}

/** The items nearest to each cluster's centre, a row for each cluster. */
export function drawClusters(model: TrainedModel, target: EncodedSet, clusters: readonly Cluster[]): Drawing {
  const total = clusters.reduce((sum, { size }) => sum + size, 0);
  const rows = clusters.map(({ exemplars }) =>
    rastersOf(imagesOf(model, target.data.gather(exemplars))).map((image, i) => ({
      image,
      ...(target.data.labels && { caption: nameOf(target, exemplars[i]) }),
    })),
  );
  return grid({
    rows,
    rowLabels: clusters.map(({ size }, i) => ({
      text: `cluster ${i + 1}`,
      note: `${size} items, ${((100 * size) / total).toFixed(0)} %`,
    })),
    cellSize: 56,
    title: 'The items nearest to each centre',
  });
}

/** Each factor moved alone on a background item whose common code is near the middle. */
export async function drawFactors(
  model: TrainedModel,
  data: RunData,
  background: EncodedSet,
  factors: readonly SalientFactor[],
  seed: number,
): Promise<Drawing> {
  return await drawTraversal(model, () => Promise.resolve(data), {
    seed,
    from: `background:${typicalPlace(background)}`,
    blocks: factors.map(({ block, index }) => `${block}[${index}]`),
  });
}

/** The place, among the test items, of the background item whose common code is nearest to their mean. */
function typicalPlace(background: EncodedSet): number {
  const items = testItems(background);
  const { x, n, d } = codesIn(background, 'shared', items);
  const mean = Array.from({ length: d }, (_, j) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i * d + j] / n;
    return sum;
  });
  const distances = Array.from({ length: n }, (_, i) =>
    mean.reduce((sum, value, j) => sum + (x[i * d + j] - value) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

export async function drawSwaps(model: TrainedModel, data: RunData, seed: number): Promise<Drawing> {
  return await drawSwap(model, data, { seed, items: 8 });
}

export async function drawTransfers(model: TrainedModel, data: RunData, seed: number): Promise<Drawing> {
  return await drawTransfer(model, data, { seed, items: shownItems });
}

/** New codes of the factors on real background items; other dimensions stay neutral: the decoder has hardly seen them vary. */
export async function drawSyntheses(
  model: TrainedModel,
  data: RunData,
  factors: readonly SalientFactor[],
  seed: number,
): Promise<Drawing> {
  const blocks = factors.map(({ block, index }) => `${block}[${index}]`);
  return await drawSynthesis(model, data, { seed, items: shownItems, blocks });
}

/** The most salient items of the target above the least salient ones. */
export function drawExtremes(
  model: TrainedModel,
  target: EncodedSet,
  scores: Float64Array,
  order: readonly number[],
): Drawing {
  const count = Math.min(10, Math.max(1, Math.floor(order.length / 2)));
  const row = (items: readonly number[]) =>
    rastersOf(imagesOf(model, target.data.gather(items))).map((image, i) => {
      const label = target.data.labels ? ` ${nameOf(target, items[i])}` : '';
      return { image, caption: `${scores[items[i]].toFixed(2)}${label}` };
    });
  return grid({
    rows: [row(order.slice(0, count)), row(order.slice(-count).reverse())],
    rowLabels: [{ text: 'most salient' }, { text: 'least salient' }],
    cellSize: 56,
    title: 'Target items by their salience',
  });
}
