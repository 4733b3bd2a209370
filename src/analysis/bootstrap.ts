/**
 * How far a mean over few draws can be trusted: the percentile interval of Efron's bootstrap. For paired results, such as two
 * methods with the same seeds, it is taken of the differences.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

export interface BootstrapOptions {
  /** The share of resamples inside the interval. */
  level?: number;
  /** How many are drawn where all of them would be too many. */
  resamples?: number;
  seed?: number;
}

/** Up to so many values every resample is taken once: 6⁶ = 46,656 of them. */
const allOf = 6;

/**
 * The mean with its interval. NaN at both ends for a single value, which says nothing about others.
 *
 * @example bootstrapMean([0.1, 0.2, 0.3]) // { mean: 0.2, low: 0.1, high: 0.3 }
 */
export function bootstrapMean(
  values: ArrayLike<number>,
  { level = 0.95, resamples = 10_000, seed = 0 }: BootstrapOptions = {},
): Interval {
  const n = values.length;
  if (n === 0) throw new UntangleError('An interval needs a value.');
  const all = Float64Array.from(values);
  const mean = all.reduce((sum, value) => sum + value, 0) / n;
  if (n === 1) return { mean, low: Number.NaN, high: Number.NaN };
  const means = n <= allOf ? everyMean(all) : drawnMeans(all, resamples, seed);
  means.sort();
  return { mean, low: quantile(means, (1 - level) / 2), high: quantile(means, (1 + level) / 2) };
}

/** The means of all nⁿ resamples, counted as an odometer of n digits. */
function everyMean(values: Float64Array): Float64Array {
  const n = values.length;
  return Float64Array.from({ length: n ** n }, (_, code) => {
    let sum = 0;
    for (let left = code, i = 0; i < n; i++, left = Math.floor(left / n)) sum += values[left % n];
    return sum / n;
  });
}

function drawnMeans(values: Float64Array, resamples: number, seed: number): Float64Array {
  const n = values.length;
  const draws = stream(seed, 'bootstrap');
  return Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[draws.integer(n)];
    return sum / n;
  });
}

/** Between the two nearest of sorted values, as numpy's linear quantile. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
