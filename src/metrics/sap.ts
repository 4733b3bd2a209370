/**
 * Separated Attribute Predictability: how much better the best single latent predicts a factor than the second best
 * (Kumar et al., DIP-VAE, section 3), in the paper's own form and in the two of disentanglement_lib. The three give very
 * different numbers and are never to be compared.
 */

import { fitLinearSvm, mean, predict, variance } from '../analysis/index.ts';
import { choice, integer, number } from '../options/index.ts';
import { accuracyOf } from './accuracy.ts';
import { groupLatents, groupR2, groupThresholdAccuracy } from './latent-groups.ts';
import { count, defineMetric, type FactorTable, type Score, type ScoreContext, type Supplied } from './metric.ts';
import { type ClassColumn, classColumns, classesAt, codeColumns, column, splitRows, takeRows } from './rows.ts';
import { ascending, thresholdAccuracy } from './thresholds.ts';

export const sap = defineMetric({
  name: 'sap',
  title: 'SAP',
  version: '1',
  needs: ['codes', 'factors'],
  describe: 'how much better the best single dimension predicts each factor than the second best',
  better: 'higher',
  options: {
    form: choice(
      'kumar: R² or fitted thresholds; linear-svc and r2: disentanglement_lib’s discrete and continuous forms',
      ['kumar', 'linear-svc', 'r2'],
      { default: 'kumar' },
    ),
    train: count('rows to fit on (kumar and r2 use no others)', 10000, 2),
    test: count('rows that linear-svc is tested on', 5000),
    c: number('weight of the loss in linear-svc', { default: 0.01, above: 0, schedulable: false }),
    regressAbove: integer('kumar: a discrete factor with more values than this is ordered, and gets R²', {
      default: null,
      min: 1,
    }),
    inactiveStd: number('kumar: a dimension with a smaller standard deviation is inactive and scores 0', {
      default: 1e-6,
      min: 0,
      schedulable: false,
    }),
    groupAbove: number('kumar: dimensions with at least this correlation count as one group', {
      default: null,
      min: 0,
      max: 1,
      schedulable: false,
    }),
  },
  score(inputs, options, context) {
    const notes: string[] = [];
    if (inputs.codes.d === 1) notes.push('There is one dimension, so the second best counts as 0.');
    const scored = options.form === 'linear-svc' ? scoreSvc : scoreOnce;
    return scored(inputs, options, context, notes);
  },
});

/** Fitting thresholds takes work with the square of the number of values. */
const mostThresholds = 300;

interface SapOptions {
  form: 'kumar' | 'linear-svc' | 'r2';
  train: number;
  test: number;
  c: number;
  regressAbove: number | null;
  inactiveStd: number;
  groupAbove: number | null;
}

/** SAP of a score matrix with a row a latent and a column a factor: mean_k (largest − second largest of column k). */
export function sapOf(matrix: readonly (readonly number[])[]): { score: number; gaps: number[] } {
  const gaps = matrix[0].map((_, k) => {
    const [first, second = 0] = matrix.map((row) => row[k]).sort((a, b) => b - a);
    return first - second;
  });
  return { score: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length, gaps };
}

/** R² of each factor on each latent, Cov²/(Var·Var); 0 for a latent whose variance is at most `inactiveVariance`. */
export function r2Matrix(
  codes: readonly Float64Array[],
  factors: readonly Float64Array[],
  inactiveVariance = 1e-12,
): number[][] {
  const targets = factors.map(centred);
  return codes.map((column) => {
    const z = centred(column);
    const variance = dot(z, z) / (z.length - 1);
    return targets.map((y) => {
      const spread = dot(y, y);
      return variance > inactiveVariance && spread > 0 ? dot(z, y) ** 2 / (dot(z, z) * spread) : 0;
    });
  });
}

/** Test accuracy (not balanced) of disentanglement_lib's LinearSVC that predicts each factor from each latent alone. */
export function linearSvcMatrix(
  train: { codes: readonly Float64Array[]; factors: readonly { values: Int32Array; size: number }[] },
  test: { codes: readonly Float64Array[]; factors: readonly { values: Int32Array }[] },
  c: number,
  onProgress: (share: number) => void = () => {},
): number[][] {
  return train.codes.map((x, j) => {
    onProgress(j / train.codes.length);
    return train.factors.map(({ values: y, size }, k) => {
      const model = fitLinearSvm({ x, n: x.length, d: 1, y, classes: size, c, classWeight: 'balanced' });
      const predicted = predict(model, test.codes[j], test.codes[j].length, 1);
      return accuracyOf(predicted, test.factors[k].values);
    });
  });
}

