/**
 * Do two sets of points come from the same distribution? Energy distance (Székely and Rizzo, 2013),
 * E = 2 E‖X − Y‖ − E‖X − X′‖ − E‖Y − Y′‖, which is zero only for equal distributions, judged against random
 * relabellings of the points. On codes it answers whether the target holds anything that the background lacks.
 */
import { stream } from '../random/index.ts';
import { distanceBlock } from './distances.ts';
import { checkCount, checkPoints, type Numbers } from './points.ts';

export interface TwoSampleOptions {
  /** n × d. */
  x: Numbers;
  n: number;
  /** m × d. */
  y: Numbers;
  m: number;
  d: number;
  seed: number;
  /** How many relabellings; the smallest p-value is 1 / (permutations + 1). */
  permutations?: number;
  /** At most this many points of each set are used, drawn at random: all pairs of distances are kept. */
  sample?: number;
}

export interface TwoSampleTest {
  /** The energy distance. */
  statistic: number;
  /** The share of labellings, the given one among them, whose energy distance is as large: small means different. */
  pValue: number;
}

/** @example twoSampleTest({ x: target, n: 500, y: background, m: 400, d: 10, seed: 1 }).pValue */
export function twoSampleTest(options: TwoSampleOptions): TwoSampleTest {
  const { d, seed, permutations = 999, sample = 1000 } = options;
  checkCount('the number of permutations', permutations, 1);
  checkCount('the number of points in the sample', sample, 2, 10_000);
  const x = drawn(checkPoints({ x: options.x, n: options.n, d }, 2), d, sample, seed, 'two-sample x');
  const y = drawn(checkPoints({ x: options.y, n: options.m, d }, 2), d, sample, seed, 'two-sample y');
  // The sums inside one set give those inside the other and between the two, so the smaller one is summed.
  const [first, second] = x.length <= y.length ? [x, y] : [y, x];
  const pooled = new Float64Array(first.length + second.length);
  pooled.set(first);
  pooled.set(second, first.length);
  const size = pooled.length / d;
  const table = distanceTable(pooled, size, d);
  const energy = energyOf(table, size, first.length / d);

  const statistic = energy(Uint32Array.from({ length: first.length / d }, (_, i) => i));
  // Labellings that differ by nothing but rounding count as equal.
  const asLarge = statistic - 1e-12 * table.reduce((most, value) => Math.max(most, value), 0);
  let count = 1;
  for (let p = 0; p < permutations; p++) {
    const chosen = stream(seed, 'two-sample permutation', p)
      .permutation(size)
      .subarray(0, first.length / d);
    if (energy(chosen.sort()) >= asLarge) count++;
  }
  return { statistic, pValue: count / (permutations + 1) };
}

/** The energy distance between a subset of `inside` points and the rest, from the table of all distances. */
function energyOf(table: Float64Array, size: number, inside: number): (subset: Uint32Array) => number {
  const outside = size - inside;
  const rowSums = new Float64Array(size);
  let total = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) rowSums[i] += table[i * size + j];
    total += rowSums[i];
  }
  return (subset) => {
    let within = 0;
    let touching = 0;
    for (let a = 0; a < inside; a++) {
      const row = subset[a] * size;
      touching += rowSums[subset[a]];
      for (let b = 0; b < a; b++) within += table[row + subset[b]];
    }
    within *= 2;
    const between = touching - within;
    const rest = total - within - 2 * between;
    return (2 * between) / (inside * outside) - within / inside ** 2 - rest / outside ** 2;
  };
}

function distanceTable(points: Float64Array, size: number, d: number): Float64Array {
  const table = new Float64Array(size * size);
  distanceBlock(table, points, 0, size, points, 0, size, d);
  for (let e = 0; e < table.length; e++) table[e] = Math.sqrt(table[e]);
  return table;
}

/** All points, or `sample` of them drawn at random. */
function drawn(points: Float64Array, d: number, sample: number, seed: number, purpose: string): Float64Array {
  const n = points.length / d;
  if (n <= sample) return points;
  const chosen = stream(seed, purpose).permutation(n);
  const values = new Float64Array(sample * d);
  for (let i = 0; i < sample; i++) values.set(points.subarray(chosen[i] * d, (chosen[i] + 1) * d), i * d);
  return values;
}
