/** The numbers behind charts: ticks of an axis, smoothing, ranges, and the step under a pointer. */

import { numberText } from './format.ts';

/** Round numbers inside a range; powers of ten on a logarithmic axis. */
export function ticks([low, high]: readonly number[], log: boolean, about: number): number[] {
  if (!(high > low)) return [low];
  if (log) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const powers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i));
    if (powers.length >= 2) return powers.filter((_, i) => i % Math.ceil(powers.length / about) === 0);
    return [1, 2, 5]
      .flatMap((m) => [first - 1, first].map((p) => m * 10 ** p))
      .filter((t) => t >= low && t <= high)
      .sort((a, b) => a - b);
  }
  const rough = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Ticks as words with as many digits as tell neighbours apart: 546.8 and 547.2, not 547 twice. */
export function tickWords(values: readonly number[]): string[] {
  for (let digits = 3; digits < 9; digits++) {
    const words = values.map((value) => numberText(value, digits));
    if (new Set(words).size === values.length) return words;
  }
  return values.map(String);
}

/** An exponential moving average without the pull of its first value. */
export function smooth(values: readonly number[], weight: number): number[] {
  let [sum, mass] = [0, 0];
  return values.map((value) => {
    if (!Number.isFinite(value)) return value;
    sum = weight * sum + (1 - weight) * value;
    mass = weight * mass + (1 - weight);
    return sum / mass;
  });
}

/** Where the ascending list comes nearest to a value. */
export function nearestIndex(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] < value) low = middle;
    else high = middle;
  }
  return Math.abs(list[low] - value) <= Math.abs((list[high] ?? Infinity) - value) ? low : high;
}

export function finiteRange(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** Where the first steps of a training reach so many times as high as all others, they leave the picture, which says so. */
const towering = 3;

/** The range of what is drawn, and how high the first steps reach where they leave it. */
export function valueRange(
  lists: readonly (readonly number[])[],
  log: boolean,
): { range: [number, number]; above?: number } {
  const drawn = (list: readonly number[]) => list.filter((value) => isShown(value, log));
  const [lowest, highest] = finiteRange(lists.flatMap(drawn));
  if (log) return { range: lowest === highest ? [lowest / 2, highest * 2] : [lowest, highest] };
  const later = lists.map((list) => drawn(list.length > 20 ? list.slice(Math.ceil(list.length * 0.04)) : list));
  const [low, high] = finiteRange(later.flat());
  const isTowering = highest - low > towering * (high - low) && high > low;
  const [bottom, top] = isTowering ? [Math.min(low, lowest), high] : [lowest, highest];
  const room = (top - bottom || Math.abs(top) || 1) * 0.05;
  const range: [number, number] = [bottom >= 0 && bottom < (top - bottom) * 0.3 ? 0 : bottom - room, top + room];
  return { range, ...(isTowering && { above: highest }) };
}

/** Whether a value has a place: on a logarithmic axis only what is above nothing. */
export const isShown = (value: number, log: boolean) => Number.isFinite(value) && (!log || value > 0);
