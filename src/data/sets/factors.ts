/** Factors of sets that hold every combination of their values. */
import type { Factors } from '../../model/index.ts';

/** Every combination of discrete factors once, the last factor fastest. */
export function allCombinations(names: string[], counts: number[]): Factors {
  const length = counts.reduce((product, count) => product * count, 1);
  const values = new Float32Array(length * counts.length);
  const current = new Array<number>(counts.length).fill(0);
  for (let i = 0, at = 0; i < length; i++) {
    for (let k = 0; k < counts.length; k++) values[at++] = current[k];
    for (let k = counts.length - 1; k >= 0; k--) {
      if (++current[k] < counts[k]) break;
      current[k] = 0;
    }
  }
  return { factors: names.map((name, k) => ({ name, kind: 'discrete', size: counts[k] })), values };
}
