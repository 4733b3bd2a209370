/**
 * k-means: centres that minimise the sum of squared distances to the nearest one. Starts by greedy k-means++ (Arthur and
 * Vassilvitskii, 2007), steps by Lloyd with Hamerly's bounds (2010), which skip the points that cannot change cluster.
 */
import { UntangleError } from '../errors.ts';
import { type Stream, stream } from '../random/index.ts';
import { distanceBlock, squaredDistance } from './distances.ts';
import { checkCount, checkPoints, type Points } from './points.ts';

export interface KMeansOptions extends Points {
  /** How many clusters. */
  k: number;
  seed: number;
  /** How many starts; the best of them counts. */
  restarts?: number;
  maxIterations?: number;
  /** Stop when the centres move less than this, squared and in units of the mean variance of the columns. */
  tolerance?: number;
}

export interface Clusters {
  /** The cluster of each point. */
  labels: Int32Array;
  /** k × d. A cluster without points (there are fewer distinct points than k) repeats another's centre. */
  centres: Float64Array;
  /** The sum of squared distances of the points to their centres. */
  inertia: number;
  iterations: number;
}

/** @example kmeans({ x, n: 1000, d: 16, k: 10, seed: 1 }).labels */
export function kmeans(options: KMeansOptions): Clusters {
  const { n, d, k, seed, restarts = 10, maxIterations = 300, tolerance = 1e-4 } = options;
  const x = checkPoints(options);
  checkCount('the number of clusters', k, 1, n);
  checkCount('the number of restarts', restarts, 1);
  checkCount('the number of iterations', maxIterations, 1);
  if (!(tolerance >= 0))
    throw new UntangleError(`The tolerance is ${tolerance}; it must be zero or more.`, { kind: 'call' });
  const threshold = tolerance * meanVariance(x, n, d);
  let best: Clusters | undefined;
  for (let restart = 0; restart < restarts; restart++) {
    const centres = startingCentres(x, n, d, k, stream(seed, 'k-means', restart));
    const found = lloyd(x, n, d, centres, maxIterations, threshold);
    if (best === undefined || found.inertia < best.inertia) best = found;
  }
  return best!;
}

/**
 * Centres drawn from the points, each with probability proportional to its squared distance to those already drawn: of
 * 2 + ln k candidates, the one that leaves the smallest sum.
 */
function startingCentres(x: Float64Array, n: number, d: number, k: number, random: Stream): Float64Array {
  const centres = new Float64Array(k * d);
  const trials = 2 + Math.floor(Math.log(k));
  const nearest = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const cumulative = new Float64Array(n);
  const candidates = new Float64Array(trials * d);
  const distances = new Float64Array(trials * n);
  for (let c = 0; c < k; c++) {
    const count = c === 0 ? 1 : trials;
    for (let t = 0; t < count; t++) {
      const point = c === 0 ? random.integer(n) : draw(cumulative, random);
      candidates.set(x.subarray(point * d, (point + 1) * d), t * d);
    }
    distanceBlock(distances, candidates, 0, count, x, 0, n, d);
    let best = 0;
    let bestSum = Number.POSITIVE_INFINITY;
    for (let t = 0; t < count; t++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += Math.min(nearest[i], distances[t * n + i]);
      if (sum >= bestSum) continue;
      bestSum = sum;
      best = t;
    }
    centres.set(candidates.subarray(best * d, (best + 1) * d), c * d);
    let sum = 0;
    for (let i = 0; i < n; i++) {
      nearest[i] = Math.min(nearest[i], distances[best * n + i]);
      cumulative[i] = sum += nearest[i];
    }
  }
  return centres;
}

/** An index with probability proportional to its step in `cumulative`; uniform where all steps are zero. */
function draw(cumulative: Float64Array, random: Stream): number {
  const total = cumulative[cumulative.length - 1];
  if (total === 0) return random.integer(cumulative.length);
  const goal = random.uniform() * total;
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] > goal) high = middle;
    else low = middle + 1;
  }
  return low;
}

function lloyd(
  x: Float64Array,
  n: number,
  d: number,
  centres: Float64Array,
  maxIterations: number,
  threshold: number,
): Clusters {
  const k = centres.length / d;
  const labels = new Int32Array(n);
  // The distance to the own centre is at most `upper`, to every other at least `lower`.
  const upper = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const lower = new Float64Array(n);
  const halfGap = new Float64Array(k);
  const shift = new Float64Array(k);
  const open = new Int32Array(n);
  let iterations = 0;
  while (iterations < maxIterations) {
    iterations++;
    halfGaps(centres, k, d, halfGap);
    let count = 0;
    for (let i = 0; i < n; i++) {
      const bound = Math.max(halfGap[labels[i]], lower[i]);
      if (upper[i] <= bound) continue;
      if (upper[i] < Number.POSITIVE_INFINITY)
        upper[i] = Math.sqrt(squaredDistance(x, i * d, centres, labels[i] * d, d));
      if (upper[i] > bound) open[count++] = i;
    }
    label(x, d, open.subarray(0, count), centres, k, labels, upper, lower);
    fillEmpty(x, n, d, centres, k, labels, upper, lower);
    const moved = moveCentres(x, n, d, centres, k, labels, shift);
    if (moved <= threshold) break;
    const furthest = shift.reduce((most, distance) => Math.max(most, distance), 0);
    for (let i = 0; i < n; i++) {
      upper[i] += shift[labels[i]];
      lower[i] -= furthest;
    }
  }
  for (let i = 0; i < n; i++) open[i] = i;
  label(x, d, open, centres, k, labels, upper, lower);
  let inertia = 0;
  for (const distance of upper) inertia += distance * distance;
  return { labels, centres, inertia, iterations };
}

