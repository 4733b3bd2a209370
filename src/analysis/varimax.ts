/**
 * Varimax (Kaiser 1958): the rotation of factors after which each has few large loadings, so that factors that were mixed come
 * apart into columns of their own. By singular values, as in statistics packages.
 */
import { Matrix, SingularValueDecomposition } from 'ml-matrix';

/** The rotation, k × k by rows, for loadings of d columns on k factors by rows. @example varimax(loadings, 30, 2) */
export function varimax(
  loadings: ArrayLike<number>,
  d: number,
  k: number,
  iterations = 100,
  tolerance = 1e-8,
): Float64Array {
  const a = Matrix.from1DArray(d, k, Array.from(loadings));
  let rotation = Matrix.eye(k);
  if (k === 1) return Float64Array.of(1);
  let before = 0;
  for (let i = 0; i < iterations; i++) {
    const rotated = a.mmul(rotation);
    const squares = Array.from(
      { length: k },
      (_, c) => rotated.getColumn(c).reduce((sum, value) => sum + value ** 2, 0) / d,
    );
    const pull = new Matrix(d, k);
    for (let j = 0; j < d; j++)
      for (let c = 0; c < k; c++) pull.set(j, c, rotated.get(j, c) ** 3 - rotated.get(j, c) * squares[c]);
    const found = new SingularValueDecomposition(a.transpose().mmul(pull));
    rotation = found.leftSingularVectors.mmul(found.rightSingularVectors.transpose());
    const now = found.diagonal.reduce((sum, value) => sum + value, 0);
    if (now < before * (1 + tolerance)) break;
    before = now;
  }
  return Float64Array.from(rotation.to1DArray());
}
