/** Finds, between two phases, what no graph can compute. Every worker solves the same problem, and so finds the same. */
import { matchPoints } from '../analysis/index.ts';
import type { Values } from './backend.ts';

/** Whether a value is solved, and not exchanged between workers. */
export function isSolved(kind: string): kind is 'partners' {
  return kind === 'partners';
}

/** Solves for `result` from what the phase computed: the points of two sets under one another, as many of each. */
export function solve(_: 'partners', points: Values, result: Values): void {
  if (!(points instanceof Float32Array) || !(result instanceof BigInt64Array))
    throw new TypeError('points are float32, partners int64');
  const half = points.length / 2;
  const n = result.length;
  const { partners } = matchPoints(points.subarray(0, half), points.subarray(half), n, half / n);
  for (let i = 0; i < n; i++) result[i] = BigInt(partners[i]);
}
