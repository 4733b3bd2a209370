/**
 * Do two sets of points come from the same distribution? Energy distance (Székely and Rizzo, 2013),
 * E = 2 E‖X − Y‖ − E‖X − X′‖ − E‖Y − Y′‖, which is zero only for equal distributions, judged against random
 * relabellings of the points. On codes it answers whether the target holds anything that the background lacks.
 *
 * A set at one place against one that is spread around it differs in scale, which energy distance hardly sees in few points.
 * Where a centre is given, the ranks of the distances from it are compared as well (Wilcoxon 1945), larger ones of x alone being
 * wanted; that the better of two statistics is taken is made up for by taking it of every relabelling, too (Westfall and Young 1993).
 */
import { stream } from '../random/index.ts';
import { distanceBlock } from './distances.ts';
import { checkCount, checkPoints, type Numbers } from './points.ts';
import { type Design, relabellings } from './relabellings.ts';
import { ranks } from './statistics.ts';

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
  /** The place around which points of x may be spread more widely than those of y. */
  centre?: ArrayLike<number>;
  /** Which points belong together, and which may be exchanged: those of x, then those of y. */
  design?: Design;
}

export interface TwoSampleTest {
  /** The energy distance. */
  statistic: number;
  /** The share of labellings, the given one among them, that differ as much: small means different. */
  pValue: number;
  /** The same for each statistic alone, where there are two. */
  parts?: { energy: number; spread: number };
  /** How many labellings there are; fewer than a hundred can't give a small p-value. */
  labellings: number;
}

/** @example twoSampleTest({ x: target, n: 500, y: background, m: 400, d: 10, seed: 1 }).pValue */
export function twoSampleTest(options: TwoSampleOptions): TwoSampleTest {
  const { d, n, m, seed, permutations = 999, sample = 1000, centre, design = {} } = options;
  checkCount('the number of permutations', permutations, 1);
  checkCount('the number of points in the sample', sample, 2, 10_000);
  const x = checkPoints({ x: options.x, n, d }, 2);
  const y = checkPoints({ x: options.y, n: m, d }, 2);
  const chosen = [
    ...drawn(n, sample, seed, 'two-sample x'),
    ...drawn(m, sample, seed, 'two-sample y').map((i) => n + i),
  ];
  const size = chosen.length;
  const pooled = new Float64Array(size * d);
  for (const [i, at] of chosen.entries())
    pooled.set(at < n ? x.subarray(at * d, (at + 1) * d) : y.subarray((at - n) * d, (at - n + 1) * d), i * d);
  const labels = Uint8Array.from(chosen, (at) => (at < n ? 1 : 0));
  const of = (values: ArrayLike<number> | undefined) => values && chosen.map((at) => values[at]);
  const { units, strata } = design;
  const labellings = relabellings(labels, {
    units: units && of(units),
    strata: strata && of(strata),
  });

  const table = distanceTable(pooled, size, d);
  const statistics = [energyOf(table, size), ...(centre ? [spreadOf(pooled, size, d, centre)] : [])];
  const all = statistics.map((statistic) => [statistic(labels)]);
  for (let p = 0; p < permutations; p++) {
    const labelling = labellings.draw(stream(seed, 'two-sample permutation', p));
    for (const [s, statistic] of statistics.entries()) all[s].push(statistic(labelling));
  }
  // Labellings that differ by nothing but rounding count as equal.
  const largest = table.reduce((most, value) => Math.max(most, value), 0);
  const pValues = all.map((values, s) => sharesAsLarge(values, 1e-12 * (s === 0 ? largest : size)));
  const best = pValues[0].map((_, p) => Math.min(...pValues.map((ofOne) => ofOne[p])));
  return {
    statistic: all[0][0],
    pValue: centre ? best.filter((value) => value <= best[0] + 1e-12).length / best.length : pValues[0][0],
    parts: centre ? { energy: pValues[0][0], spread: pValues[1][0] } : undefined,
    labellings: labellings.count,
  };
}

/** For each value the share of all that are as large. */
function sharesAsLarge(values: readonly number[], rounding: number): number[] {
  const sorted = Float64Array.from(values).sort();
  return values.map((value) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value - rounding) low = middle + 1;
      else high = middle;
    }
    return (sorted.length - low) / sorted.length;
  });
}

/** The energy distance between the points that a labelling calls 1 and the rest, from the table of all distances. */
function energyOf(table: Float64Array, size: number): (labels: Uint8Array) => number {
  const rowSums = new Float64Array(size);
  let total = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) rowSums[i] += table[i * size + j];
    total += rowSums[i];
  }
  return (labels) => {
    // The sums inside one set give those inside the other and between the two, so the smaller one is summed.
    const ones = labels.reduce((sum, label) => sum + label, 0);
    const smaller = ones * 2 <= size ? 1 : 0;
    const subset: number[] = [];
    for (let i = 0; i < size; i++) if (labels[i] === smaller) subset.push(i);
    const inside = subset.length;
    const outside = size - inside;
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

/** How far the mean rank of the distances from the centre is above that of the other points, over the number of points. */
function spreadOf(
  points: Float64Array,
  size: number,
  d: number,
  centre: ArrayLike<number>,
): (labels: Uint8Array) => number {
  const distances = Float64Array.from({ length: size }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += (points[i * d + j] - centre[j]) ** 2;
    return sum;
  });
  const places = ranks(distances);
  return (labels) => {
    const sums = [0, 0];
    const counts = [0, 0];
    for (let i = 0; i < size; i++) {
      sums[labels[i]] += places[i];
      counts[labels[i]]++;
    }
    return sums[1] / counts[1] - sums[0] / counts[0];
  };
}

function distanceTable(points: Float64Array, size: number, d: number): Float64Array {
  const table = new Float64Array(size * size);
  distanceBlock(table, points, 0, size, points, 0, size, d);
  for (let e = 0; e < table.length; e++) table[e] = Math.sqrt(table[e]);
  return table;
}

/** The places of all points, or of `sample` of them drawn at random. */
function drawn(n: number, sample: number, seed: number, purpose: string): number[] {
  if (n <= sample) return Array.from({ length: n }, (_, i) => i);
  return Array.from(stream(seed, purpose).permutation(n).subarray(0, sample));
}
