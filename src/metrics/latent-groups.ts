/**
 * Groups of correlated latents, and what a whole group says about a factor: the variant of the SAP score that section 3
 * of DIP-VAE suggests for a factor that is spread over latents which go together.
 */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { ascending, thresholdAccuracy } from './thresholds.ts';

/**
 * Groups of columns: two are in one group if a chain of correlations |r| ≥ `above` joins them. Constant columns stand alone.
 *
 * @example groupLatents([a, b, copyOfA], 0.9) // [[0, 2], [1]]
 */
export function groupLatents(columns: readonly Float64Array[], above: number): number[][] {
  const standard = columns.map(standardised);
  const groups: number[][] = [];
  const seen = new Set<number>();
  for (let first = 0; first < columns.length; first++) {
    if (seen.has(first)) continue;
    seen.add(first);
    const group = [first];
    for (const member of group)
      for (let other = 0; other < columns.length; other++) {
        if (seen.has(other) || Math.abs(meanProduct(standard[member], standard[other])) < above) continue;
        seen.add(other);
        group.push(other);
      }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups;
}

/** R² of the best linear prediction of `y` from all columns: cᵀ R⁺ c with correlations c of the columns with y and R among them. */
export function groupR2(columns: readonly Float64Array[], y: Float64Array): number {
  const standard = columns.map(standardised);
  const target = standardised(y);
  const { values, vectors } = eigen(productMatrix(standard));
  const c = standard.map((column) => meanProduct(column, target));
  let sum = 0;
  values.forEach((value, e) => {
    if (value < 1e-9 * values.length) return;
    const along = c.reduce((total, entry, j) => total + entry * vectors.get(j, e), 0);
    sum += (along * along) / value;
  });
  return Math.min(1, sum);
}

/**
 * Balanced accuracy of thresholds on the one direction of the group that separates the classes best: the first linear
 * discriminant, argmax wᵀS_b w / wᵀS_w w. For two classes and any group it is the best linear projection there is.
 */
export function groupThresholdAccuracy(columns: readonly Float64Array[], classes: Int32Array, size: number): number {
  const standard = columns.map(standardised);
  const n = classes.length;
  const counts = new Float64Array(size);
  for (const c of classes) counts[c]++;
  const means = standard.map((column) => {
    const sums = new Float64Array(size);
    for (let i = 0; i < n; i++) sums[classes[i]] += column[i];
    return sums.map((sum, c) => (counts[c] > 0 ? sum / counts[c] : 0));
  });
  const between = Matrix.zeros(columns.length, columns.length);
  for (let i = 0; i < columns.length; i++)
    for (let j = 0; j < columns.length; j++)
      for (let c = 0; c < size; c++) between.set(i, j, between.get(i, j) + (counts[c] / n) * means[i][c] * means[j][c]);
  const within = Matrix.sub(productMatrix(standard), between);
  // Directions without any spread inside the classes would divide by zero; copies of a latent have such directions.
  for (let j = 0; j < columns.length; j++) within.set(j, j, within.get(j, j) + 1e-9);
  const { values, vectors } = eigen(within);
  const scale = values.map((value) => 1 / Math.sqrt(Math.max(value, 1e-12)));
  const whitening = Matrix.mul(vectors, 1).mulRowVector(scale);
  const whitened = eigen(whitening.transpose().mmul(between).mmul(whitening));
  const top = whitened.values.indexOf(Math.max(...whitened.values));
  const direction = whitening.mmul(whitened.vectors.getColumnVector(top)).to1DArray();
  const projected = new Float64Array(n);
  direction.forEach((weight, j) => {
    for (let i = 0; i < n; i++) projected[i] += weight * standard[j][i];
  });
  return thresholdAccuracy(projected, ascending(projected), classes, size);
}

/** (x − mean)/std, with std over n; zeros for a constant column. */
function standardised(values: Float64Array): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (variance > 1e-24 ? (value - mean) / Math.sqrt(variance) : 0));
}

function meanProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum / a.length;
}

function productMatrix(columns: readonly Float64Array[]): Matrix {
  return new Matrix(columns.map((a) => columns.map((b) => meanProduct(a, b))));
}

function eigen(matrix: Matrix): { values: number[]; vectors: Matrix } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(matrix, { assumeSymmetric: true });
  return { values: realEigenvalues, vectors: eigenvectorMatrix };
}
