/**
 * Mutual Information Gap: how much more the best code knows of a factor than the second best, in units of the factor's
 * entropy. Codes are cut into a histogram, as disentanglement_lib does it; Chen et al.'s own estimator is `mig-sampled`.
 */
import { discretise, entropy, mutualInformation } from '../analysis/index.ts';
import { count, defineMetric } from './metric.ts';
import { classColumns, classesAt, codeColumns, takeRows } from './rows.ts';

export const mig = defineMetric({
  name: 'mig',
  title: 'MIG',
  version: '1',
  needs: ['codes', 'factors'],
  describe:
    'how much more the best dimension knows of each factor than the second best (share of the factor’s entropy)',
  better: 'higher',
  options: {
    rows: count('rows to estimate from', 10000, 2),
    bins: count('bins of the histogram of each dimension', 20),
  },
  score({ codes, factors }, { rows: most, bins }, context) {
    const notes: string[] = [];
    const rows = takeRows(codes.n, most, context);
    const targets = classColumns(factors, bins, notes);
    const ys = targets.map((target) => classesAt(target, rows));
    const matrix = informationMatrix(codeColumns(codes, rows), ys, bins);
    const entropies = ys.map((y) => entropy(y));
    const { score, gaps } = migOf(matrix, entropies);
    return {
      score,
      parts: { factors: targets.map(({ name }) => name), gaps, entropies, matrix, rows: rows.length },
      notes,
    };
  },
});

/** Mutual information, in nats, of each code's histogram with each factor: a row a code, a column a factor. */
export function informationMatrix(
  codes: readonly Float64Array[],
  factors: readonly ArrayLike<number>[],
  bins: number,
): number[][] {
  return codes.map((column) => {
    const cut = discretise(column, bins);
    // A constant code knows nothing; rounding in the sum would say 1e-17, which a ratio of informations takes at its word.
    if (cut.every((digit) => digit === cut[0])) return factors.map(() => 0);
    return factors.map((y) => mutualInformation(cut, y));
  });
}

/** MIG = mean_k (M₍₁₎ₖ − M₍₂₎ₖ)/H_k of a matrix with a row a code and a column a factor. */
export function migOf(
  matrix: readonly (readonly number[])[],
  entropies: readonly number[],
): { score: number; gaps: number[] } {
  const gaps = entropies.map((h, k) => {
    const [first, second = 0] = matrix.map((row) => row[k]).sort((a, b) => b - a);
    return h > 0 ? (first - second) / h : 0;
  });
  return { score: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length, gaps };
}
