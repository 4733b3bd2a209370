/** What linear classifiers have in common: a row of weights and an intercept for each class, and the choice by them. */
import { requireMatrix, requireWidth } from './input.ts';

/**
 * One row of d weights and one intercept for each class; for two classes a single row, which speaks for the second; for
 * one class a row of zeros.
 */
export interface LinearClassifier {
  /** The labels that were present, ascending. */
  classes: number[];
  weights: Float64Array;
  intercepts: Float64Array;
}

/** weights · x + intercept of each row for each row of weights: n × (classes, or 1 where there are at most two). */
export function decision(model: LinearClassifier, x: ArrayLike<number>, n: number, d: number): Float64Array {
  requireMatrix(x, n, d);
  const { weights, intercepts } = model;
  const rows = intercepts.length;
  requireWidth(weights.length / rows, d);
  const values = new Float64Array(n * rows);
  for (let i = 0; i < n; i++)
    for (let r = 0; r < rows; r++) {
      let sum = intercepts[r];
      for (let j = 0; j < d; j++) sum += weights[r * d + j] * x[i * d + j];
      values[i * rows + r] = sum;
    }
  return values;
}

/** The class of the largest decision value, the lowest label among equals; of two classes the second if it is positive. */
export function predict(model: LinearClassifier, x: ArrayLike<number>, n: number, d: number): Int32Array {
  const { classes } = model;
  const values = decision(model, x, n, d);
  const rows = model.intercepts.length;
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    let best = 0;
    if (classes.length === 2) best = values[i] > 0 ? 1 : 0;
    else for (let r = 1; r < rows; r++) if (values[i * rows + r] > values[i * rows + best]) best = r;
    labels[i] = classes[best];
  }
  return labels;
}

/** A classifier with all weights zero, to be filled in. */
export function emptyClassifier(classes: number[], d: number): LinearClassifier {
  const rows = classes.length > 2 ? classes.length : 1;
  return { classes, weights: new Float64Array(rows * d), intercepts: new Float64Array(rows) };
}
