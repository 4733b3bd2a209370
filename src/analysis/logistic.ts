/**
 * Logistic regression with an L2 penalty, as scikit-learn states it: multinomial (the default since 0.22, intercept
 * free), or one class against the rest with the intercept penalised (liblinear, the default before):
 *
 *   min ½‖W‖² + C Σ −ln p(y_i | x_i)
 *
 * Two classes are the binomial case in both.
 */
import { doubles, presentClasses, requireLabels, requireMatrix, requirePositive } from './input.ts';
import { decision, emptyClassifier, type LinearClassifier } from './linear-classifier.ts';
import { sigmoid, softmax, solveLogistic } from './logistic-newton.ts';

type Kind = 'multinomial' | 'one-vs-rest';

export interface LogisticData {
  /** n rows of d columns. */
  x: ArrayLike<number>;
  n: number;
  d: number;
  /** A class 0 … classes−1 for each row. */
  y: ArrayLike<number>;
  classes: number;
  /** The weight C of the loss against the penalty. */
  c?: number;
  kind?: Kind;
  /** Only the one-vs-rest kind does so by default. */
  penaliseIntercept?: boolean;
}

/** Two classes are one row of weights in both kinds: the log odds of the second. */
export interface LogisticModel extends LinearClassifier {
  kind: Kind;
}

/** @example predict(fitLogistic({ x, n, d, y, classes: 10 }), x, n, d) */
export function fitLogistic(data: LogisticData): LogisticModel {
  const { n, d, y, classes, c = 1, kind = 'multinomial' } = data;
  const { penaliseIntercept = kind === 'one-vs-rest' } = data;
  requireMatrix(data.x, n, d);
  requireLabels(y, n, classes);
  requirePositive(c, 'The weight C of the loss');
  const x = doubles(data.x);
  const { present, place } = presentClasses(y, classes);
  const model: LogisticModel = { ...emptyClassifier(present, d), kind };
  if (present.length === 1) return model;

  const problem = { x, n, d, c, penaliseIntercept };
  const put = (w: Float64Array, row: number) => {
    model.weights.set(w.subarray(0, d), row * d);
    model.intercepts[row] = w[d];
  };
  if (present.length === 2) put(solveLogistic({ ...problem, rows: 1, target: place }), 0);
  else if (kind === 'multinomial') {
    const w = solveLogistic({ ...problem, rows: present.length, target: place });
    for (let row = 0; row < present.length; row++) put(w.subarray(row * (d + 1), (row + 1) * (d + 1)), row);
    // A constant in all intercepts changes nothing; scikit-learn's path from zero keeps their sum at zero.
    const mean = model.intercepts.reduce((sum, b) => sum + b, 0) / present.length;
    for (let row = 0; row < present.length; row++) model.intercepts[row] -= mean;
  } else
    for (let row = 0; row < present.length; row++)
      put(solveLogistic({ ...problem, rows: 1, target: place.map((at) => (at === row ? 1 : 0)) }), row);
  return model;
}

/** The n × classes probabilities of the classes that were present: softmax, or normalised sigmoids for one-vs-rest. */
export function logisticProbabilities(model: LogisticModel, x: ArrayLike<number>, n: number, d: number): Float64Array {
  const values = decision(model, x, n, d);
  const k = model.classes.length;
  if (k === 1) return values.fill(1);
  if (k === 2) {
    const pairs = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      pairs[2 * i] = sigmoid(-values[i]);
      pairs[2 * i + 1] = sigmoid(values[i]);
    }
    return pairs;
  }
  for (let i = 0; i < n; i++) {
    const row = values.subarray(i * k, (i + 1) * k);
    if (model.kind === 'multinomial') softmax(row);
    else {
      let sum = 0;
      for (let r = 0; r < k; r++) sum += row[r] = sigmoid(row[r]);
      for (let r = 0; r < k; r++) row[r] = sum > 0 ? row[r] / sum : 1 / k;
    }
  }
  return values;
}
