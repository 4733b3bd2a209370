/**
 * Least squares of minimum norm by a complete orthogonal decomposition (Golub and Van Loan, §5.5.2): Householder
 * reflections with column pivoting find the rank; where columns depend on each other, reflections from the right fold
 * what is left onto the independent ones.
 */

/**
 * The w of smallest norm among those that minimise ‖Y − X w‖, for each column of Y. `x` is n × d and `y` n × targets,
 * both row after row; the result is targets × d.
 */
export function leastSquares(
  x: ArrayLike<number>,
  n: number,
  d: number,
  y: ArrayLike<number>,
  targets: number,
): Float64Array {
  // Columns are what reflections work on, so each is stored in one piece.
  const columns = transposed(x, n, d);
  const right = transposed(y, n, targets);
  const pivots = Int32Array.from({ length: d }, (_, j) => j);
  const diagonal = new Float64Array(Math.min(n, d));
  const rank = triangularise(columns, n, d, right, targets, pivots, diagonal);

  // Row i of the triangle, i < rank, ready to be reflected from the right where rank < d.
  const triangle = new Float64Array(rank * d);
  for (let i = 0; i < rank; i++) {
    triangle[i * d + i] = diagonal[i];
    for (let j = i + 1; j < d; j++) triangle[i * d + j] = columns[j * n + i];
  }
  const fold = rank < d ? foldRows(triangle, rank, d) : undefined;

  const weights = new Float64Array(targets * d);
  const w = new Float64Array(d);
  for (let t = 0; t < targets; t++) {
    w.fill(0);
    for (let i = rank - 1; i >= 0; i--) {
      let sum = right[t * n + i];
      for (let j = i + 1; j < rank; j++) sum -= triangle[i * d + j] * w[j];
      w[i] = sum / triangle[i * d + i];
    }
    fold?.(w);
    for (let j = 0; j < d; j++) weights[t * d + pivots[j]] = w[j];
  }
  return weights;
}

/**
 * Turns the columns into Q R with the largest remaining column first, and applies Qᵀ to the right-hand sides. R's
 * diagonal goes to `diagonal`, the rest of R stays above it. Returns the numerical rank.
 */
function triangularise(
  columns: Float64Array,
  n: number,
  d: number,
  right: Float64Array,
  targets: number,
  pivots: Int32Array,
  diagonal: Float64Array,
): number {
  let tolerance = 0;
  for (let k = 0; k < diagonal.length; k++) {
    let largest = k;
    let norm = -1;
    for (let j = k; j < d; j++) {
      const length = normOf(columns, j * n + k, n - k);
      if (length > norm) {
        norm = length;
        largest = j;
      }
    }
    if (k === 0) tolerance = norm * Number.EPSILON * Math.max(n, d);
    if (norm <= tolerance) return k;
    swapColumns(columns, n, k, largest);
    const kept = pivots[k];
    pivots[k] = pivots[largest];
    pivots[largest] = kept;

    const start = k * n + k;
    const head = columns[start] > 0 ? -norm : norm;
    columns[start] -= head;
    const scale = -1 / (head * columns[start]);
    for (let j = k + 1; j < d; j++) reflect(columns, start, columns, j * n + k, n - k, scale);
    for (let t = 0; t < targets; t++) reflect(columns, start, right, t * n + k, n - k, scale);
    diagonal[k] = head;
  }
  return diagonal.length;
}

/**
 * Reflects the columns of a rank × d trapezium so that only its leading triangle is left. Returns what turns the
 * triangle's solution into the whole's.
 */
function foldRows(triangle: Float64Array, rank: number, d: number): (w: Float64Array) => void {
  const extra = d - rank;
  const reflectors = new Float64Array(rank * (extra + 1));
  const scales = new Float64Array(rank);
  for (let i = rank - 1; i >= 0; i--) {
    const v = reflectors.subarray(i * (extra + 1), (i + 1) * (extra + 1));
    v[0] = triangle[i * d + i];
    for (let e = 0; e < extra; e++) v[e + 1] = triangle[i * d + rank + e];
    const norm = normOf(v, 0, extra + 1);
    const head = v[0] > 0 ? -norm : norm;
    v[0] -= head;
    scales[i] = -1 / (head * v[0]);
    for (let r = 0; r < i; r++) reflectRow(v, triangle, r * d, i, rank, scales[i]);
    triangle[i * d + i] = head;
  }
  return (w) => {
    for (let i = 0; i < rank; i++)
      reflectRow(reflectors.subarray(i * (extra + 1), (i + 1) * (extra + 1)), w, 0, i, rank, scales[i]);
  };
}

/** a ← a − scale (v·a) v for pieces of equal length. */
function reflect(v: Float64Array, atV: number, a: Float64Array, atA: number, length: number, scale: number): void {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += v[atV + i] * a[atA + i];
  sum *= scale;
  for (let i = 0; i < length; i++) a[atA + i] -= sum * v[atV + i];
}

/** The same on entry `i` and the entries from `rank` on of the row that starts at `at`. */
function reflectRow(v: Float64Array, a: Float64Array, at: number, i: number, rank: number, scale: number): void {
  let sum = v[0] * a[at + i];
  for (let e = 1; e < v.length; e++) sum += v[e] * a[at + rank + e - 1];
  sum *= scale;
  a[at + i] -= sum * v[0];
  for (let e = 1; e < v.length; e++) a[at + rank + e - 1] -= sum * v[e];
}

function normOf(a: Float64Array, at: number, length: number): number {
  let sum = 0;
  for (let i = 0; i < length; i++) sum += a[at + i] * a[at + i];
  return Math.sqrt(sum);
}

function swapColumns(columns: Float64Array, n: number, a: number, b: number): void {
  if (a === b) return;
  const kept = columns.slice(a * n, (a + 1) * n);
  columns.copyWithin(a * n, b * n, (b + 1) * n);
  columns.set(kept, b * n);
}

function transposed(x: ArrayLike<number>, n: number, d: number): Float64Array {
  const result = new Float64Array(n * d);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) result[j * n + i] = x[i * d + j];
  return result;
}
