/**
 * Trustworthiness of an embedding (Venna and Kaski, 2001): 1 when each point's neighbours in the picture were its
 * neighbours before, less the further away they were:
 * T(k) = 1 − 2 / (n k (2n − 3k − 1)) · Σ_i Σ_{j near i in the embedding} max(0, rank of j seen from i in the data − k).
 */
import { UntangleError } from '../errors.ts';
import { distanceBlock } from './distances.ts';
import { nearestNeighbours } from './neighbours.ts';
import { checkCount, checkPoints, type Numbers, type Points } from './points.ts';

export interface TrustworthinessOptions extends Points {
  /** n × `dimensions`. */
  embedding: Numbers;
  dimensions?: number;
  /** k; fewer than n / 2. */
  neighbours?: number;
}

/** @example trustworthiness({ x, n, d, embedding: tsne({ x, n, d, seed: 1 }).embedding }) */
export function trustworthiness(options: TrustworthinessOptions): number {
  const { n, d, embedding, dimensions = 2, neighbours: k = 5 } = options;
  const x = checkPoints(options);
  const y = checkPoints({ x: embedding, n, d: dimensions });
  checkCount('the number of neighbours', k, 1);
  if (k >= n / 2)
    throw new UntangleError(`${k} neighbours among ${n} points leave trustworthiness undefined.`, {
      kind: 'call',
      hint: 'Ask for fewer neighbours than half the number of points.',
    });
  const { indices } = nearestNeighbours(y, n, dimensions, k);
  const distances = new Float64Array(rowsAtOnce * n);
  let excess = 0;
  for (let first = 0; first < n; first += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, n - first);
    distanceBlock(distances, x, first, rows, x, 0, n, d);
    for (let r = 0; r < rows; r++) {
      for (let e = (first + r) * k; e < (first + r + 1) * k; e++) {
        const rank = rankOf(indices[e], first + r, distances.subarray(r * n, (r + 1) * n));
        excess += Math.max(0, rank - k);
      }
    }
  }
  return 1 - (2 / (n * k * (2 * n - 3 * k - 1))) * excess;
}

const rowsAtOnce = 8;

/** 1 for the point nearest to `from`; of equally near points the lower index comes first. */
function rankOf(point: number, from: number, distances: Float64Array): number {
  const own = distances[point];
  let rank = 1;
  for (let j = 0; j < distances.length; j++) if (distances[j] < own && j !== from) rank++;
  for (let j = 0; j < point; j++) if (distances[j] === own && j !== from) rank++;
  return rank;
}
