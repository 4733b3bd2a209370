/**
 * Modularity (Ridgeway & Mozer, 2018): whether each code is about one factor only. For code d with squared informations
 * q_k = MI²: 1 − (Σ q − max q)/(max q · (K − 1)), averaged over codes, as disentanglement_lib computes it.
 */
import { count, defineMetric } from './metric.ts';
import { informationMatrix } from './mig.ts';
import { classColumns, classesAt, codeColumns, takeRows } from './rows.ts';

export const modularity = defineMetric({
  name: 'modularity',
  title: 'Modularity',
  version: '1',
  needs: ['codes', 'factors'],
  describe: 'whether each dimension knows of one factor only (dead dimensions count as 0)',
  better: 'higher',
  options: {
    rows: count('rows to estimate from', 10000, 2),
    bins: count('bins of the histogram of each dimension', 20),
  },
  score({ codes, factors }, { rows: most, bins }, context) {
    const notes: string[] = [];
    const rows = takeRows(codes.n, most, context);
    const targets = classColumns(factors, bins, notes);
    const matrix = informationMatrix(
      codeColumns(codes, rows),
      targets.map((target) => classesAt(target, rows)),
      bins,
    );
    const { score, perCode } = modularityOf(matrix);
    const dead = matrix.filter((row) => row.every((value) => value === 0)).length;
    if (dead > 0) notes.push(`${dead} of ${codes.d} dimensions know of no factor and count as 0.`);
    return { score, parts: { factors: targets.map(({ name }) => name), perCode, matrix, rows: rows.length }, notes };
  },
});

/** Modularity of an information matrix with a row a code and a column a factor. With one factor, every live code is modular. */
export function modularityOf(matrix: readonly (readonly number[])[]): { score: number; perCode: number[] } {
  const perCode = matrix.map((row) => {
    const squares = row.map((value) => value * value);
    const most = Math.max(...squares);
    if (most === 0) return 0;
    const rest = squares.reduce((sum, square) => sum + square, 0) - most;
    return 1 - rest / (most * Math.max(1, row.length - 1));
  });
  return { score: perCode.reduce((sum, value) => sum + value, 0) / perCode.length, perCode };
}
