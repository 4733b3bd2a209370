/**
 * W2² between the codes of two sets (contrastive objectives, Eq. 9): how alike target and background are distributed in
 * what they share. Finite samples of one and the same distribution are apart too, so the number stands beside that floor.
 */

import { columnVariances, w2Squared } from '../analysis/index.ts';
import { choice, text } from '../options/index.ts';
import { stream } from '../random/index.ts';
import { blockOf } from './blocks.ts';
import { type CodeTable, count, defineMetric } from './metric.ts';
import { codeRows } from './rows.ts';

export const wasserstein = defineMetric({
  name: 'wasserstein',
  title: 'W2² between two sets',
  version: '2',
  needs: ['codes', 'background'],
  describe:
    'the exact squared Wasserstein-2 distance between codes of target and background, of the shared block if there is one',
  better: 'lower',
  options: {
    batch: count('rows of each set that are compared at a time, as in the paper’s batches', 128, 2),
    batches: count('random batches to average over', 10),
    block: text('the block to compare; by default the shared one, or all', { default: null }),
    of: choice('samples of the posteriors as in the paper, or their means', ['samples', 'means'], {
      default: 'samples',
    }),
  },
  score(inputs, { batch, batches, block, of }, { seed, onProgress }) {
    const notes: string[] = [];
    const isSampled =
      of === 'samples' && inputs.codes.logVariance !== undefined && inputs.background.logVariance !== undefined;
    const codes = isSampled ? sampled(inputs.codes, seed, 'target') : inputs.codes;
    const background = isSampled ? sampled(inputs.background, seed, 'background') : inputs.background;
    const { start, size, name } = blockOf(codes, block, 'shared');
    const n = Math.min(batch, codes.n);
    const m = Math.min(batch, background.n);
    if (n < batch || m < batch) notes.push(`Batches are ${n} and ${m} rows: one set has no more.`);
    if (of === 'samples' && !isSampled) notes.push('The codes have no variances, so they are compared as they are.');
    // Samples are compared with samples of the prior; anything else with normal codes that vary as much as they do.
    const deviations = isSampled ? undefined : deviationsOf([codes, background], start, size);
    let sum = 0;
    let floor = 0;
    let within = 0;
    const halves = codes.n >= n + m;
    for (let b = 0; b < batches; b++) {
      onProgress?.(b / batches, 'W2²');
      const ours = stream(seed, 'batches of the target', b).permutation(codes.n);
      const theirs = stream(seed, 'batches of the background', b).permutation(background.n);
      const x = codeRows(codes, ours.subarray(0, n), start, size);
      sum += w2Squared(x, n, codeRows(background, theirs.subarray(0, m), start, size), m, size);
      if (halves) within += w2Squared(x, n, codeRows(codes, ours.subarray(n, n + m), start, size), m, size);
      floor += normalFloor(n, m, size, seed, b, deviations);
    }
    const parts = { of: isSampled ? 'samples' : 'means', block: name, d: size, n, m, batches, floor: floor / batches };
    return {
      score: sum / batches,
      parts: halves ? { ...parts, withinTarget: within / batches } : parts,
      notes: [
        ...notes,
        `Two sets of ${n} and ${m} ${isSampled ? 'standard-normal' : 'normal'} codes in ${size} dimensions${isSampled ? '' : ' that vary as these do'} have W2² ${(floor / batches).toFixed(2)}: read the number against that.`,
      ],
    };
  },
});

/** A sample of each posterior in place of its mean. */
function sampled(codes: CodeTable, seed: number, of: 'target' | 'background'): CodeTable {
  const { values, logVariance } = codes;
  if (logVariance === undefined) return codes;
  const noise = stream(seed, `samples of the ${of}`);
  return {
    ...codes,
    values: Float64Array.from(values, (mean, e) => mean + Math.exp(logVariance[e] / 2) * noise.normal()),
  };
}

/** How much each dimension deviates inside of a set, over both sets. */
function deviationsOf([a, b]: readonly [CodeTable, CodeTable], start: number, size: number): Float64Array {
  const [ofA, ofB] = [a, b].map(({ values, n, d }) => columnVariances(values, n, d));
  return ofA.map((variance, j) => Math.sqrt((variance + ofB[j]) / 2)).subarray(start, start + size);
}

/**
 * W2² between n and m draws of a normal in d dimensions, the standard one if no deviations are given: what two samples of the
 * same distribution show.
 */
export function normalFloor(
  n: number,
  m: number,
  d: number,
  seed: number,
  step = 0,
  deviations?: Float64Array,
): number {
  const source = stream(seed, 'floor of W2', step);
  const draw = (count: number) => {
    const values = source.normals(count * d);
    return deviations ? values.map((value, e) => value * deviations[e % d]) : values;
  };
  return w2Squared(draw(n), n, draw(m), m, d);
}
