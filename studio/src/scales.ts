/** The numbers behind charts: ticks of an axis, smoothing, ranges, and the step under a pointer. */

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

export function extent(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
