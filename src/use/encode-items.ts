/** The codes of many items of a dataset, and the same side by side as metrics take them. */

import type { Dataset } from '../data/index.ts';
import type { CodeBlock, CodeTable } from '../metrics/index.ts';
import { covariateRows, type Kind, priorOf } from '../model/index.ts';
import type { BlockCodes, TrainedModel } from './trained-model.ts';

/** Codes whose blocks are known. */
export interface JoinedCodes extends CodeTable {
  values: Float32Array;
  blocks: CodeBlock[];
  logVariance?: Float32Array;
}

/** Encodes items in pieces, so that no more than a few of them are in memory at a time. */
export async function encodeItems(
  model: TrainedModel,
  set: Dataset,
  indices: Uint32Array,
  onItems: (done: number) => void = () => {},
): Promise<BlockCodes[]> {
  const piece = 1024;
  let whole: BlockCodes[] | undefined;
  for (let start = 0; start < indices.length; start += piece) {
    const chosen = indices.subarray(start, start + piece);
    const told = set.given && covariateRows(set.given.values, set.given.covariates, chosen);
    const part = await model.encode(set.gather(chosen), undefined, told);
    whole ??= part.map(({ block, logVariance }) => ({
      block,
      values: new Float32Array(indices.length * block.size),
      logVariance: logVariance && new Float32Array(indices.length * block.size),
    }));
    for (const [b, { values, logVariance, block }] of part.entries()) {
      whole[b].values.set(values, start * block.size);
      if (logVariance) whole[b].logVariance?.set(logVariance, start * block.size);
    }
    onItems(Math.min(start + piece, indices.length));
  }
  return whole ?? [];
}

/** Blocks of one kind side by side, as metrics take codes; undefined if there is none. */
export function asCodes(all: readonly BlockCodes[], kind: Kind, n: number): JoinedCodes | undefined {
  const parts = all.filter(({ block }) => block.kind === kind);
  if (parts.length === 0) return undefined;
  const byName = Object.fromEntries(all.map(({ block, values }) => [block.name, values]));
  const d = parts.reduce((sum, { block }) => sum + block.size, 0);
  const values = new Float32Array(n * d);
  const logVariance = new Float32Array(n * d);
  // Where no prior was learned, N(0, I) goes without saying.
  const isLearned = parts.some(({ block }) => block.prior !== undefined);
  const prior = isLearned ? { mean: new Float32Array(n * d), logVariance: new Float32Array(n * d) } : undefined;
  const blocks: CodeBlock[] = [];
  let start = 0;
  for (const part of parts) {
    const { name, role, size } = part.block;
    blocks.push({ name, role, start, size, class: part.block.class });
    for (let i = 0; i < n; i++) {
      const own = prior && priorOf(part.block, byName, i);
      if (own) prior.mean.set(own.mean, i * d + start);
      if (own) prior.logVariance.set(own.logVariance, i * d + start);
      values.set(part.values.subarray(i * size, (i + 1) * size), i * d + start);
      if (part.logVariance) logVariance.set(part.logVariance.subarray(i * size, (i + 1) * size), i * d + start);
    }
    start += size;
  }
  return { values, n, d, blocks, logVariance: kind === 'gaussian' ? logVariance : undefined, prior };
}
