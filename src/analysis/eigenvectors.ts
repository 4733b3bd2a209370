/** The eigenvectors of a symmetric matrix that belong to its largest eigenvalues. */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';

/** Eigenvectors of a symmetric size × size matrix as rows, those of the largest eigenvalues first. */
export function leadingEigenvectors(
  matrix: Float64Array,
  size: number,
  count: number,
): { vectors: Float64Array; values: Float64Array } {
  const { eigenvectorMatrix, realEigenvalues } = new EigenvalueDecomposition(Matrix.from1DArray(size, size, matrix), {
    assumeSymmetric: true,
  });
  const order = realEigenvalues
    .map((_, i) => i)
    .sort((i, j) => realEigenvalues[j] - realEigenvalues[i])
    .slice(0, count);
  const vectors = new Float64Array(count * size);
  for (const [c, at] of order.entries())
    for (let i = 0; i < size; i++) vectors[c * size + i] = eigenvectorMatrix.get(i, at);
  return { vectors, values: Float64Array.from(order, (i) => realEigenvalues[i]) };
}
