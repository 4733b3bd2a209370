/**
 * The FactorVAE score (Kim & Mnih, 2018): fix one factor, see which dimension varies least, and ask how well a majority
 * vote tells the factor from that dimension. In disentanglement_lib's protocol, and in that of PartedVAE's own code, which
 * cuts the whole table into groups and votes and tests on the same groups.
 */

import { columnVariances } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { choice, number } from '../options/index.ts';
import { stream } from '../random/index.ts';
import { count, defineMetric, type Score, type ScoreContext, type Supplied } from './metric.ts';
import { classColumns } from './rows.ts';
import { type Sampler, samplerOf } from './sampler.ts';

export const factorVaeScore = defineMetric({
  name: 'factor-vae',
  title: 'FactorVAE score',
  version: '1',
  needs: ['codes', 'factors'],
  describe: 'how well the dimension that varies least tells which factor was fixed',
  better: 'higher',
  options: {
    protocol: choice(
      'whose votes: drawn at random, or groups of the whole table',
      ['disentanglement-lib', 'parted-vae'],
      { default: 'disentanglement-lib' },
    ),
    batch: count('items with the same value in one vote', 64, 2),
    train: count('votes that decide the classifier (disentanglement-lib)', 10000),
    test: count('votes that it is tested on (disentanglement-lib)', 5000),
    varianceRows: count('draws that estimate the variance of each dimension (disentanglement-lib)', 10000, 2),
    pruneStd: number('dimensions with a smaller standard deviation get no votes', {
      default: 0,
      min: 0,
      schedulable: false,
    }),
    bins: count('bins that a continuous factor is cut into', 20),
  },
  score(inputs, options, context) {
    return options.protocol === 'parted-vae'
      ? scoreGroups(inputs, options, context)
      : scoreDraws(inputs, options, context);
  },
});

interface FactorVaeOptions {
  batch: number;
  train: number;
  test: number;
  varianceRows: number;
  pruneStd: number;
  bins: number;
}

/** Votes: `votes[k][j]` is how often dimension j varied least while factor k was fixed. */
export type Votes = number[][];

/** The factor that most votes of each dimension are for; the lowest among equals, and the first for a dimension without votes. */
export function majority(votes: Votes): number[] {
  return votes[0].map((_, j) => {
    let best = 0;
    for (let k = 1; k < votes.length; k++) if (votes[k][j] > votes[best][j]) best = k;
    return best;
  });
}

/** The share of votes that a classifier from dimension to factor gets right. */
export function voteAccuracy(votes: Votes, classifier: readonly number[]): number {
  let right = 0;
  let all = 0;
  votes.forEach((row, k) => {
    row.forEach((number, j) => {
      all += number;
      if (classifier[j] === k) right += number;
    });
  });
  return right / all;
}

function scoreDraws(inputs: Supplied<'codes' | 'factors'>, options: FactorVaeOptions, context: ScoreContext): Score {
  const notes: string[] = [];
  const sampler = samplerOf(inputs, options.bins, context, notes);
  const { d, factors } = sampler;
  const rows = new Float64Array(options.varianceRows * d);
  sampler.random(options.varianceRows, rows);
  const variances = columnVariances(rows, options.varianceRows, d, 1);
  const active = Array.from(variances.keys()).filter((j) => Math.sqrt(variances[j]) >= options.pruneStd);
  if (active.length === 0) {
    notes.push('No dimension varies enough to vote, so the score is 0.');
    return { score: 0, parts: { factors: [...factors], active, trainAccuracy: 0, testAccuracy: 0 }, notes };
  }
  if (active.length < d) notes.push(`${d - active.length} of ${d} dimensions vary too little and get no votes.`);
  const train = castVotes(sampler, options.train, options.batch, variances, active);
  context.onProgress?.(options.train / (options.train + options.test), 'FactorVAE score');
  const test = castVotes(sampler, options.test, options.batch, variances, active);
  const classifier = majority(train);
  const testAccuracy = voteAccuracy(test, classifier);
  return {
    score: testAccuracy,
    parts: {
      factors: [...factors],
      active,
      trainAccuracy: voteAccuracy(train, classifier),
      testAccuracy,
      classifier,
      votes: train,
    },
    notes,
  };
}

