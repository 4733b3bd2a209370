/** The numbers behind charts: the ranges of their axes, and the step under a pointer. */

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
  const shown = lists.flatMap(drawn);
  const [lowest, highest] = log && shown.length === 0 ? [0.1, 1] : finiteRange(shown);
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
