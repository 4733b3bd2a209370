/**
 * Which columns of a table a factor moves, and by how much, measured on rows that were not trained on: what the target adds to the
 * background along the factor's score. The score is a linear reading of the salient codes from the columns; whatever it is, columns that
 * vary alike in both sets get nothing, and nothing is shrunk.
 */
import {
  type Added,
  addedCovariance,
  falseDiscovery,
  fitRidge,
  leadingEigenvectors,
  normalShare,
  percentile,
  varimax,
} from '../analysis/index.ts';
import { itemSize } from '../model/index.ts';
import { codesAlong, leastShare, type SalientDirections } from './directions.ts';
import { type EncodedSet, everyItem } from './encoded.ts';

/** The effect of one factor on every number of an item. */
export interface FactorEffects {
  /** The weights of the salient dimensions, for the score in units of its root mean square. */
  weights: number[];
  /** The factor's low and high value in those units; the neutral value, 0, lies between them or at one of them. */
  low: number;
  high: number;
  /** For each number of an item: how far it moves with a unit of the score, with its standard error. */
  slopes: Float64Array;
  errors: Float64Array;
  /** The chance of a slope so far from zero in rows that were not trained on, by the normal distribution. */
  pValues: number[];
}

const mostRows = 5000;
/** A regression on more columns takes too long; each is weighed by itself then. */
const mostRegressed = 600;
/** With so many rows for each column the score hardly fits chance, and all rows say how large an effect is. */
const rowsForEach = 10;
/** The ridge penalty for each row. */
const penalty = 0.01;

export function factorEffects(
  target: EncodedSet,
  background: EncodedSet,
  { dimensions, directions }: SalientDirections,
): FactorEffects[] {
  const d = itemSize(target.data.shape);
  if (directions.length === 0) return [];
  const rows = (set: EncodedSet, items: Uint32Array) => ({ x: set.data.gather(items), n: items.length, d });
  const [learnt, learntBackground] = [target, background].map((set) => {
    const items = spreadOver(set.split.train, mostRows);
    return { ...rows(set, items), codes: alongAll(codesAlong(set, dimensions, items), dimensions.length, directions) };
  });
  const reading = readingOf(learnt, learntBackground, directions.length);
  const k = directions.length;
  const scored = (set: ReturnType<typeof rows>, units?: ArrayLike<number>) => ({
    ...set,
    scores: times(set.x, set.n, d, reading, k),
    units,
  });
  // Of the directions, those that the columns bear out, turned so that each factor has columns of its own.
  const turned = turn(addedCovariance(scored(learnt), scored(learntBackground), k), d, k);
  const r = turned.length / k;
  if (r === 0) return [];
  const weights = times(reading, d, k, turned, r);
  const measured = (set: EncodedSet, among: Uint32Array) => {
    const items = spreadOver(among, mostRows);
    const all = rows(set, items);
    return {
      ...all,
      scores: times(all.x, all.n, d, weights, r),
      units: set.units && Array.from(items, (item) => set.units?.[item] ?? item),
    };
  };
  const [ours, theirs] = [measured(target, target.heldOut), measured(background, background.heldOut)];
  const test = addedCovariance(ours, theirs, r);
  const isEnough = Math.min(learnt.n, learntBackground.n) >= rowsForEach * d;
  const [allOurs, allTheirs] = isEnough
    ? [measured(target, everyItem(target)), measured(background, everyItem(background))]
    : [ours, theirs];
  const size = isEnough ? addedCovariance(allOurs, allTheirs, r) : test;
  const scale = ({ ofScores }: Added, c: number) => Math.sqrt(Math.max(0, ofScores[c * r + c]));
  return Array.from({ length: r }, (_, c) => c)
    .filter((c) => scale(test, c) > 0 && scale(size, c) > 0)
    .map((c) => ({
      weights: dimensions.map((_, m) => directions.reduce((sum, one, a) => sum + one[m] * turned[a * r + c], 0)),
      ...reach(column(allOurs.scores, r, c), column(allTheirs.scores, r, c), scale(size, c)),
      slopes: column(size.values, r, c).map((value) => value / scale(size, c)),
      errors: column(size.errors, r, c).map((value) => value / scale(size, c)),
      pValues: Array.from(column(test.values, r, c), (value, j) => {
        const error = test.errors[j * r + c];
        return error > 0 ? 2 * normalShare(-Math.abs(value / error)) : 1;
      }),
    }));
}

