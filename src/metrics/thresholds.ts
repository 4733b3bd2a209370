/**
 * Classification by thresholds on one latent: the discrete half of Kumar et al.'s SAP score (DIP-VAE, section 3). The line
 * is cut into at most C intervals (C − 1 thresholds), each given to a class, so that the balanced accuracy on these same
 * items is the largest there is.
 */

/** The rows of `values` from the smallest to the largest. */
export function ascending(values: Float64Array): Uint32Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i);
  return order.sort((a, b) => values[a] - values[b]);
}

/**
 * The largest balanced accuracy, (1/C) Σ_c (hits in c)/(items of c), that `size − 1` thresholds on `values` reach.
 *
 * Dynamic programming over the items in ascending order: best[j][c] is the largest sum with the current item in the
 * j-th interval, which belongs to class c. Equal values lie in one interval.
 *
 * @example thresholdAccuracy(Float64Array.of(1, 2, 3), Uint32Array.of(0, 1, 2), Int32Array.of(1, 1, 0), 2) // 1
 */
export function thresholdAccuracy(values: Float64Array, order: Uint32Array, classes: Int32Array, size: number): number {
  const counts = new Float64Array(size);
  for (const c of classes) counts[c]++;
  const present = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  const best = new Float64Array(size * size).fill(Number.NEGATIVE_INFINITY);
  best.fill(0, 0, size);
  let at = 0;
  while (at < order.length) {
    for (let j = size - 1; j > 0; j--) {
      const before = largest(best, (j - 1) * size, size);
      for (let c = j * size; c < (j + 1) * size; c++) if (before > best[c]) best[c] = before;
    }
    const value = values[order[at]];
    for (; at < order.length && values[order[at]] === value; at++) {
      const c = classes[order[at]];
      const gain = 1 / counts[c];
      for (let j = 0; j < size; j++) best[j * size + c] += gain;
    }
  }
  return largest(best, 0, size * size) / present;
}

function largest(values: Float64Array, start: number, count: number): number {
  let most = values[start];
  for (let i = start + 1; i < start + count; i++) if (values[i] > most) most = values[i];
  return most;
}
