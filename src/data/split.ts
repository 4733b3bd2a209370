/** Which items are trained on, tuned on and tested on, and which of them carry a label: decided by a seed alone. */
import { UntangleError } from '../errors.ts';
import type { Factors, Labels } from '../model/index.ts';
import { stream } from '../random/index.ts';
import { checkIndex, type Dataset, fingerprint } from './dataset.ts';
import { type Grouping, splitByGroups } from './design.ts';
import { takenGiven } from './given.ts';

export interface Split {
  train: Uint32Array;
  validation: Uint32Array;
  test: Uint32Array;
}

export interface SplitOptions {
  seed: number;
  /** Share of the items that goes to validation. */
  validation?: number;
  /** Share of the items that goes to the test. */
  test?: number;
}

/**
 * Parts 0 … length−1 at random; each part is in ascending order.
 *
 * @example splitIndices(1000, { seed: 1 }).test.length // 100
 */
export function splitIndices(length: number, { seed, validation = 0.1, test = 0.1 }: SplitOptions): Split {
  if (!(validation >= 0 && test >= 0 && validation + test < 1)) {
    throw new UntangleError(
      `A split of ${validation} for validation and ${test} for the test leaves none to train on.`,
      {
        kind: 'call',
        hint: 'Both shares are between 0 and 1, and their sum is below 1.',
      },
    );
  }
  const order = stream(seed, 'split').permutation(length);
  const tests = Math.round(length * test);
  const validations = Math.round(length * validation);
  return {
    test: order.slice(0, tests).sort(),
    validation: order.slice(tests, tests + validations).sort(),
    train: order.slice(tests + validations).sort(),
  };
}

/**
 * The split of a dataset: the one its paper defines, or one by the seed. Where the paper's has no validation part, that is
 * taken out of its training part. Where items are grouped, whole groups are parted by the seed.
 */
export function splitOf(data: Dataset, options: SplitOptions): Split {
  if (data.groups) return splitGroups(data.groups, options);
  if (!data.split) return splitIndices(data.length, options);
  const { train, validation, test } = data.split;
  if (validation) return { train, validation, test };
  const inner = splitIndices(train.length, { ...options, test: 0 });
  const pick = (indices: Uint32Array) => indices.map((index) => train[index]);
  return { train: pick(inner.train), validation: pick(inner.validation), test };
}

function splitGroups(groups: Grouping, { seed, validation = 0.1, test = 0.1 }: SplitOptions): Split {
  return splitByGroups(groups, { validation, test }, (group) => stream(seed, 'split of groups', group).uniform());
}

/** What is not trained on, the validation and the test part, ascending. */
export function heldOut({ validation, test }: Split): Uint32Array {
  return Uint32Array.from([...validation, ...test]).sort();
}

/**
 * The items at `indices`, in that order, as a dataset of its own. A split of the papers is left behind.
 *
 * @example subset(mnist, mnist.split.test)
 */
export function subset(data: Dataset, indices: ArrayLike<number>, name = data.name): Dataset {
  const chosen = Uint32Array.from(indices, (index) => checkIndex(index, data.length, data.name));
  const { split: _split, ...rest } = data;
  return {
    ...rest,
    name,
    length: chosen.length,
    fingerprint: fingerprint(data.fingerprint, 'subset', chosen),
    labels: data.labels && takenLabels(data.labels, chosen),
    factors: data.factors && takenFactors(data.factors, chosen),
    groups: data.groups && takenGroups(data.groups, chosen),
    strata: data.strata && takenGroups(data.strata, chosen),
    given: data.given && takenGiven(data.given, chosen),
    gather: (wanted, out) =>
      data.gather(
        Uint32Array.from(wanted, (index) => chosen[checkIndex(index, chosen.length, name)]),
        out,
      ),
  };
}

/**
 * Chooses the `count` items whose labels a few-label method may see. `first` takes the first ones, as PartedVAE does on MNIST;
 * `stratified` draws from every class in proportion to its size, at least one of each.
 *
 * @example takeLabels(mnist.labels, 256, { how: 'first', seed: 0, among: mnist.split.train })
 */
export function takeLabels(
  labels: Labels,
  count: number,
  options: { how: 'stratified' | 'first'; seed: number; among?: Uint32Array },
): Uint32Array {
  const among = options.among ?? Uint32Array.from(labels.values, (_, i) => i);
  if (!Number.isInteger(count) || count < 1 || count > among.length) {
    throw new UntangleError(`${count} labels were asked for; between 1 and ${among.length} can be taken.`, {
      kind: 'call',
    });
  }
  if (options.how === 'first') return among.slice(0, count);
  const classes = new Map<number, number[]>();
  for (const index of stream(options.seed, 'labels').permutation(among.length)) {
    const label = labels.values[among[index]];
    const members = classes.get(label) ?? [];
    classes.set(label, members);
    members.push(among[index]);
  }
  const members = [...classes].sort(([a], [b]) => a - b).map(([, items]) => items);
  const shares = shareOut(
    count,
    members.map((items) => items.length),
  );
  return Uint32Array.from(members.flatMap((items, k) => items.slice(0, shares[k]))).sort();
}

function takenGroups(grouping: Grouping, indices: Uint32Array): Grouping {
  return { ...grouping, values: Int32Array.from(indices, (index) => grouping.values[index]) };
}

/** The labels of some items, in their order. */
export function takenLabels(labels: Labels, indices: Uint32Array): Labels {
  return { names: labels.names, values: Uint16Array.from(indices, (index) => labels.values[index]) };
}

/** The factors of some items, in their order. */
export function takenFactors({ factors, values }: Factors, indices: Uint32Array): Factors {
  const width = factors.length;
  const taken = new Float32Array(indices.length * width);
  for (let i = 0; i < indices.length; i++) {
    taken.set(values.subarray(indices[i] * width, (indices[i] + 1) * width), i * width);
  }
  return { factors, values: taken };
}

/** `count` in proportion to `sizes` by the largest remainder, none empty where there are enough to go round. */
function shareOut(count: number, sizes: number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const least = count >= sizes.length ? 1 : 0;
  const exact = sizes.map((size) => (count * size) / total);
  const shares = exact.map((share) => Math.max(least, Math.floor(share)));
  const given = () => shares.reduce((sum, share) => sum + share, 0);
  while (given() !== count) {
    const missing = given() < count;
    let best = -1;
    for (let k = 0; k < sizes.length; k++) {
      if (missing ? shares[k] >= sizes[k] : shares[k] <= least) continue;
      const gap = (j: number) => (missing ? exact[j] - shares[j] : shares[j] - exact[j]);
      if (best < 0 || gap(k) > gap(best)) best = k;
    }
    shares[best] += missing ? 1 : -1;
  }
  return shares;
}
