/**
 * Principal components: the orthogonal directions of largest variance, from the eigenvectors of the covariance matrix. A
 * few directions of a wide table come from subspace iteration instead (Halko, Martinsson and Tropp, 2011), which never
 * forms that matrix.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { checkCount, checkPoints, type Numbers, type Points } from './points.ts';

export interface PcaOptions extends Points {
  /** How many directions, at most min(n − 1, d), which is also the default. */
  components?: number;
}

export interface Pca {
  d: number;
  components: number;
  mean: Float64Array;
  /** components × d, orthogonal and of length 1, by falling variance. In each the entry of largest size is positive. */
  axes: Float64Array;
  /** The variance along each axis, over n − 1. */
  variances: Float64Array;
  /** The sum of the variances of the columns. */
  totalVariance: number;
}

/** @example project(pca({ x, n, d, components: 2 }), x, n) */
export function pca(options: PcaOptions): Pca {
  const { n, d } = options;
  const x = checkPoints(options, 2);
  const side = Math.min(n - 1, d);
  const { components = side } = options;
  checkCount('the number of components', components, 1, side);
  const mean = new Float64Array(d);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) mean[j] += x[i * d + j] / n;
  const centred = new Float64Array(n * d);
  let totalVariance = 0;
  for (let e = 0; e < n * d; e++) {
    centred[e] = x[e] - mean[e % d];
    totalVariance += centred[e] ** 2 / (n - 1);
  }
  const axes = principalAxes(centred, n, d, components);
  fixSigns(axes, components, d);
  const model = { d, components, mean, axes, variances: new Float64Array(components), totalVariance };
  project(model, x, n).forEach((score, e) => {
    model.variances[e % components] += score ** 2 / (n - 1);
  });
  return model;
}

/** The points' coordinates along the axes: n × components. */
export function project(model: Pca, x: Numbers, n: number): Float64Array {
  const { d, components, mean, axes } = model;
  const points = checkPoints({ x, n, d });
  const scores = new Float64Array(n * components);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < components; c++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += (points[i * d + j] - mean[j]) * axes[c * d + j];
      scores[i * components + c] = sum;
    }
  }
  return scores;
}

/** The eigenvectors of a matrix are quick up to this size, and take minutes beyond the other. */
const quickSize = 200;
const largestSize = 2000;
/** Directions that are iterated beside those asked for, so that these converge sooner. */
const extra = 8;

function principalAxes(centred: Float64Array, n: number, d: number, components: number): Float64Array {
  const size = Math.min(n, d);
  const few = Math.floor(size / 4) - extra;
  if (size > quickSize && components <= few) return iterate(centred, n, d, components);
  if (size <= largestSize)
    return d <= n ? fromCovariance(centred, n, d, components) : fromGram(centred, n, d, components);
  throw new UntangleError(`${components} components of ${n} points in ${d} dimensions are too many.`, {
    kind: 'call',
    hint: `Ask for at most ${few}.`,
  });
}

function fromCovariance(x: Float64Array, n: number, d: number, components: number): Float64Array {
  const scatter = new Float64Array(d * d);
  for (let row = 0; row < n * d; row += d) {
    for (let i = 0; i < d; i++) {
      const value = x[row + i];
      for (let j = i; j < d; j++) scatter[i * d + j] += value * x[row + j];
    }
  }
  return eigenvectors(scatter, d).vectors.slice(0, components * d);
}

/** With fewer points than dimensions: an eigenvector u of XXᵀ gives the axis Xᵀu. */
function fromGram(x: Float64Array, n: number, d: number, components: number): Float64Array {
  const gram = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) gram[i * n + j] = dot(x, i * d, x, j * d, d);
  const axes = combine(eigenvectors(gram, n).vectors, components, n, x, d);
  orthonormalise(axes, components, d);
  return axes;
}

