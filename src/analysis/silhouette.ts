/**
 * The silhouette (Rousseeuw, 1987): how much nearer a point is to its own cluster than to the next one,
 * s = (b − a) / max(a, b), where a is the mean distance to the other points of its cluster and b the least mean distance
 * to the points of another. A point that is alone in its cluster has 0, as in scikit-learn.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { distanceBlock } from './distances.ts';
import { requireMatrix } from './input.ts';
import { checkCount, checkPoints, type Points } from './points.ts';

export interface Clustering extends Points {
  /** The cluster of each point, as any whole numbers. */
  labels: ArrayLike<number>;
}

export interface SilhouetteOptions extends Clustering {
  /** Measure this many points drawn at random, among themselves: the whole takes n² distances. */
  sample?: number;
  seed?: number;
}

/**
 * The mean silhouette, in −1 … 1.
 *
 * @example silhouette({ x, n, d, labels: kmeans({ x, n, d, k: 4, seed: 1 }).labels })
 */
export function silhouette(options: SilhouetteOptions): number {
  const { n, sample = n, seed = 0 } = options;
  checkCount('the number of points in the sample', sample, 1);
  const values = silhouettes(sample < n ? drawn(options, sample, seed) : options);
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The silhouette of every point. */
export function silhouettes(clustering: Clustering): Float64Array {
  const { n, d, labels } = clustering;
  const x = checkPoints(clustering);
  const { order, starts } = byCluster(labels, n);
  const sorted = new Float64Array(n * d);
  for (let i = 0; i < n; i++) sorted.set(x.subarray(order[i] * d, (order[i] + 1) * d), i * d);

  const own = new Float64Array(n);
  const other = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  const sums = new Float64Array(n);
  for (let a = 0; a + 1 < starts.length; a++) {
    for (let b = a; b + 1 < starts.length; b++) {
      addDistances(sums, sorted, d, starts[a], starts[a + 1], starts[b], starts[b + 1]);
      const sizeA = starts[a + 1] - starts[a];
      const sizeB = starts[b + 1] - starts[b];
      for (let i = starts[a]; i < starts[a + 1]; i++) {
        if (a === b) own[i] = sums[i] / (sizeA - 1);
        else other[i] = Math.min(other[i], sums[i] / sizeB);
        sums[i] = 0;
      }
      for (let j = starts[b]; j < starts[b + 1] && a !== b; j++) {
        other[j] = Math.min(other[j], sums[j] / sizeA);
        sums[j] = 0;
      }
    }
  }
  const values = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const larger = Math.max(own[i], other[i]);
    // Alone in its cluster (0 / 0), or on top of everything.
    values[order[i]] = larger > 0 ? (other[i] - own[i]) / larger : 0;
  }
  return values;
}

/** Adds the distances between two runs of points to the sums of both; for a run with itself, each pair once to each end. */
function addDistances(
  sums: Float64Array,
  x: Float64Array,
  d: number,
  startA: number,
  endA: number,
  startB: number,
  endB: number,
): void {
  const block = new Float64Array(tile * tile);
  for (let a = startA; a < endA; a += tile) {
    const rows = Math.min(tile, endA - a);
    for (let b = startA === startB ? a : startB; b < endB; b += tile) {
      const columns = Math.min(tile, endB - b);
      distanceBlock(block, x, a, rows, x, b, columns, d);
      for (let i = 0; i < rows; i++) {
        let sum = 0;
        for (let j = 0; j < columns; j++) {
          const distance = Math.sqrt(block[i * columns + j]);
          sum += distance;
          // A square on the diagonal holds each pair at both its places.
          if (a !== b) sums[b + j] += distance;
        }
        sums[a + i] += sum;
      }
    }
  }
}

const tile = 64;

/** The points' order with clusters one after the other, and where each begins (and the last ends). */
function byCluster(labels: ArrayLike<number>, n: number): { order: Int32Array; starts: number[] } {
  requireMatrix(labels, n, 1);
  const label = Float64Array.from(labels);
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((i, j) => label[i] - label[j] || i - j);
  const starts = [0];
  for (let i = 1; i < n; i++) if (label[order[i]] !== label[order[i - 1]]) starts.push(i);
  if (starts.length < 2 || starts.length >= n)
    throw new UntangleError(`${n} points in ${starts.length} clusters have no silhouette.`, {
      kind: 'call',
      hint: 'There must be at least two clusters, and fewer clusters than points.',
    });
  return { order, starts: [...starts, n] };
}

function drawn({ x, n, d, labels }: Clustering, sample: number, seed: number): Clustering {
  checkPoints({ x, n, d });
  const chosen = stream(seed, 'silhouette sample').permutation(n).subarray(0, sample).sort();
  const values = new Float64Array(sample * d);
  for (let i = 0; i < sample; i++) values.set(x.subarray(chosen[i] * d, (chosen[i] + 1) * d), i * d);
  return { x: values, n: sample, d, labels: Float64Array.from(chosen, (i) => labels[i]) };
}
