/**
 * Interventional Robustness Score (Suter et al., 2019): how little a code moves while its factor stays and all others
 * change, against how far it moves at all. As disentanglement_lib computes it, which cuts even discrete factors into bins.
 */

import { discretise, mean, percentile } from '../analysis/index.ts';
import { number } from '../options/index.ts';
import { count, defineMetric, type Score } from './metric.ts';
import { asClasses, classColumns, codeColumns, column, takeRows } from './rows.ts';

export const irs = defineMetric({
  name: 'irs',
  title: 'IRS',
  version: '1',
  needs: ['codes', 'factors'],
  describe: 'how little each dimension moves while its factor stays and the others change',
  better: 'higher',
  options: {
    rows: count('rows to estimate from', 10000, 2),
    bins: count('bins that each factor is cut into', 20),
    quantile: number('of the deviations, in place of the largest', {
      default: 0.99,
      min: 0,
      max: 1,
      schedulable: false,
    }),
  },
  score({ codes, factors }, { rows: most, bins, quantile }, context): Score {
    const notes: string[] = [];
    const rows = takeRows(codes.n, most, context);
    const targets = classColumns(factors, bins, [], Number.POSITIVE_INFINITY);
    if (targets.length < factors.factors.length) notes.push('Factors with a single value are left out.');
    const names = targets.map(({ name }) => name);
    const columns = codeColumns(codes, rows);
    const active = columns.map((z, j) => (z.some((value) => value !== z[0]) ? j : -1)).filter((j) => j >= 0);
    if (active.length < codes.d)
      notes.push(`${codes.d - active.length} of ${codes.d} dimensions are constant and left out.`);
    if (active.length === 0) return { score: 0, parts: { factors: names, active }, notes };
    const groups = targets.map(({ k }) =>
      asClasses(discretise(column(factors.values, factors.factors.length, k, rows), bins)),
    );
    const { matrix, deviations } = robustnessMatrix(
      active.map((j) => columns[j]),
      groups,
      quantile,
    );
    const { score, perCode, parents } = irsOf(matrix, deviations);
    return { score, parts: { factors: names, active, perCode, parents, deviations, matrix, rows: rows.length }, notes };
  },
});

/**
 * I[d][k] = 1 − (mean over values v of factor k of the quantile of |z − E(z|v)|) / max|z − E z|, and that maximum for
 * each code. Codes must vary.
 */
function robustnessMatrix(
  codes: readonly Float64Array[],
  factors: readonly { values: Int32Array; size: number }[],
  quantile: number,
): { matrix: number[][]; deviations: number[] } {
  const members = factors.map(({ values, size }) => {
    const rows: number[][] = Array.from({ length: size }, () => []);
    values.forEach((value, i) => {
      rows[value].push(i);
    });
    return rows.map((list) => Uint32Array.from(list));
  });
  const deviations: number[] = [];
  const matrix = codes.map((z) => {
    const centre = mean(z);
    const furthest = z.reduce((most, value) => Math.max(most, Math.abs(value - centre)), 0);
    deviations.push(furthest);
    return members.map((groups) => {
      let sum = 0;
      for (const group of groups) {
        const values = new Float64Array(group.length);
        for (let i = 0; i < group.length; i++) values[i] = z[group[i]];
        const middle = mean(values);
        for (let i = 0; i < group.length; i++) values[i] = Math.abs(values[i] - middle);
        sum += percentile(values, 100 * quantile);
      }
      return 1 - sum / groups.length / furthest;
    });
  });
  return { matrix, deviations };
}

/** IRS: the mean of each code's best entry, weighted by how far the code moves at all; `parents` are the best factors. */
export function irsOf(
  matrix: readonly (readonly number[])[],
  deviations: readonly number[],
): { score: number; perCode: number[]; parents: number[] } {
  const perCode = matrix.map((row) => Math.max(...row));
  const parents = matrix.map((row, d) => row.indexOf(perCode[d]));
  const total = deviations.reduce((sum, weight) => sum + weight, 0);
  return { score: perCode.reduce((sum, value, d) => sum + value * deviations[d], 0) / total, perCode, parents };
}
