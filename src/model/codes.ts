/** Codes as arrays: a row of numbers for each item. */

/** The place of the largest value in each row: the likeliest class of each item. */
export function largestOfRows(values: Float32Array, size: number): Uint32Array {
  return Uint32Array.from({ length: values.length / size }, (_, row) => {
    let best = 0;
    for (let k = 1; k < size; k++) if (values[row * size + k] > values[row * size + best]) best = k;
    return best;
  });
}
