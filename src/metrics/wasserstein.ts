/**
 * W2² between the codes of two sets (contrastive objectives, Eq. 9): how alike target and background are distributed in
 * what they share. Finite samples of one and the same distribution are apart too, so the number stands beside that floor.
 */

import { w2Squared } from '../analysis/index.ts';
import { text } from '../options/index.ts';
import { stream } from '../random/index.ts';
import { blockOf } from './blocks.ts';
import { count, defineMetric } from './metric.ts';
import { codeRows } from './rows.ts';

export const wasserstein = defineMetric({
  name: 'wasserstein',
  title: 'W2² between two sets',
  version: '1',
  needs: ['codes', 'background'],
  describe:
    'the exact squared Wasserstein-2 distance between codes of target and background, of the shared block if there is one',
  better: 'lower',
  options: {
    batch: count('rows of each set that are compared at a time, as in the paper’s batches', 128, 2),
    batches: count('random batches to average over', 10),
    block: text('the block to compare; by default the shared one, or all', { default: null }),
  },
  score({ codes, background }, { batch, batches, block }, context) {
    const notes: string[] = [];
    const { start, size, name } = blockOf(codes, block, 'shared');
    const n = Math.min(batch, codes.n);
    const m = Math.min(batch, background.n);
    if (n < batch || m < batch) notes.push(`Batches are ${n} and ${m} rows: one set has no more.`);
    let sum = 0;
    let floor = 0;
    let within = 0;
    const halves = codes.n >= n + m;
    for (let b = 0; b < batches; b++) {
      context.onProgress?.(b / batches, 'W2²');
      const ours = stream(context.seed, 'batches of the target', b).permutation(codes.n);
      const theirs = stream(context.seed, 'batches of the background', b).permutation(background.n);
      const x = codeRows(codes, ours.subarray(0, n), start, size);
      sum += w2Squared(x, n, codeRows(background, theirs.subarray(0, m), start, size), m, size);
      if (halves) within += w2Squared(x, n, codeRows(codes, ours.subarray(n, n + m), start, size), m, size);
      floor += normalFloor(n, m, size, context.seed, b);
    }
    const parts = { block: name, d: size, n, m, batches, floor: floor / batches };
    return {
      score: sum / batches,
      parts: halves ? { ...parts, withinTarget: within / batches } : parts,
      notes: [
        ...notes,
        `Two sets of ${n} and ${m} standard-normal codes in ${size} dimensions have W2² ${(floor / batches).toFixed(2)}: read the number against that.`,
      ],
    };
  },
});

/** W2² between n and m draws of a standard normal in d dimensions: what two samples of the same distribution show. */
export function normalFloor(n: number, m: number, d: number, seed: number, step = 0): number {
  const source = stream(seed, 'floor of W2', step);
  return w2Squared(source.normals(n * d), n, source.normals(m * d), m, d);
}
