/** Factors of sets, as tables of their values. */
import type { Factor, Factors } from '../../model/index.ts';

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

/** Factors of `length` items, of which `valueAt` knows factor k of item i. */
export function factorTable(factors: Factor[], length: number, valueAt: (i: number, k: number) => number): Factors {
  const values = new Float32Array(length * factors.length);
  for (let i = 0, at = 0; i < length; i++) for (let k = 0; k < factors.length; k++) values[at++] = valueAt(i, k);
  return { factors, values };
}