/** The exact labels of the given points, their distances to those centres and to the next nearest. */
function label(
  x: Float64Array,
  d: number,
  points: Int32Array,
  centres: Float64Array,
  k: number,
  labels: Int32Array,
  upper: Float64Array,
  lower: Float64Array,
): void {
  const gathered = new Float64Array(tile * d);
  const distances = new Float64Array(tile * k);
  for (let from = 0; from < points.length; from += tile) {
    const rows = Math.min(tile, points.length - from);
    for (let r = 0; r < rows; r++)
      for (let p = points[from + r] * d, q = r * d; q < (r + 1) * d; p++, q++) gathered[q] = x[p];
    distanceBlock(distances, gathered, 0, rows, centres, 0, k, d);
    for (let r = 0; r < rows; r++) {
      let first = Number.POSITIVE_INFINITY;
      let second = Number.POSITIVE_INFINITY;
      let nearest = 0;
      for (let c = 0; c < k; c++) {
        const distance = distances[r * k + c];
        if (distance < first) {
          second = first;
          first = distance;
          nearest = c;
        } else if (distance < second) second = distance;
      }
      const i = points[from + r];
      labels[i] = nearest;
      upper[i] = Math.sqrt(first);
      lower[i] = Math.sqrt(second);
    }
  }
}

const tile = 64;

/** Half the distance of each centre to its nearest other: a point within it cannot have another centre. */
function halfGaps(centres: Float64Array, k: number, d: number, out: Float64Array): void {
  out.fill(Number.POSITIVE_INFINITY);
  for (let a = 0; a < k; a++) {
    for (let b = a + 1; b < k; b++) {
      const half = Math.sqrt(squaredDistance(centres, a * d, centres, b * d, d)) / 2;
      out[a] = Math.min(out[a], half);
      out[b] = Math.min(out[b], half);
    }
  }
}

/** Gives each cluster without points the point that lies furthest from its own centre, if any lies off it. */
function fillEmpty(
  x: Float64Array,
  n: number,
  d: number,
  centres: Float64Array,
  k: number,
  labels: Int32Array,
  upper: Float64Array,
  lower: Float64Array,
): void {
  const sizes = new Int32Array(k);
  for (let i = 0; i < n; i++) sizes[labels[i]]++;
  for (let c = 0; c < k; c++) {
    if (sizes[c] > 0) continue;
    let furthest = -1;
    let most = 0;
    for (let i = 0; i < n; i++) {
      if (sizes[labels[i]] < 2) continue;
      const distance = squaredDistance(x, i * d, centres, labels[i] * d, d);
      if (distance > most) {
        most = distance;
        furthest = i;
      }
    }
    if (furthest < 0) return;
    sizes[labels[furthest]]--;
    sizes[c] = 1;
    labels[furthest] = c;
    upper[furthest] = Number.POSITIVE_INFINITY;
    lower[furthest] = 0;
  }
}

/** Moves each centre to the mean of its points; `shift` gets the distances. Gives the sum of their squares. */
function moveCentres(
  x: Float64Array,
  n: number,
  d: number,
  centres: Float64Array,
  k: number,
  labels: Int32Array,
  shift: Float64Array,
): number {
  const means = new Float64Array(k * d);
  const sizes = new Int32Array(k);
  for (let i = 0; i < n; i++) {
    sizes[labels[i]]++;
    for (let p = i * d, q = labels[i] * d, end = p + d; p < end; p++, q++) means[q] += x[p];
  }
  let total = 0;
  for (let c = 0; c < k; c++) {
    shift[c] = 0;
    if (sizes[c] === 0) continue;
    for (let q = c * d; q < (c + 1) * d; q++) means[q] /= sizes[c];
    const squared = squaredDistance(means, c * d, centres, c * d, d);
    centres.set(means.subarray(c * d, (c + 1) * d), c * d);
    shift[c] = Math.sqrt(squared);
    total += squared;
  }
  return total;
}

function meanVariance(x: Float64Array, n: number, d: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) {
    let mean = 0;
    for (let i = 0; i < n; i++) mean += x[i * d + j] / n;
    for (let i = 0; i < n; i++) sum += (x[i * d + j] - mean) ** 2 / n;
  }
  return sum / d;
}
