/**
 * The affinities of t-SNE (van der Maaten and Hinton, 2008, Eqs. 1 and 2): p(j|i) is a Gaussian around point i, as wide
 * as gives it the wanted perplexity, over its nearest neighbours; p_ij = (p(j|i) + p(i|j)) / 2n.
 */
import { nearestNeighbours } from './neighbours.ts';

/** A symmetric sparse matrix, each pair i < j once: row i holds the entries `starts[i]` … `starts[i + 1] − 1`. */
export interface Affinities {
  starts: Int32Array;
  columns: Int32Array;
  /** p_ij; each counts for (i, j) and for (j, i), so that their sum is one half. */
  values: Float64Array;
}

/** Affinities over the k nearest neighbours; k = n − 1 takes all pairs. */
export function affinities(x: Float64Array, n: number, d: number, k: number, perplexity: number): Affinities {
  const { indices, squaredDistances } = nearestNeighbours(x, n, d, k);
  const conditional = conditionals(squaredDistances, n, k, perplexity);
  const back = whoNames(indices, n);
  const starts = new Int32Array(n + 1);
  const columns: Int32Array = new Int32Array(n * k);
  const values = new Float64Array(n * k);
  const placeOf = new Int32Array(n).fill(-1);
  let count = 0;
  for (let i = 0; i < n; i++) {
    starts[i] = count;
    const add = (j: number, p: number) => {
      if (j < i) return;
      if (placeOf[j] < starts[i]) {
        placeOf[j] = count;
        columns[count++] = j;
      }
      values[placeOf[j]] += p / (2 * n);
    };
    for (let e = i * k; e < (i + 1) * k; e++) add(indices[e], conditional[e]);
    for (let b = back.starts[i]; b < back.starts[i + 1]; b++)
      add(Math.floor(back.entries[b] / k), conditional[back.entries[b]]);
  }
  starts[n] = count;
  return { starts, columns: columns.slice(0, count), values: values.slice(0, count) };
}

/** p(j|i) for the k neighbours of each point: the precision β_i is found by bisection on the entropy. */
export function conditionals(squaredDistances: Float64Array, n: number, k: number, perplexity: number): Float64Array {
  const probabilities = new Float64Array(n * k);
  const wanted = Math.log(perplexity);
  for (let i = 0; i < n; i++) {
    const row = squaredDistances.subarray(i * k, (i + 1) * k);
    const p = probabilities.subarray(i * k, (i + 1) * k);
    const nearest = row[0];
    // The search begins at the scale of the distances, so that units do not matter.
    const scale = row[k - 1] - nearest;
    let beta = scale > 0 ? 1 / scale : 1;
    let low = 0;
    let high = Number.POSITIVE_INFINITY;
    for (let step = 0; step < 100; step++) {
      let sum = 0;
      let weighted = 0;
      for (let j = 0; j < k; j++) {
        // Relative to the nearest, so that the sum cannot underflow; the probabilities are the same.
        const excess = row[j] - nearest;
        p[j] = Math.exp(-beta * excess);
        sum += p[j];
        weighted += p[j] * excess;
      }
      for (let j = 0; j < k; j++) p[j] /= sum;
      const surplus = Math.log(sum) + (beta * weighted) / sum - wanted;
      if (Math.abs(surplus) <= 1e-5) break;
      if (surplus > 0) {
        low = beta;
        beta = high === Number.POSITIVE_INFINITY ? beta * 2 : (low + high) / 2;
      } else {
        high = beta;
        beta = (low + high) / 2;
      }
    }
  }
  return probabilities;
}

/** For each point, the entries of `indices` that name it. */
function whoNames(indices: Int32Array, n: number): { starts: Int32Array; entries: Int32Array } {
  const starts = new Int32Array(n + 1);
  for (const j of indices) starts[j + 1]++;
  for (let j = 0; j < n; j++) starts[j + 1] += starts[j];
  const next = starts.slice(0, n);
  const entries = new Int32Array(indices.length);
  for (let e = 0; e < indices.length; e++) entries[next[indices[e]]++] = e;
  return { starts, entries };
}
