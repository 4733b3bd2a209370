/**
 * MIG by Chen et al.'s own estimator (β-TCVAE, 2018): codes are samples of the posteriors, and entropies come from the
 * mixture of all posteriors, H(z_j) = −E ln (1/N) Σ_n q(z_j|x_n), and of those with a factor's value. It differs from the
 * histogram MIG by far, and is not to be compared with it.
 */
import { entropy } from '../analysis/index.ts';
import { stream } from '../random/index.ts';
import { withVariance } from './kl.ts';
import { count, defineMetric } from './metric.ts';
import { migOf } from './mig.ts';
import { classColumns, classesAt, column, takeRows } from './rows.ts';

export const migSampled = defineMetric({
  name: 'mig-sampled',
  title: 'MIG (sampled)',
  version: '1',
  needs: ['codes', 'factors', 'log variances'],
  describe: 'MIG with samples of the posteriors in place of a histogram (Chen et al.’s estimator)',
  better: 'higher',
  options: {
    rows: count('posteriors in the mixture (Chen et al.: the whole grid)', 10000, 2),
    samples: count('samples that estimate each entropy (Chen et al.: 10,000)', 2000, 2),
    bins: count('bins that a continuous factor is cut into', 20),
  },
  score({ codes, factors }, { rows: most, samples, bins }, context) {
    const notes: string[] = [];
    const { values, d, logVariance } = withVariance(codes);
    const rows = takeRows(codes.n, most, context);
    // A random order, so that the first `samples` of any group are a fair choice among it.
    const order = stream(context.seed, 'samples of MIG')
      .permutation(rows.length)
      .map((i) => rows[i]);
    const targets = classColumns(factors, bins, notes);
    const ys = targets.map((target) => classesAt(target, order));
    const groups = ys.map((y, k) => membersOf(y, targets[k].size));
    const everybody = Uint32Array.from({ length: order.length }, (_, i) => i);
    const matrix: number[][] = [];
    for (let j = 0; j < d; j++) {
      context.onProgress?.(j / d, 'MIG (sampled)');
      const mixture = posteriors(column(values, d, j, order), column(logVariance, d, j, order), context.seed, j);
      const whole = mixtureEntropy(mixture, everybody, samples);
      matrix.push(
        groups.map((members) => {
          const inside = members.reduce(
            (sum, group) => sum + (group.length / order.length) * mixtureEntropy(mixture, group, samples),
            0,
          );
          return Math.max(0, whole - inside);
        }),
      );
    }
    const entropies = ys.map((y) => entropy(y));
    const { score, gaps } = migOf(matrix, entropies);
    return {
      score,
      parts: { factors: targets.map(({ name }) => name), gaps, entropies, matrix, rows: rows.length },
      notes,
    };
  },
});

/** Gaussian posteriors of one dimension, with a sample of each. */
export interface CodePosteriors {
  mean: Float64Array;
  /** 1/σ. */
  precision: Float64Array;
  sample: Float64Array;
}

/** −mean ln (1/|group|) Σ q(z|x) in nats: the entropy of the group's mixture by the samples of its first members. */
export function mixtureEntropy(
  { mean, precision, sample }: CodePosteriors,
  group: Uint32Array,
  samples: number,
): number {
  const n = group.length;
  const used = Math.min(samples, n);
  const means = new Float64Array(n);
  const precisions = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    means[i] = mean[group[i]];
    precisions[i] = precision[group[i]];
  }
  let total = 0;
  for (let s = 0; s < used; s++) {
    const z = sample[group[s]];
    let density = 0;
    for (let i = 0; i < n; i++) {
      const distance = (z - means[i]) * precisions[i];
      const exponent = -0.5 * distance * distance;
      // e⁻⁵⁰ is lost beside the sample's own posterior, which is always in the sum.
      if (exponent > -50) density += precisions[i] * Math.exp(exponent);
    }
    total += Math.log(density / n);
  }
  return -total / used + 0.5 * Math.log(2 * Math.PI);
}

function posteriors(mean: Float64Array, logVariance: Float64Array, seed: number, dimension: number): CodePosteriors {
  const source = stream(seed, 'posterior samples of MIG', dimension);
  const sample = mean.map((mu, i) => mu + Math.exp(0.5 * logVariance[i]) * source.normal());
  return { mean, precision: logVariance.map((value) => Math.exp(-0.5 * value)), sample };
}

function membersOf(y: Int32Array, size: number): Uint32Array[] {
  const members: number[][] = Array.from({ length: size }, () => []);
  y.forEach((value, i) => {
    members[value].push(i);
  });
  return members.filter((list) => list.length > 0).map((list) => Uint32Array.from(list));
}
