/**
 * UMAP to two dimensions (McInnes, Healy and Melville, 2018), by umap-js on our own random numbers and on exact nearest
 * neighbours: the same seed gives the same picture.
 */
import { UMAP } from 'umap-js';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { nearestNeighbours } from './neighbours.ts';
import { checkCount, checkPoints, type Points } from './points.ts';

export interface UmapOptions extends Points {
  seed: number;
  /** How many neighbours a point has, itself among them. */
  neighbours?: number;
  /** How near points may come in the picture: 0 packs clusters tightly. Below 1. */
  minDistance?: number;
  epochs?: number;
  onProgress?: (step: { epoch: number; epochs: number; embedding: Float64Array }) => void;
}

/** @example umap({ x, n, d, seed: 1 }).embedding */
export function umap(options: UmapOptions): { embedding: Float64Array } {
  const { n, d, seed, neighbours = 15, minDistance = 0.1, epochs, onProgress } = options;
  const x = checkPoints(options, 3);
  checkCount('the number of neighbours', neighbours, 2, n - 1);
  if (epochs !== undefined) checkCount('the number of epochs', epochs, 1);
  if (!(minDistance >= 0 && minDistance < 1))
    throw new UntangleError(`A least distance of ${minDistance} does not fit the picture.`, {
      kind: 'call',
      hint: 'It must be 0 or more, and below 1.',
    });
  const model = new UMAP({
    nNeighbors: neighbours,
    minDist: minDistance,
    nEpochs: epochs,
    random: stream(seed, 'UMAP').uniform,
  });
  const { indices, distances } = withSelf(x, n, d, neighbours);
  model.setPrecomputedKNN(indices, distances);
  const rows = Array.from({ length: n }, (_, i) => Array.from(x.subarray(i * d, (i + 1) * d)));
  const total = model.initializeFit(rows);
  for (let epoch = 1; epoch <= total; epoch++) {
    model.step();
    onProgress?.({ epoch, epochs: total, embedding: Float64Array.from(model.getEmbedding().flat()) });
  }
  return { embedding: Float64Array.from(model.getEmbedding().flat()) };
}

/** umap-js counts a point as its own first neighbour. */
function withSelf(x: Float64Array, n: number, d: number, count: number) {
  const k = count - 1;
  const { indices, squaredDistances } = nearestNeighbours(x, n, d, k);
  return {
    indices: Array.from({ length: n }, (_, i) => [i, ...indices.subarray(i * k, (i + 1) * k)]),
    distances: Array.from({ length: n }, (_, i) => [
      0,
      ...squaredDistances.subarray(i * k, (i + 1) * k).map(Math.sqrt),
    ]),
  };
}
