/**
 * KL of Gaussian posteriors to their prior, the standard normal one or a learned one, for every dimension and block: what each
 * part of the latent carries. With a class block for every class it is also given for the block of the correct class alone
 * (N-VAE, Fig. 5).
 */

import type { Numbers } from '../analysis/index.ts';
import { columnVariances, gaussianKl } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import type { Labels } from '../model/index.ts';
import { number } from '../options/index.ts';
import { type CodeBlock, type CodeTable, defineMetric, type ResultPart } from './metric.ts';

export const kl = defineMetric({
  name: 'kl',
  title: 'KL to the prior',
  version: '2',
  needs: ['codes', 'log variances'],
  describe:
    'how many nats the posteriors carry, in all and in each dimension and block, and how many dimensions are active',
  better: 'neither',
  options: {
    activeVariance: number(
      'a dimension is active if its mean varies more than this over the data (Burda et al., 2016)',
      { default: 0.01, min: 0, schedulable: false },
    ),
  },
  score({ codes, labels }, { activeVariance }) {
    const { d, blocks = [] } = codes;
    const perDimension = klPerDimension(withVariance(codes));
    const total = perDimension.reduce((sum, value) => sum + value, 0);
    const active = activeDimensions(codes, activeVariance);
    const parts: Record<string, ResultPart> = {
      total,
      perDimension: Array.from(perDimension),
      active,
      activeCount: active.length,
    };
    if (blocks.length > 0) {
      parts.blocks = blocks.map(({ name }) => name);
      parts.perBlock = blocks.map(({ start, size }) => sum(perDimension, start, size));
      parts.activePerBlock = blocks.map(
        ({ start, size }) => active.filter((j) => j >= start && j < start + size).length,
      );
    }
    if (labels && blocks.some((block) => block.class !== undefined))
      parts.correctClass = Array.from(klOfCorrectClass(withVariance(codes), blocks, labels));
    const notes = active.length < d ? [`${d - active.length} of ${d} dimensions are inactive.`] : [];
    return { score: total, parts, notes };
  },
});

/** KL of N(μ, σ²) to its prior in nats, averaged over items, for each dimension. */
export function klPerDimension(codes: CodeTable & { logVariance: Numbers }): Float64Array {
  const { n, d } = codes;
  const out = new Float64Array(d);
  for (let at = 0; at < n * d; at++) out[at % d] += klAt(codes, at);
  return out.map((value) => value / n);
}

/** Dimensions whose mean varies over the data by more than `above` (variance over n). */
function activeDimensions({ values, n, d }: CodeTable, above: number): number[] {
  return Array.from(columnVariances(values, n, d).entries())
    .filter(([, variance]) => variance > above)
    .map(([j]) => j);
}

/**
 * KL of the j-th dimension of the class-related block that belongs to each item's own class, averaged over items: z_cy in
 * N-VAE's Fig. 5. Items of a class without a block are not counted.
 */
function klOfCorrectClass(
  codes: CodeTable & { logVariance: Numbers },
  blocks: readonly CodeBlock[],
  labels: Labels,
): Float64Array {
  const { n, d } = codes;
  const blockOf = new Map(blocks.filter((block) => block.class !== undefined).map((block) => [block.class, block]));
  const sizes = [...blockOf.values()].map(({ size }) => size);
  const size = Math.max(...sizes);
  if (sizes.some((other) => other !== size))
    throw new UntangleError('The blocks of the classes have different sizes, so there is no KL of the correct class.');
  const out = new Float64Array(size);
  let counted = 0;
  for (let i = 0; i < n; i++) {
    const block = blockOf.get(labels.values[i]);
    if (!block) continue;
    counted++;
    for (let j = 0; j < size; j++) out[j] += klAt(codes, i * d + block.start + j);
  }
  return out.map((value) => (counted > 0 ? value / counted : 0));
}

/** KL of the posterior at a place to its prior, which is N(0, 1) unless one was learned. */
function klAt({ values, logVariance, prior }: CodeTable & { logVariance: Numbers }, at: number): number {
  return gaussianKl(values[at], logVariance[at], prior?.mean[at], prior?.logVariance[at]);
}

/** Codes that are known to have log variances. */
export function withVariance(codes: CodeTable): CodeTable & { logVariance: Numbers } {
  if (!codes.logVariance) throw new UntangleError('The log variances of the posteriors are missing.', { kind: 'call' });
  return { ...codes, logVariance: codes.logVariance };
}

const sum = (values: Float64Array, start: number, size: number) =>
  values.subarray(start, start + size).reduce((total, value) => total + value, 0);
