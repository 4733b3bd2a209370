/**
 * Whether each block keeps to its own: what labels and factors a probe finds in the salient and in the common block, how much of
 * one block a linear map makes of the other, and how far apart the common codes of both sets are.
 */
import { fitLeastSquares, type Points, predictRegression } from '../analysis/index.ts';
import { takenFactors, takenLabels } from '../data/index.ts';
import { type Inputs, type Result, scoreAll } from '../metrics/index.ts';
import type { Labels } from '../model/index.ts';
import { stream } from '../random/index.ts';
import { codesIn, type EncodedSet, rowsOf, sampledIn } from './sets.ts';

export interface Leakage {
  /** Labels and factors as a linear probe finds them in each block of target items: 0 is chance, 1 is all of it. */
  probes: { target: string; salient: number; shared: number }[];
  /** The share of a block's variance that a linear map finds in samples of the other, over target items. */
  sharedFromSalient: number;
  salientFromShared: number;
  /** W2² of the common codes, and what two samples of one distribution would show. */
  w2: { score: number; normalFloor: number; withinTarget: number | undefined; n: number; m: number } | undefined;
  /** Whether all target items were probed since too few are held out. */
  allItems: boolean;
  notes: string[];
}

/** With fewer held-out items, probes are trained and tested on all items of the target. */
const enough = 200;
const mostProbed = 4000;

export function leakageBetween(target: EncodedSet, background: EncodedSet, seed: number): Leakage {
  const allItems = target.heldOut.length < enough;
  const all = allItems ? Uint32Array.from({ length: target.data.length }, (_, i) => i) : target.heldOut;
  const items = all.subarray(0, mostProbed);
  const { labels, factors } = target.data;
  const inputs: Inputs = {
    codes: rowsOf(target, items),
    ...(labels && hasSeveral(labels, items) && { labels: takenLabels(labels, items) }),
    ...(factors && { factors: { ...takenFactors(factors, items), n: items.length } }),
  };
  const probed = scoreAll(inputs, { names: ['leakage'] }, { seed });
  // Two such batches of the target alone show what two samples of one distribution are apart.
  const batch = Math.max(2, Math.min(128, target.heldOut.length >> 1, background.heldOut.length));
  const distances = scoreAll(
    { codes: rowsOf(target, target.heldOut), background: rowsOf(background, background.heldOut) },
    { names: ['wasserstein'], options: { wasserstein: { batch } } },
    { seed },
  );
  const found = (from: 'salient' | 'shared', to: 'salient' | 'shared') =>
    explained(sampledIn(target, from, items, seed), codesIn(target, to, items), seed);
  return {
    probes: probesOf(target, probed.results[0]),
    sharedFromSalient: found('salient', 'shared'),
    salientFromShared: found('shared', 'salient'),
    w2: w2Of(distances.results[0]),
    allItems,
    notes: [...(probed.results[0]?.notes ?? [])],
  };
}

/** The share of y's variance over held-out rows that a linear regression from x explains. */
export function explained(x: Points, y: Points, seed: number): number {
  const { n } = x;
  if (n < 10 || x.d === 0 || y.d === 0) return 0;
  const order = stream(seed, 'rows of a regression').permutation(n);
  const half = Math.floor(n / 2);
  const [train, test] = [order.subarray(0, half), order.subarray(half)];
  const rows = ({ x: values, d }: Points, which: Uint32Array) =>
    Float64Array.from({ length: which.length * d }, (_, e) => values[which[Math.floor(e / d)] * d + (e % d)]);
  let [error, variance] = [0, 0];
  for (let j = 0; j < y.d; j++) {
    const column = (which: Uint32Array) => Float64Array.from(which, (i) => y.x[i * y.d + j]);
    const model = fitLeastSquares({ x: rows(x, train), n: train.length, d: x.d, y: column(train) });
    const predicted = predictRegression(model, rows(x, test), test.length, x.d);
    const actual = column(test);
    const middle = actual.reduce((sum, value) => sum + value / actual.length, 0);
    actual.forEach((value, i) => {
      error += (value - predicted[i]) ** 2;
      variance += (value - middle) ** 2;
    });
  }
  return variance > 0 ? Math.max(0, 1 - error / variance) : 0;
}

/** Of several blocks of a kind, the one that gives most away. */
function probesOf({ codes }: EncodedSet, result: Result | undefined): Leakage['probes'] {
  if (result === undefined) return [];
  const { targets, matrix } = result.parts;
  if (!Array.isArray(targets) || !Array.isArray(matrix)) return [];
  const most = (isSalient: boolean, k: number) =>
    Math.max(0, ...codes.blocks.flatMap(({ role }, b) => ((role === 'salient') === isSalient ? [matrix[b][k]] : [])));
  return targets
    .map((target, k) => ({ target: String(target), salient: most(true, k), shared: most(false, k) }))
    .filter(({ salient, shared }) => Math.max(salient, shared) > 0);
}

function w2Of(result: Result | undefined): Leakage['w2'] {
  if (result === undefined) return undefined;
  const { floor, withinTarget, n, m } = result.parts;
  return {
    score: result.score,
    normalFloor: Number(floor),
    withinTarget: withinTarget === undefined ? undefined : Number(withinTarget),
    n: Number(n),
    m: Number(m),
  };
}

function hasSeveral({ values }: Labels, items: Uint32Array): boolean {
  return items.some((item) => values[item] !== values[items[0]]);
}
