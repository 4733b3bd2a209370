/** What is known of items beside their numbers, such as age or batch, as a model is given it: numbers, and categories as one-hot. */

export type Covariate =
  | { kind: 'number'; name: string; mean: number; deviation: number }
  | { kind: 'category'; name: string; categories: string[]; shares: number[] };

/** How many numbers a model is given of each item. */
export function covariatesSize(covariates: readonly Covariate[]): number {
  return covariates.reduce((sum, one) => sum + (one.kind === 'number' ? 1 : one.categories.length), 0);
}

/** The rows of some items, of all rows one after the other. */
export function covariateRows(
  values: Float32Array,
  covariates: readonly Covariate[],
  items: ArrayLike<number>,
): Float32Array {
  const width = covariatesSize(covariates);
  const rows = new Float32Array(items.length * width);
  for (let i = 0; i < items.length; i++) rows.set(values.subarray(items[i] * width, (items[i] + 1) * width), i * width);
  return rows;
}

/**
 * `n` rows of what a model is given where nothing is known: the mean of each number, the share of each category.
 *
 * @example usualRows([{ kind: 'category', name: 'batch', categories: ['a', 'b'], shares: [0.25, 0.75] }], 1) // 0.25, 0.75
 */
export function usualRows(covariates: readonly Covariate[], n: number): Float32Array {
  const row = covariates.flatMap((one) => (one.kind === 'number' ? [0] : one.shares));
  return Float32Array.from({ length: n * row.length }, (_, e) => row[e % row.length]);
}

/** The name of the input of an encoder or a decoder that takes covariates. */
export const covariatesInput = 'given';
