/**
 * Information between discrete variables, in nats, and the histogram discretiser that turns codes into such variables:
 * both as disentanglement_lib (Locatello et al., 2019) defines them, with scikit-learn's mutual information.
 */
import { UntangleError } from '../errors.ts';
import { requireMatrix } from './input.ts';
import { upperBound } from './search.ts';

/**
 * Puts each value into one of `bins` bins of equal width between the smallest and the largest, numbered from 1: the
 * number of lower bin edges that are at most the value. A constant list is widened by ½ on both sides, as numpy does.
 *
 * @example discretise([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 3) // 1, 1, 2, 2, 3, 3
 */
export function discretise(values: ArrayLike<number>, bins = 20): Int32Array {
  return discretiseColumns(values, values.length, 1, bins);
}

/** `discretise` on each column of an n × d matrix by itself. */
export function discretiseColumns(x: ArrayLike<number>, n: number, d: number, bins = 20): Int32Array {
  requireMatrix(x, n, d);
  if (!(Number.isInteger(bins) && bins >= 1 && bins <= 1e6))
    throw new UntangleError(`Values were to be put into ${bins} bins.`, {
      kind: 'call',
      hint: 'Give a whole number from 1 to 1000000.',
    });
  const digits = new Int32Array(n * d);
  const edges = new Float64Array(bins);
  for (let j = 0; j < d; j++) {
    let least = x[j];
    let most = x[j];
    for (let i = 1; i < n; i++) {
      least = Math.min(least, x[i * d + j]);
      most = Math.max(most, x[i * d + j]);
    }
    if (least === most) {
      least -= 0.5;
      most += 0.5;
    }
    const width = (most - least) / bins;
    for (let b = 0; b < bins; b++) edges[b] = b * width + least;
    for (let i = 0; i < n; i++) digits[i * d + j] = upperBound(edges, x[i * d + j]);
  }
  return digits;
}

/**
 * The mutual information of two discrete variables in nats, Σ p(a,b) ln(p(a,b) / p(a)p(b)) over the pairs that occur.
 * Values may be any numbers; only their equality counts.
 *
 * @example mutualInformation([1, 2, 1, 2], [2, 1, 2, 1]) // ln 2
 */
export function mutualInformation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length)
    throw new UntangleError(`One variable has ${a.length} values, the other ${b.length}.`, {
      kind: 'call',
      hint: 'Mutual information is between values that come in pairs.',
    });
  const n = a.length;
  const left = countsOf(a);
  const right = countsOf(b);
  const width = right.counts.length;
  let information = 0;
  for (const [pair, count] of pairCounts(left, right)) {
    const outer = left.counts[Math.floor(pair / width)] * right.counts[pair % width];
    const term = (count / n) * (Math.log(count) - Math.log(n) + (2 * Math.log(n) - Math.log(outer)));
    // scikit-learn drops terms that are only rounding, so that independent variables share exactly nothing.
    if (Math.abs(term) >= Number.EPSILON) information += term;
  }
  return Math.max(0, information);
}

/** The entropy of a discrete variable in nats, −Σ p(a) ln p(a). */
export function entropy(values: ArrayLike<number>): number {
  const { counts } = countsOf(values);
  const n = values.length;
  let sum = 0;
  for (const count of counts) sum -= (count / n) * Math.log(count / n);
  return Math.max(0, sum);
}

interface Counts {
  /** For each row, the place of its value in order of first appearance. */
  place: Int32Array;
  counts: number[];
}

function countsOf(values: ArrayLike<number>): Counts {
  requireMatrix(values, values.length, 1);
  const places = new Map<number, number>();
  const counts: number[] = [];
  const place = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let at = places.get(values[i]);
    if (at === undefined) {
      at = counts.push(0) - 1;
      places.set(values[i], at);
    }
    counts[at]++;
    place[i] = at;
  }
  return { place, counts };
}

/** How often each pair occurs, keyed by left · width + right. A table would be giant for variables of many values. */
function* pairCounts(left: Counts, right: Counts): Generator<[number, number]> {
  const width = right.counts.length;
  const size = left.counts.length * width;
  if (size > 1 << 20) {
    const table = new Map<number, number>();
    for (let i = 0; i < left.place.length; i++) {
      const pair = left.place[i] * width + right.place[i];
      table.set(pair, (table.get(pair) ?? 0) + 1);
    }
    yield* table;
    return;
  }
  const table = new Int32Array(size);
  for (let i = 0; i < left.place.length; i++) table[left.place[i] * width + right.place[i]]++;
  for (let pair = 0; pair < size; pair++) if (table[pair] > 0) yield [pair, table[pair]];
}
