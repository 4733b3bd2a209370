/**
 * Which items each step sees. An epoch is a random order of all items; the epochs follow each other without a gap, so that a
 * small set serves any batch size. Everything follows from (seed, purpose, step): nothing is remembered.
 */
import { stream } from '../../random/index.ts';

export interface Batches {
  /** The items of a step's batch, as places in the set that is walked. The array is used again by the next call. */
  at(step: number): Uint32Array;
}

/**
 * Walks `length` items in batches of `size`.
 *
 * @example batches(54_000, 64, 1, 'order of items').at(0) // 64 places in the first epoch's order
 */
export function batches(length: number, size: number, seed: number, purpose: string): Batches {
  const orders = new Map<number, Uint32Array>();
  const places = new Uint32Array(size);
  function orderOf(epoch: number): Uint32Array {
    const known = orders.get(epoch);
    if (known !== undefined) return known;
    const order = stream(seed, purpose, epoch).permutation(length);
    if (orders.size > 1) orders.delete(Math.min(...orders.keys()));
    orders.set(epoch, order);
    return order;
  }
  return {
    at(step) {
      for (let i = 0; i < size; i++) {
        const position = step * size + i;
        const epoch = Math.floor(position / length);
        places[i] = orderOf(epoch)[position - epoch * length];
      }
      return places;
    },
  };
}
