/**
 * The linear support vector machine, one class against the rest, with the objective and the class weights of liblinear (Fan
 * et al., 2008), with the squared hinge loss unless the plain one is asked for:
 *
 *   min ½‖(w, b)‖² + Σ C_i max(0, 1 − t_i (w·x_i + b))²
 *
 * The intercept is penalised like a weight. The problem is strictly convex and piecewise quadratic, so Newton's method
 * ends at the minimum itself.
 */
import { hingeDescent } from './hinge-descent.ts';
import { doubles, presentClasses, requireLabels, requireMatrix, requirePositive } from './input.ts';
import { emptyClassifier, type LinearClassifier } from './linear-classifier.ts';
import { type Convex, minimise } from './newton.ts';
import { lowerBound, upperBound } from './search.ts';

export interface LinearSvmData {
  /** n rows of d columns. */
  x: ArrayLike<number>;
  n: number;
  d: number;
  /** A class 0 … classes−1 for each row. */
  y: ArrayLike<number>;
  classes: number;
  /** The weight C of the loss against the penalty. */
  c: number;
  /**
   * `balanced`: C · n / (classes present · rows of the class). With more than two classes liblinear gives this weight to
   * the class itself and plain C to all the rest.
   */
  classWeight?: 'balanced' | 'none';
  /** What a row on the wrong side of its margin costs: the square of how far, or how far. */
  loss?: 'squared-hinge' | 'hinge';
  /** The intercept is always penalised here, as liblinear does. */
  regulariseIntercept?: true;
}

/**
 * Fits one machine for each class that is present (a single one for two classes).
 *
 * @example predict(fitLinearSvm({ x, n, d, y, classes: 3, c: 0.01, classWeight: 'balanced' }), x, n, d)
 */
export function fitLinearSvm(data: LinearSvmData): LinearClassifier {
  const { x, n, d, y, classes, c, classWeight = 'none', loss = 'squared-hinge' } = data;
  requireMatrix(x, n, d);
  requireLabels(y, n, classes);
  requirePositive(c, 'The weight C of the loss');
  const { present, place } = presentClasses(y, classes);
  const model = emptyClassifier(present, d);
  if (present.length === 1) return model;

  const counts = new Float64Array(present.length);
  for (const at of place) counts[at]++;
  const weightOf = (at: number) => (classWeight === 'balanced' ? (c * n) / (present.length * counts[at]) : c);
  const values = doubles(x);
  const lossOf = d === 1 ? onLine(x, place, counts) : inSpace(values, n, d, place);
  for (let row = 0; row < model.intercepts.length; row++) {
    const positive = present.length === 2 ? 1 : row;
    const [own, others] = [weightOf(positive), present.length === 2 ? weightOf(0) : c];
    const w =
      loss === 'hinge'
        ? hingeDescent(
            values,
            n,
            d,
            (i) => (place[i] === positive ? 1 : -1),
            (i) => (place[i] === positive ? own : others),
          )
        : minimised(lossOf(positive, own, others), d);
    model.weights.set(w.subarray(0, d), row * d);
    model.intercepts[row] = w[d];
  }
  return model;
}

function minimised(objective: Convex, d: number): Float64Array {
  const w = new Float64Array(d + 1);
  minimise(objective, w);
  return w;
}

/** The objective of one class against the rest: which class, C of its rows, C of the others. */
type Objective = (positive: number, cPositive: number, cNegative: number) => Convex;

function inSpace(x: Float64Array, n: number, d: number, place: Int32Array): Objective {
  const m = d + 1;
  return (positive, cPositive, cNegative) => {
    const margin = (w: Float64Array, i: number) => {
      let sum = w[d];
      for (let j = 0; j < d; j++) sum += w[j] * x[i * d + j];
      return sum;
    };
    return {
      value(w) {
        let sum = 0;
        for (let j = 0; j < m; j++) sum += 0.5 * w[j] * w[j];
        for (let i = 0; i < n; i++) {
          const own = place[i] === positive;
          const slack = 1 - (own ? 1 : -1) * margin(w, i);
          if (slack > 0) sum += (own ? cPositive : cNegative) * slack * slack;
        }
        return sum;
      },
      derivatives(w, gradient, hessian) {
        gradient.set(w);
        hessian.fill(0);
        for (let j = 0; j < m; j++) hessian[j * m + j] = 1;
        for (let i = 0; i < n; i++) {
          const own = place[i] === positive;
          const t = own ? 1 : -1;
          const f = margin(w, i);
          if (t * f >= 1) continue;
          const scale = 2 * (own ? cPositive : cNegative);
          for (let j = 0; j < d; j++) {
            const scaled = scale * x[i * d + j];
            gradient[j] += (f - t) * scaled;
            for (let k = 0; k <= j; k++) hessian[j * m + k] += scaled * x[i * d + k];
            hessian[d * m + j] += scaled;
          }
          gradient[d] += (f - t) * scale;
          hessian[d * m + d] += scale;
        }
      },
    };
  };
}

