/**
 * Disentanglement, completeness and informativeness (Eastwood & Williams, 2018): gradient-boosted trees predict each factor
 * from all codes; how their importances spread over factors and over codes gives the first two, their accuracy the third.
 * As disentanglement_lib computes it.
 */
import { fitBoostedTrees, predictBoostedTrees } from '../analysis/index.ts';
import { accuracyOf } from './accuracy.ts';
import { defineMetric, trainedOptions } from './metric.ts';
import { classColumns, classesAt, codeRows, splitRows } from './rows.ts';

export const dci = defineMetric({
  name: 'dci',
  title: 'DCI',
  version: '1',
  needs: ['codes', 'factors'],
  describe:
    'disentanglement: whether each dimension matters for one factor only; completeness and informativeness are in the parts',
  better: 'higher',
  options: trainedOptions,
  score({ codes, factors }, { train, test, bins }, context) {
    const notes: string[] = [];
    const { d } = codes;
    const rows = splitRows(codes.n, train, test, context);
    const fitted = codeRows(codes, rows.train);
    const held = codeRows(codes, rows.test);
    const targets = classColumns(factors, bins, notes);
    const columns = targets.map((target, k) =>
      fitFactor({
        d,
        train: { x: fitted, y: classesAt(target, rows.train) },
        test: { x: held, y: classesAt(target, rows.test) },
        classes: target.size,
        seed: context.seed,
        onProgress: (share) => context.onProgress?.((k + share) / targets.length, `DCI, factor “${target.name}”`),
      }),
    );
    const matrix = Array.from({ length: d }, (_, j) => columns.map(({ importances }) => importances[j]));
    const { disentanglement, completeness, perCode, perFactor } = dciOf(matrix);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      score: disentanglement,
      parts: {
        disentanglement,
        completeness,
        informativeness: mean(columns.map((column) => column.testAccuracy)),
        trainInformativeness: mean(columns.map((column) => column.trainAccuracy)),
        factors: targets.map(({ name }) => name),
        accuracyPerFactor: columns.map((column) => column.testAccuracy),
        perCode,
        perFactor,
        matrix,
        trainRows: rows.train.length,
        testRows: rows.test.length,
      },
      notes,
    };
  },
});

export interface FactorFit {
  d: number;
  train: { x: Float64Array; y: Int32Array };
  test: { x: Float64Array; y: Int32Array };
  classes: number;
  seed: number;
  onProgress?: (share: number) => void;
}

/** One column of the importance matrix, with the accuracy of its trees. Factors do not depend on each other, so workers can share them. */
export function fitFactor({ d, train, test, classes, seed, onProgress }: FactorFit): {
  importances: Float64Array;
  trainAccuracy: number;
  testAccuracy: number;
} {
  const model = fitBoostedTrees({ x: train.x, n: train.y.length, d, y: train.y, classes, seed, onProgress });
  const accuracy = ({ x, y }: { x: Float64Array; y: Int32Array }) =>
    accuracyOf(predictBoostedTrees(model, x, y.length, d), y);
  return { importances: model.importances, trainAccuracy: accuracy(train), testAccuracy: accuracy(test) };
}

/**
 * Disentanglement of each code, 1 − H(its row)/ln K, weighted by its share of all importance; completeness of each factor,
 * 1 − H(its column)/ln D, weighted alike. With one factor (or one code) there is nothing to spread over, and it is 1.
 */
export function dciOf(matrix: readonly (readonly number[])[]): {
  disentanglement: number;
  completeness: number;
  perCode: number[];
  perFactor: number[];
} {
  const columns = matrix[0].map((_, k) => matrix.map((row) => row[k]));
  const perCode = matrix.map(concentration);
  const perFactor = columns.map(concentration);
  return {
    disentanglement: weighted(perCode, matrix),
    completeness: weighted(perFactor, columns),
    perCode,
    perFactor,
  };
}

/** 1 − the entropy of the line in units of its largest; 10⁻¹¹ is added to every entry first, so that a line of zeros spreads evenly. */
function concentration(line: readonly number[]): number {
  if (line.length === 1) return 1;
  const sum = line.reduce((all, value) => all + value + 1e-11, 0);
  let entropy = 0;
  for (const value of line) {
    const p = (value + 1e-11) / sum;
    entropy -= p * Math.log(p);
  }
  return 1 - entropy / Math.log(line.length);
}

/** The mean, weighted by the sums of the lines; evenly if all are zero. */
function weighted(values: readonly number[], lines: readonly (readonly number[])[]): number {
  const sums = lines.map((line) => line.reduce((all, value) => all + value, 0));
  const total = sums.reduce((all, value) => all + value, 0);
  return values.reduce((all, value, i) => all + value * (total > 0 ? sums[i] / total : 1 / values.length), 0);
}