/** The leading eigenvectors of XᵀX: a random subspace, multiplied again and again until its variances stand still. */
function iterate(x: Float64Array, n: number, d: number, components: number): Float64Array {
  const width = components + extra;
  let basis: Float64Array = Float64Array.from(stream(0, 'pca start').normals(width * d));
  let last = 0;
  for (let round = 0; round < 500; round++) {
    orthonormalise(basis, width, d);
    const image = new Float64Array(width * d);
    for (let row = 0; row < n * d; row += d) {
      for (let c = 0; c < width; c++) {
        const score = dot(x, row, basis, c * d, d);
        for (let j = 0, q = c * d; j < d; j++, q++) image[q] += score * x[row + j];
      }
    }
    const inside = new Float64Array(width * width);
    for (let a = 0; a < width; a++)
      for (let b = a; b < width; b++) inside[a * width + b] = dot(basis, a * d, image, b * d, d);
    const { vectors, values } = eigenvectors(inside, width);
    basis = combine(vectors, width, width, image, d);
    let sum = 0;
    for (let c = 0; c < components; c++) sum += values[c];
    if (Math.abs(sum - last) <= 1e-14 * sum) break;
    last = sum;
  }
  orthonormalise(basis, width, d);
  return basis.slice(0, components * d);
}

/** The eigenvectors of a symmetric matrix, of which the upper triangle is given, as rows by falling eigenvalue. */
function eigenvectors(upper: Float64Array, size: number): { vectors: Float64Array; values: Float64Array } {
  const matrix = new Matrix(size, size);
  for (let i = 0; i < size; i++) {
    for (let j = i; j < size; j++) {
      matrix.set(i, j, upper[i * size + j]);
      matrix.set(j, i, upper[i * size + j]);
    }
  }
  const { eigenvectorMatrix, realEigenvalues } = new EigenvalueDecomposition(matrix, { assumeSymmetric: true });
  const order = realEigenvalues.map((_, i) => i).sort((i, j) => realEigenvalues[j] - realEigenvalues[i]);
  const vectors = new Float64Array(size * size);
  for (let c = 0; c < size; c++)
    for (let i = 0; i < size; i++) vectors[c * size + i] = eigenvectorMatrix.get(i, order[c]);
  return { vectors, values: Float64Array.from(order, (i) => realEigenvalues[i]) };
}

/** The first `count` rows of weights (each of length `size`) times the `size` rows of x. */
function combine(weights: Float64Array, count: number, size: number, x: Float64Array, d: number): Float64Array {
  const rows = new Float64Array(count * d);
  for (let c = 0; c < count; c++) {
    for (let i = 0; i < size; i++) {
      const weight = weights[c * size + i];
      for (let j = 0; j < d; j++) rows[c * d + j] += weight * x[i * d + j];
    }
  }
  return rows;
}

/**
 * Makes the rows orthogonal and of length 1, in their order (Gram and Schmidt, twice). A row with nothing of its own is
 * replaced by the first unit vector that has.
 */
function orthonormalise(rows: Float64Array, count: number, d: number): void {
  for (let c = 0; c < count; c++) {
    const row = rows.subarray(c * d, (c + 1) * d);
    for (let unit = 0; ; unit++) {
      const before = Math.sqrt(dot(row, 0, row, 0, d));
      for (let pass = 0; pass < 2; pass++) {
        for (let b = 0; b < c; b++) {
          const along = dot(row, 0, rows, b * d, d);
          for (let j = 0; j < d; j++) row[j] -= along * rows[b * d + j];
        }
      }
      const length = Math.sqrt(dot(row, 0, row, 0, d));
      if (length > 1e-10 * before) {
        for (let j = 0; j < d; j++) row[j] /= length;
        break;
      }
      row.fill(0);
      row[unit] = 1;
    }
  }
}

function fixSigns(axes: Float64Array, components: number, d: number): void {
  for (let c = 0; c < components; c++) {
    const axis = axes.subarray(c * d, (c + 1) * d);
    let largest = 0;
    for (let j = 1; j < d; j++) if (Math.abs(axis[j]) > Math.abs(axis[largest])) largest = j;
    if (axis[largest] < 0) for (let j = 0; j < d; j++) axis[j] = -axis[j];
  }
}

function dot(x: Float64Array, p: number, y: Float64Array, q: number, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += x[p + j] * y[q + j];
  return sum;
}