/** Sorted values with the sums of their powers 0, 1 and 2 before each place, so that sums over an interval cost a search. */
interface Sums {
  sorted: Float64Array;
  first: Float64Array;
  second: Float64Array;
}

/**
 * The same objective on the line. There the rows with slack are those on one side of a point, so that with sums over
 * sorted values a Newton step costs a few searches, whatever n is.
 */
function onLine(x: ArrayLike<number>, place: Int32Array, counts: Float64Array): Objective {
  const all = sumsOf(Float64Array.from(x));
  const values = Array.from(counts, (count) => new Float64Array(count));
  const filled = new Int32Array(counts.length);
  for (let i = 0; i < place.length; i++) values[place[i]][filled[place[i]]++] = x[i];
  const ofClass = values.map(sumsOf);

  return (positive, cPositive, cNegative) => {
    const own = ofClass[positive];
    // Power sums of the rows with slack: 0 … 2 of the positives, 3 … 5 of the negatives.
    const s = new Float64Array(6);
    const collect = (w: number, b: number) => {
      s.fill(0);
      addSide(own, w, b, 1, s, 0, 1);
      addSide(all, w, b, -1, s, 3, 1);
      addSide(own, w, b, -1, s, 3, -1);
    };
    return {
      value([w, b]) {
        collect(w, b);
        const p = 1 - b;
        const q = 1 + b;
        const lossPositive = s[0] * p * p - 2 * p * w * s[1] + w * w * s[2];
        const lossNegative = s[3] * q * q + 2 * q * w * s[4] + w * w * s[5];
        return 0.5 * (w * w + b * b) + cPositive * lossPositive + cNegative * lossNegative;
      },
      derivatives([w, b], gradient, hessian) {
        collect(w, b);
        const n0 = 2 * (cPositive * s[0] + cNegative * s[3]);
        const n1 = 2 * (cPositive * s[1] + cNegative * s[4]);
        const n2 = 2 * (cPositive * s[2] + cNegative * s[5]);
        gradient[0] = w + w * n2 + b * n1 - 2 * (cPositive * s[1] - cNegative * s[4]);
        gradient[1] = b + w * n1 + b * n0 - 2 * (cPositive * s[0] - cNegative * s[3]);
        hessian[0] = 1 + n2;
        hessian[2] = n1;
        hessian[3] = 1 + n0;
      },
    };
  };
}

function sumsOf(values: Float64Array): Sums {
  const sorted = values.sort();
  const first = new Float64Array(sorted.length + 1);
  const second = new Float64Array(sorted.length + 1);
  for (let p = 0; p < sorted.length; p++) {
    first[p + 1] = first[p] + sorted[p];
    second[p + 1] = second[p] + sorted[p] * sorted[p];
  }
  return { sorted, first, second };
}

/** Adds `sign` times the power sums of the values with t (w x + b) < 1 to s[at …]. */
function addSide(sums: Sums, w: number, b: number, t: number, s: Float64Array, at: number, sign: number): void {
  const { sorted, first, second } = sums;
  let from = 0;
  let to = sorted.length;
  if (w === 0) {
    if (t * b >= 1) return;
  } else {
    const border = (t - b) / w;
    if (t * w > 0) to = lowerBound(sorted, border);
    else from = upperBound(sorted, border);
  }
  s[at] += sign * (to - from);
  s[at + 1] += sign * (first[to] - first[from]);
  s[at + 2] += sign * (second[to] - second[from]);
}
