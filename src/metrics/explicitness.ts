/**
 * Explicitness (Ridgeway & Mozer, 2018): whether all codes together tell every value of every factor linearly: the mean
 * one-vs-rest area under the ROC curve of logistic regression on standardised codes, as disentanglement_lib computes it.
 */
import { fitLogistic, logisticProbabilities, rocAuc, standardise } from '../analysis/index.ts';
import { defineMetric, trainedOptions } from './metric.ts';
import { classColumns, classesAt, codeRows, splitRows } from './rows.ts';

export const explicitness = defineMetric({
  name: 'explicitness',
  title: 'Explicitness',
  version: '1',
  needs: ['codes', 'factors'],
  describe:
    'whether all dimensions together tell every factor’s values linearly (area under the ROC curve; 0.5 is chance)',
  better: 'higher',
  options: trainedOptions,
  score({ codes, factors }, { train, test, bins }, context) {
    const notes: string[] = [];
    const { d } = codes;
    const rows = splitRows(codes.n, train, test, context);
    const fitted = standardise(codeRows(codes, rows.train), rows.train.length, d);
    const held = standardise(codeRows(codes, rows.test), rows.test.length, d, fitted.scale);
    const targets = classColumns(factors, bins, notes);
    const areas = targets.map((target, k) => {
      context.onProgress?.(k / targets.length, 'Explicitness');
      const part = (x: Float64Array, at: Uint32Array) => ({ x, y: classesAt(target, at), n: at.length });
      const { missing, ...area } = areasOf(
        part(fitted.values, rows.train),
        part(held.values, rows.test),
        d,
        target.size,
      );
      if (missing > 0)
        notes.push(
          `${missing} of ${target.size} values of factor “${target.name}” are not among the test rows and are not counted.`,
        );
      return area;
    });
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      score: mean(areas.map((area) => area.test)),
      parts: {
        factors: targets.map(({ name }) => name),
        perFactor: areas.map((area) => area.test),
        trainScore: mean(areas.map((area) => area.train)),
        trainRows: rows.train.length,
        testRows: rows.test.length,
      },
      notes,
    };
  },
});

interface Part {
  x: Float64Array;
  y: Int32Array;
  n: number;
}

/** Mean areas of logistic regression on the rows it was fitted to and on others, and how many of its classes these lack. */
export function areasOf(
  train: Part,
  test: Part,
  d: number,
  classes: number,
): { train: number; test: number; missing: number } {
  const model = fitLogistic({ x: train.x, n: train.n, d, y: train.y, classes });
  const area = ({ x, y, n }: Part) => meanArea(logisticProbabilities(model, x, n, d), model.classes, y);
  const missing = model.classes.filter((c) => !test.y.includes(c)).length;
  return { train: area(train), test: area(test), missing };
}

/** The mean area over the classes that have rows and leave rows; ½ if no class does, as nothing can be told. */
export function meanArea(probabilities: Float64Array, classes: readonly number[], actual: Int32Array): number {
  const scores = new Float64Array(actual.length);
  const positive = new Uint8Array(actual.length);
  const areas = classes.map((c, at) => {
    for (let i = 0; i < actual.length; i++) {
      scores[i] = probabilities[i * classes.length + at];
      positive[i] = actual[i] === c ? 1 : 0;
    }
    return rocAuc(scores, positive);
  });
  const known = areas.filter((area) => !Number.isNaN(area));
  return known.length === 0 ? 0.5 : known.reduce((sum, area) => sum + area, 0) / known.length;
}
