/**
 * Interventional Robustness Score (Suter et al., 2019): how little a code moves while its factor stays and all others
 * change, against how far it moves at all. As disentanglement_lib computes it, which cuts even discrete factors into bins.
 */

import { discretise, mean, percentileInPlace } from '../analysis/index.ts';
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
  const grouped = factors.map(groupRows);
  const deviations: number[] = [];
  const matrix = codes.map((z) => {
    const centre = mean(z);
    let furthest = 0;
    for (let i = 0; i < z.length; i++) furthest = Math.max(furthest, Math.abs(z[i] - centre));
    deviations.push(furthest);
    const values = new Float64Array(z.length);
    return grouped.map(({ order, ends }) => {
      for (let i = 0; i < order.length; i++) values[i] = z[order[i]];
      let sum = 0;
      let start = 0;
      for (const end of ends) {
        const group = values.subarray(start, end);
        const middle = mean(group);
        for (let i = 0; i < group.length; i++) group[i] = Math.abs(group[i] - middle);
        sum += percentileInPlace(group, 100 * quantile);
        start = end;
      }
      return 1 - sum / ends.length / furthest;
    });
  });
  return { matrix, deviations };
}

/** The rows, those of the same value side by side, and where each value's end. */
function groupRows({ values, size }: { values: Int32Array; size: number }): { order: Uint32Array; ends: number[] } {
  const rows: number[][] = Array.from({ length: size }, () => []);
  values.forEach((value, i) => {
    rows[value].push(i);
  });
  let end = 0;
  return { order: Uint32Array.from(rows.flat()), ends: rows.map((list) => (end += list.length)) };
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
