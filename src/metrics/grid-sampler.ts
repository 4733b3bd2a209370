/**
 * disentanglement_lib's own draws over a full factor grid: numpy's `RandomState` in the library's order, so that its
 * sampled protocols can be replayed number for number. Codes from a file go through `tableSampler` instead.
 */
import type { Factor } from '../model/index.ts';
import type { Mt19937 } from '../random/index.ts';
import type { CodeTable, FactorTable } from './metric.ts';
import type { Sampler } from './sampler.ts';

/** Data that can be made for any combination of factor values. */
export interface FactorGrid {
  factors: Factor[];
  /** How many dimensions a code has. */
  d: number;
  /** Draws the factors of `count` items, row by row. */
  sample(count: number, random: Mt19937): Float64Array;
  /** Writes the codes of `count` items with these factors into `out`, row by row. */
  encode(factors: Float64Array, count: number, out: Float64Array): void;
}

/** Draws factors as disentanglement_lib does for its datasets: `count` values of the first factor, then of the second … */
export function sampleGrid(sizes: readonly number[], count: number, random: Mt19937): Float64Array {
  const out = new Float64Array(count * sizes.length);
  sizes.forEach((size, k) => {
    for (let i = 0; i < count; i++) out[i * sizes.length + k] = random.randint(0, size);
  });
  return out;
}

/**
 * Codes and factors of `count` random items, drawn in batches as `generate_batch_factor_code` draws them. The batch size
 * decides the order of the draws, and so the data; the library's study uses 16.
 */
export function generateCodes(
  grid: FactorGrid,
  count: number,
  random: Mt19937,
  batch = 16,
): { codes: CodeTable; factors: FactorTable } {
  const width = grid.factors.length;
  const values = new Float64Array(count * width);
  const codes = new Float64Array(count * grid.d);
  for (let start = 0; start < count; start += batch) {
    const size = Math.min(batch, count - start);
    const drawn = grid.sample(size, random);
    values.set(drawn, start * width);
    grid.encode(drawn, size, codes.subarray(start * grid.d, (start + size) * grid.d));
  }
  return { codes: { values: codes, n: count, d: grid.d }, factors: { values, n: count, factors: grid.factors } };
}

/** The sampler of the Z-diff and FactorVAE scores over a grid, in the library's order of draws. */
export function gridSampler(grid: FactorGrid, random: Mt19937): Sampler {
  const width = grid.factors.length;
  return {
    d: grid.d,
    factors: grid.factors.map(({ name }) => name),
    integer: (n) => random.randint(0, n),
    random(count, out) {
      grid.encode(grid.sample(count, random), count, out);
    },
    fixed(k, count, out) {
      const factors = grid.sample(count, random);
      for (let i = 1; i < count; i++) factors[i * width + k] = factors[k];
      grid.encode(factors, count, out);
    },
    pairs(k, count, first, second) {
      const ours = grid.sample(count, random);
      const theirs = grid.sample(count, random);
      for (let i = 0; i < count; i++) theirs[i * width + k] = ours[i * width + k];
      grid.encode(ours, count, first);
      grid.encode(theirs, count, second);
    },
  };
}