/** Rates of false discoveries over columns, where a column may stand for several numbers, one of which is taken. */
export function ratesOf(chosen: readonly { pValue: number; among: number }[]): number[] {
  return falseDiscovery(chosen.map(({ pValue, among }) => Math.min(1, pValue * among)));
}

type Learnt = { x: Float32Array; n: number; d: number; codes: Float64Array };

/** For each direction the weights, d × k, by which its codes are read from the columns of both sets. */
function readingOf(ours: Learnt, theirs: Learnt, k: number): Float64Array {
  const { d } = ours;
  const data = { n: ours.n + theirs.n, d, targets: k };
  const x = new Float32Array(data.n * d);
  x.set(ours.x);
  x.set(theirs.x, ours.n * d);
  const y = new Float64Array(data.n * k);
  y.set(ours.codes);
  y.set(theirs.codes, ours.n * k);
  const out = new Float64Array(d * k);
  if (d > mostRegressed) {
    const means = Array.from({ length: k }, (_, c) => column(y, k, c).reduce((sum, value) => sum + value / data.n, 0));
    for (let i = 0; i < data.n; i++)
      for (let j = 0; j < d; j++)
        for (let c = 0; c < k; c++) out[j * k + c] += (x[i * d + j] * (y[i * k + c] - means[c])) / data.n;
    return out;
  }
  const { weights } = fitRidge({ ...data, x, y, penalty: penalty * data.n });
  for (let c = 0; c < k; c++) for (let j = 0; j < d; j++) out[j * k + c] = weights[c * d + j];
  return out;
}

/** The matrix k × r that takes scores to factors of unit size, after varimax of their loadings. */
function turn({ values, ofScores }: Added, d: number, k: number): Float64Array {
  const symmetric = ofScores.map((value, e) => (value + ofScores[(e % k) * k + Math.floor(e / k)]) / 2);
  const { values: sizes, vectors } = leadingEigenvectors(symmetric, k, k);
  const r = sizes.filter((size) => size > leastShare * sizes[0] && size > 0).length;
  const whitened = Float64Array.from({ length: k * r }, (_, e) => {
    const [a, c] = [Math.floor(e / r), e % r];
    return vectors[c * k + a] / Math.sqrt(sizes[c]);
  });
  if (r === 0) return whitened;
  const loadings = times(values, d, k, whitened, r);
  return times(whitened, k, r, varimax(loadings, d, r), r);
}

/** The 5 % and 95 % quantiles of the factor itself, without the noise that the score has in the background as well. */
function reach(ours: Float64Array, theirs: Float64Array, scale: number): { low: number; high: number } {
  const centre = theirs.reduce((sum, value) => sum + value, 0) / theirs.length;
  const scores = Float64Array.from(ours, (value) => (value - centre) / scale);
  const shift = scores.reduce((sum, value) => sum + value, 0) / scores.length;
  const spread = scores.reduce((sum, value) => sum + (value - shift) ** 2, 0) / scores.length;
  const own = Math.sqrt(Math.max(0, 1 - shift ** 2) / Math.max(1e-12, spread));
  const at = (quantile: number) => shift + own * (percentile(scores, quantile) - shift);
  return { low: Math.min(0, at(5)), high: Math.max(0, at(95)) };
}

/** A (n × k) times B (k × r), row by row. */
function times(a: ArrayLike<number>, n: number, k: number, b: ArrayLike<number>, r: number): Float64Array {
  const out = new Float64Array(n * r);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < k; j++) for (let c = 0; c < r; c++) out[i * r + c] += a[i * k + j] * b[j * r + c];
  return out;
}

function alongAll(codes: Float64Array, m: number, directions: readonly number[][]): Float64Array {
  const k = directions.length;
  const weights = Float64Array.from({ length: m * k }, (_, e) => directions[e % k][Math.floor(e / k)]);
  return times(codes, codes.length / m, m, weights, k);
}

function column(rows: Float64Array, width: number, at: number): Float64Array {
  return Float64Array.from({ length: rows.length / width }, (_, i) => rows[i * width + at]);
}

/** At most so many of some items, evenly over them. */
function spreadOver(items: Uint32Array, most: number): Uint32Array {
  if (items.length <= most) return items;
  return Uint32Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]);
}
