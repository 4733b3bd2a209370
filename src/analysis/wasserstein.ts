/**
 * The squared 2-Wasserstein distance between two sets of points, exactly: the sets as they are, each point with the same
 * mass. Between batches of equal size it is an assignment problem (the contrastive paper, Eq. 9).
 */
import { assignChecked } from './assignment.ts';
import { distanceBlock } from './distances.ts';
import { checkPoints, type Numbers } from './points.ts';
import { transport } from './transport.ts';

/** Which y each x is moved to, and the mean squared length of the moves. */
export interface Matching {
  w2Squared: number;
  /** The index in y of the partner of each x. */
  partners: Int32Array;
}

/**
 * W2² between n points x and m points y: min over plans of Σ plan · ‖x − y‖².
 *
 * @example w2Squared(Float64Array.of(0, 1), 2, Float64Array.of(2, 1), 2, 1) // 1
 */
export function w2Squared(x: Numbers, n: number, y: Numbers, m: number, d: number): number {
  if (n === m) return matchPoints(x, y, n, d).w2Squared;
  const cost = squaredDistances(x, n, y, m, d);
  return transport({ a: new Float64Array(n).fill(1 / n), b: new Float64Array(m).fill(1 / m), cost }).cost;
}

/**
 * The matching σ behind W2² of two sets of n points: W2² = Σ_i ‖x_i − y_σ(i)‖² / n. Its gradient with respect to x_i is
 * 2 (x_i − y_σ(i)) / n.
 */
export function matchPoints(x: Numbers, y: Numbers, n: number, d: number): Matching {
  const { columnOfRow, cost } = assignChecked(squaredDistances(x, n, y, n, d), n, n);
  return { w2Squared: cost / n, partners: columnOfRow };
}

/** ‖x_i − y_j‖² at `[i * m + j]`. */
export function squaredDistances(x: Numbers, n: number, y: Numbers, m: number, d: number): Float64Array {
  const from = checkPoints({ x, n, d });
  const to = checkPoints({ x: y, n: m, d });
  const distances = new Float64Array(n * m);
  distanceBlock(distances, from, 0, n, to, 0, m, d);
  return distances;
}
