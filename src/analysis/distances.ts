/** Squared euclidean distances between rows of numbers: the loop under neighbours, clusters, transport and tests. */

/**
 * ‖x_i − y_j‖² of the points `firstX` … and `firstY` … into the `rows` × `columns` block `out`. Summed from differences,
 * so that near points lose no digits; two by two points at a time, so that a loaded number is used twice.
 */
export function distanceBlock(
  out: Float64Array,
  x: Float64Array,
  firstX: number,
  rows: number,
  y: Float64Array,
  firstY: number,
  columns: number,
  d: number,
): void {
  for (let i = 0; i < rows; i += 2) {
    // An odd last row or column is computed twice and written to the same place.
    const iNext = Math.min(i + 1, rows - 1);
    const p0 = (firstX + i) * d;
    const p1 = (firstX + iNext) * d;
    for (let j = 0; j < columns; j += 2) {
      const jNext = Math.min(j + 1, columns - 1);
      const q0 = (firstY + j) * d;
      const q1 = (firstY + jNext) * d;
      let s00 = 0;
      let s01 = 0;
      let s10 = 0;
      let s11 = 0;
      for (let k = 0; k < d; k++) {
        const x0 = x[p0 + k];
        const x1 = x[p1 + k];
        const y0 = y[q0 + k];
        const y1 = y[q1 + k];
        s00 += (x0 - y0) * (x0 - y0);
        s01 += (x0 - y1) * (x0 - y1);
        s10 += (x1 - y0) * (x1 - y0);
        s11 += (x1 - y1) * (x1 - y1);
      }
      out[i * columns + j] = s00;
      out[i * columns + jNext] = s01;
      out[iNext * columns + j] = s10;
      out[iNext * columns + jNext] = s11;
    }
  }
}

/** ‖x − y‖² of the d numbers at `p` in x and at `q` in y. */
export function squaredDistance(x: Float64Array, p: number, y: Float64Array, q: number, d: number): number {
  let sum = 0;
  for (let k = 0; k < d; k++) {
    const difference = x[p + k] - y[q + k];
    sum += difference * difference;
  }
  return sum;
}
