/** The k nearest neighbours of every point among the others, exactly: all distances, a block at a time. */
import { distanceBlock } from './distances.ts';

export interface Neighbours {
  /** The neighbours of point i at `[i * k]` …, nearest first; of equally near ones the lower index first. */
  indices: Int32Array;
  squaredDistances: Float64Array;
}

export function nearestNeighbours(x: Float64Array, n: number, d: number, k: number): Neighbours {
  const indices = new Int32Array(n * k).fill(-1);
  const distances = new Float64Array(n * k).fill(Number.POSITIVE_INFINITY);
  const block = new Float64Array(tile * tile);
  for (let a = 0; a < n; a += tile) {
    const rows = Math.min(tile, n - a);
    for (let b = a; b < n; b += tile) {
      const columns = Math.min(tile, n - b);
      distanceBlock(block, x, a, rows, x, b, columns, d);
      for (let i = 0; i < rows; i++) {
        const p = a + i;
        for (let j = a === b ? i + 1 : 0; j < columns; j++) {
          const q = b + j;
          const distance = block[i * columns + j];
          if (distance < distances[p * k]) replaceWorst(indices, distances, p * k, k, q, distance);
          if (distance < distances[q * k]) replaceWorst(indices, distances, q * k, k, p, distance);
        }
      }
    }
  }
  for (let i = 0; i < n; i++) sortHeap(indices, distances, i * k, k);
  return { indices, squaredDistances: distances };
}

const tile = 64;

/** The k best so far of a point are a heap with the worst on top: puts a better one in its place and sifts it down. */
function replaceWorst(
  indices: Int32Array,
  distances: Float64Array,
  top: number,
  size: number,
  index: number,
  distance: number,
): void {
  let hole = 0;
  while (true) {
    let child = 2 * hole + 1;
    if (child >= size) break;
    if (child + 1 < size && distances[top + child + 1] > distances[top + child]) child++;
    if (distances[top + child] <= distance) break;
    distances[top + hole] = distances[top + child];
    indices[top + hole] = indices[top + child];
    hole = child;
  }
  distances[top + hole] = distance;
  indices[top + hole] = index;
}

function sortHeap(indices: Int32Array, distances: Float64Array, top: number, size: number): void {
  for (let last = size - 1; last > 0; last--) {
    const index = indices[top + last];
    const distance = distances[top + last];
    indices[top + last] = indices[top];
    distances[top + last] = distances[top];
    replaceWorst(indices, distances, top, last, index, distance);
  }
  // Equal distances come out of a heap in any order.
  for (let i = top + 1; i < top + size; i++) {
    for (let j = i; j > top && distances[j] === distances[j - 1] && indices[j] < indices[j - 1]; j--) {
      const index = indices[j];
      indices[j] = indices[j - 1];
      indices[j - 1] = index;
    }
  }
}