/** `count` votes: fix a random factor in a batch, and let the dimension with the least variance (over its own) speak. */
function castVotes(
  sampler: Sampler,
  count: number,
  batch: number,
  variances: Float64Array,
  active: readonly number[],
): Votes {
  const { d, factors } = sampler;
  const votes: Votes = factors.map(() => new Array<number>(d).fill(0));
  const rows = new Float64Array(batch * d);
  for (let vote = 0; vote < count; vote++) {
    const k = sampler.integer(factors.length);
    sampler.fixed(k, batch, rows);
    votes[k][leastVarying(rows, batch, d, variances, active)]++;
  }
  return votes;
}

/** A dimension that never varies, 0/0, comes before all others, as numpy's argmin takes the first NaN. */
function leastVarying(
  rows: Float64Array,
  n: number,
  d: number,
  variances: Float64Array,
  active: readonly number[],
): number {
  let best = active[0];
  let least = Number.POSITIVE_INFINITY;
  for (const j of active) {
    if (variances[j] === 0) return j;
    let mean = 0;
    for (let at = j; at < n * d; at += d) mean += rows[at];
    mean /= n;
    let sum = 0;
    for (let at = j; at < n * d; at += d) sum += (rows[at] - mean) * (rows[at] - mean);
    const ratio = sum / (n - 1) / variances[j];
    if (ratio < least) {
      least = ratio;
      best = j;
    }
  }
  return best;
}

/**
 * PartedVAE's protocol: rows in a random order; for every value of every factor, groups of `batch` rows that share it vote
 * with variances (ddof 0) of codes over their standard deviation. Votes of dimensions below `pruneStd` are dropped, and
 * Σ_j max_k votes / Σ votes is the score.
 */
function scoreGroups(
  { codes, factors }: Supplied<'codes' | 'factors'>,
  { batch, pruneStd, bins }: FactorVaeOptions,
  context: ScoreContext,
): Score {
  const notes: string[] = [];
  const { n, d, values } = codes;
  const targets = classColumns(factors, bins, notes);
  const variances = columnVariances(values, n, d);
  const order = stream(context.seed, 'order of the groups').permutation(n);
  const everyDimension = Array.from({ length: d }, (_, j) => j);
  const rows = new Float64Array(batch * d);
  const votes = targets.map(({ name, values: classes, size }) => {
    const row = new Array<number>(d).fill(0);
    const members: number[][] = Array.from({ length: size }, () => []);
    for (const i of order) members[classes[i]].push(i);
    for (const list of members)
      for (let start = 0; start + batch <= list.length; start += batch) {
        for (let i = 0; i < batch; i++) for (let j = 0; j < d; j++) rows[i * d + j] = values[list[start + i] * d + j];
        row[leastVarying(rows, batch, d, variances, everyDimension)]++;
      }
    if (row.every((number) => number === 0))
      notes.push(`No value of factor “${name}” has ${batch} rows, so it has no votes.`);
    return row;
  });
  const pruned = everyDimension.filter((j) => Math.sqrt(variances[j]) < pruneStd);
  if (pruned.length > 0) notes.push(`${pruned.length} of ${d} dimensions vary too little; their votes are dropped.`);
  const counted = votes.map((row) => row.map((number, j) => (pruned.includes(j) ? 0 : number)));
  if (votes.flat().every((number) => number === 0))
    throw new UntangleError(`No value of any factor has a group of ${batch} rows.`, {
      hint: 'Give a smaller batch, or more rows.',
    });
  const classifier = majority(counted);
  const total = counted.flat().reduce((sum, number) => sum + number, 0);
  const score = total === 0 ? 0 : voteAccuracy(counted, classifier);
  return { score, parts: { factors: targets.map(({ name }) => name), classifier, votes }, notes };
}