function scoreSvc(
  { codes, factors }: Supplied<'codes' | 'factors'>,
  options: SapOptions,
  context: ScoreContext,
  notes: string[],
): Score {
  const rows = splitRows(codes.n, options.train, options.test, context);
  const classes = classColumns(factors, 20, notes);
  const part = (at: Uint32Array) => ({
    codes: codeColumns(codes, at),
    factors: classes.map((factor) => ({ values: classesAt(factor, at), size: factor.size })),
  });
  const matrix = linearSvcMatrix(part(rows.train), part(rows.test), options.c, (share) =>
    context.onProgress?.(share, 'SAP'),
  );
  return finish(
    matrix,
    classes.map(({ name }) => name),
    notes,
    { rows: rows.train.length, testRows: rows.test.length },
  );
}

/** Both forms that fit and score on the same rows. */
function scoreOnce(
  { codes, factors }: Supplied<'codes' | 'factors'>,
  options: SapOptions,
  context: ScoreContext,
  notes: string[],
): Score {
  const rows = takeRows(codes.n, options.train, context);
  const columns = codeColumns(codes, rows);
  const targets = classColumns(factors, 20, [], Number.POSITIVE_INFINITY);
  if (targets.length < factors.factors.length) notes.push('Factors with a single value are left out.');
  if (options.form === 'r2') {
    const matrix = r2Matrix(
      columns,
      targets.map((target) => numbers(factors, target, rows)),
    );
    return finish(
      matrix,
      targets.map(({ name }) => name),
      notes,
      { rows: rows.length },
    );
  }

  const active = columns.map((z) => Math.sqrt(variance(z, 1)) > options.inactiveStd);
  const inactive = active.filter((is) => !is).length;
  if (inactive > 0) notes.push(`${inactive} of ${codes.d} dimensions are inactive and score 0.`);
  const groups = options.groupAbove === null ? columns.map((_, j) => [j]) : groupLatents(columns, options.groupAbove);
  const regressed = targets.map(({ k, name, size }) => {
    if (size > mostThresholds && factors.factors[k].kind === 'discrete')
      notes.push(`Factor “${name}” has ${size} values, too many for thresholds, and gets R².`);
    return factors.factors[k].kind === 'continuous' || size > Math.min(mostThresholds, options.regressAbove ?? size);
  });
  const orders = columns.map((z) => ascending(z));
  const matrix = groups.map((group) => {
    const members = group.filter((j) => active[j]);
    return targets.map((target, t) => {
      if (members.length === 0) return 0;
      const together = members.map((j) => columns[j]);
      if (regressed[t]) {
        const y = numbers(factors, target, rows);
        return members.length === 1 ? r2Matrix(together, [y], 0)[0][0] : groupR2(together, y);
      }
      const classes = classesAt(target, rows);
      return members.length === 1
        ? thresholdAccuracy(together[0], orders[members[0]], classes, target.size)
        : groupThresholdAccuracy(together, classes, target.size);
    });
  });
  const grouping: Record<string, number[][]> = options.groupAbove === null ? {} : { groups };
  return finish(
    matrix,
    targets.map(({ name }) => name),
    notes,
    { rows: rows.length, ...grouping },
  );
}

/** A factor's own numbers at the given rows. */
function numbers(table: FactorTable, { k }: ClassColumn, rows: Uint32Array): Float64Array {
  return column(table.values, table.factors.length, k, rows);
}

function finish(
  matrix: number[][],
  factors: string[],
  notes: string[],
  more: Record<string, number | number[][]>,
): Score {
  const { score, gaps } = sapOf(matrix);
  return { score, parts: { factors, gaps, matrix, ...more }, notes };
}

function centred(values: Float64Array): Float64Array {
  const middle = mean(values);
  return values.map((value) => value - middle);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
