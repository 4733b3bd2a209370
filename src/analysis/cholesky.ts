/** Cholesky's factorisation A = L Lᵀ of a symmetric positive definite matrix, and the solution of A x = b by it. */

/**
 * Replaces the lower triangle of the m × m matrix at `offset` in `a` by L. False if it is not positive definite to
 * working precision; `a` is then spoilt.
 */
export function factorise(a: Float64Array, m: number, offset = 0): boolean {
  for (let j = 0; j < m; j++) {
    const rowJ = offset + j * m;
    const diagonal = a[rowJ + j];
    let pivot = diagonal;
    for (let k = 0; k < j; k++) pivot -= a[rowJ + k] * a[rowJ + k];
    if (!(pivot > diagonal * Number.EPSILON * m)) return false;
    const root = Math.sqrt(pivot);
    a[rowJ + j] = root;
    for (let i = j + 1; i < m; i++) {
      const rowI = offset + i * m;
      let sum = a[rowI + j];
      for (let k = 0; k < j; k++) sum -= a[rowI + k] * a[rowJ + k];
      a[rowI + j] = sum / root;
    }
  }
  return true;
}

/** Solves L Lᵀ x = b in place, for L from `factorise`; b's numbers start at `at`. */
export function substitute(l: Float64Array, m: number, b: Float64Array, offset = 0, at = 0): void {
  for (let i = 0; i < m; i++) {
    let sum = b[at + i];
    for (let k = 0; k < i; k++) sum -= l[offset + i * m + k] * b[at + k];
    b[at + i] = sum / l[offset + i * m + i];
  }
  for (let i = m - 1; i >= 0; i--) {
    let sum = b[at + i];
    for (let k = i + 1; k < m; k++) sum -= l[offset + k * m + i] * b[at + k];
    b[at + i] = sum / l[offset + i * m + i];
  }
}
