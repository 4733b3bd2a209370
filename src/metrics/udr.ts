/**
 * Unsupervised Disentanglement Ranking (Duan et al., 2020): models that take the data apart in the same way, up to order
 * and sign of their dimensions, are likely to be right. Each model's score is the median of its agreement with the others.
 */

import { fitLasso, percentile, spearmanMatrix, standardise } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { boolean, choice, number } from '../options/index.ts';
import { klPerDimension } from './kl.ts';
import { type CodeTable, defineMetric } from './metric.ts';

export const udr = defineMetric({
  name: 'udr',
  title: 'UDR',
  version: '1',
  needs: ['models'],
  describe: 'how far models of the same data agree on its dimensions, up to their order and sign',
  better: 'higher',
  options: {
    similarity: choice('how two models’ dimensions are compared', ['lasso', 'spearman'], { default: 'lasso' }),
    alpha: number('weight of the lasso penalty', { default: 0.1, above: 0, schedulable: false }),
    minimumKl: number('dimensions with a smaller KL to the prior are set to 0', {
      default: 0.01,
      min: 0,
      schedulable: false,
    }),
    filterLowKl: boolean('whether such dimensions are left out of the score, or count as 0', { default: true }),
  },
  score({ models }, { similarity, alpha, minimumKl, filterLowKl }, context) {
    const notes: string[] = [];
    const views = models.map((model) => viewOf(model, minimumKl, filterLowKl));
    views.forEach(({ kept }, i) => {
      if (kept.length === 0) notes.push(`Model ${i + 1} has no dimension above the KL threshold and scores 0.`);
    });
    const pairs = views.map((a, i) => {
      context.onProgress?.(i / views.length, 'UDR');
      return views.map((b, j) => {
        if (i === j || a.kept.length === 0 || b.kept.length === 0) return 0;
        const matrix = similarity === 'lasso' ? lassoMatrix(a, b, alpha) : spearman(a, b);
        return relativeStrength(a.kept.map((r) => b.kept.map((c) => matrix[r][c])));
      });
    });
    const perModel = views.map((_, i) =>
      percentile(
        pairs.map((row) => row[i]).filter((_, j) => j !== i),
        50,
      ),
    );
    return {
      score: perModel.reduce((sum, value) => sum + value, 0) / perModel.length,
      parts: { perModel, pairs },
      notes,
    };
  },
});

/**
 * How near a similarity matrix is to one partner for every dimension: the mean over columns of max²/sum, and the same over
 * rows, averaged. A column without any similarity counts as 0.
 */
export function relativeStrength(matrix: readonly (readonly number[])[]): number {
  const columns = matrix[0].map((_, j) => matrix.map((row) => row[j]));
  return (meanStrength(columns) + meanStrength(matrix)) / 2;
}

function meanStrength(lines: readonly (readonly number[])[]): number {
  let total = 0;
  for (const line of lines) {
    const sum = line.reduce((all, value) => all + value, 0);
    if (sum > 0) total += Math.max(...line) ** 2 / sum;
  }
  return total / lines.length;
}

/** A model's codes brought to mean 0 and variance 1, zero where the posterior tells nothing. */
interface View {
  x: Float64Array;
  n: number;
  d: number;
  /** The dimensions that count. */
  kept: number[];
}

function viewOf(model: CodeTable, minimumKl: number, filterLowKl: boolean): View {
  const { values, n, d, logVariance } = model;
  if (!logVariance) throw new UntangleError('UDR needs the log variances of the posteriors of every model.');
  const kl = klPerDimension({ ...model, logVariance });
  const x = standardise(values, n, d).values;
  for (let at = 0; at < x.length; at++) if (kl[at % d] <= minimumKl) x[at] = 0;
  const kept = Array.from({ length: d }, (_, j) => j).filter((j) => !filterLowKl || kl[j] > minimumKl);
  return { x, n, d, kept };
}

/** |coefficient| of each dimension of `a` (row) in the lasso that predicts each dimension of `b` (column). */
function lassoMatrix(a: View, b: View, alpha: number): number[][] {
  const { weights } = fitLasso({ x: a.x, n: a.n, d: a.d, y: b.x, targets: b.d, alpha });
  return Array.from({ length: a.d }, (_, i) => Array.from({ length: b.d }, (_, j) => Math.abs(weights[j * a.d + i])));
}

/** |ρ| of each dimension of `a` with each of `b`; 0 where one is constant. */
function spearman(a: View, b: View): number[][] {
  const d = a.d + b.d;
  const both = new Float64Array(a.n * d);
  for (let i = 0; i < a.n; i++) {
    both.set(a.x.subarray(i * a.d, (i + 1) * a.d), i * d);
    both.set(b.x.subarray(i * b.d, (i + 1) * b.d), i * d + a.d);
  }
  const rho = spearmanMatrix(both, a.n, d);
  return Array.from({ length: a.d }, (_, i) =>
    Array.from({ length: b.d }, (_, j) => Math.abs(rho[i * d + a.d + j]) || 0),
  );
}
