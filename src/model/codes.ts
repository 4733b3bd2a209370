/** Codes as arrays, and what can be done with them by blocks alone: priors, classes that are chosen, dimensions that move. */
import { stream } from '../random/index.ts';
import type { Block, ModelBlock } from './block.ts';

/** A code of each block by its name, a row for each item: means, or probabilities of classes. */
export type Codes = Record<string, Float32Array>;

/** A normal distribution of each dimension by itself. */
export interface Gaussian {
  mean: readonly number[];
  logVariance: readonly number[];
}

/** The prior of a Gaussian block at a row of codes: N(0, I), or what was learned for the likeliest class of that row. */
export function priorOf({ prior, size, dependsOn }: ModelBlock, codes: Codes, row = 0): Gaussian {
  if (prior === undefined) return { mean: new Array(size).fill(0), logVariance: new Array(size).fill(0) };
  const count = prior.mean.length;
  const found =
    dependsOn !== undefined && count > 1 ? largest(codes[dependsOn].subarray(row * count, (row + 1) * count)) : 0;
  return { mean: prior.mean[found], logVariance: prior.logVariance[found] };
}

export function deviationsOf({ logVariance }: Gaussian): number[] {
  return logVariance.map((value) => Math.exp(value / 2));
}

/** The code of one item: the class that is chosen in each class block, then for each other block one by its prior. */
export function composed(
  blocks: readonly ModelBlock[],
  chosen: (block: ModelBlock) => number,
  placed: (prior: Gaussian, block: ModelBlock) => ArrayLike<number>,
): Codes {
  const codes: Codes = {};
  for (const block of blocks) if (block.kind === 'categorical') codes[block.name] = oneHot(block.size, chosen(block));
  for (const block of blocks)
    if (block.kind === 'gaussian') codes[block.name] = Float32Array.from(placed(priorOf(block, codes), block));
  return codes;
}

/** The code before anything is moved: first classes, neutral codes, prior means. */
export function startingCodes(blocks: readonly ModelBlock[]): Codes {
  return composed(
    blocks,
    () => 0,
    ({ mean }, { neutral }) => neutral ?? mean,
  );
}

/** A draw from the prior: a class of each class block, then the Gaussian blocks. */
export function randomCodes(blocks: readonly ModelBlock[], seed: number): Codes {
  const random = stream(seed, 'a random code');
  return composed(
    blocks,
    ({ size }) => random.integer(size),
    (prior) => {
      const deviations = deviationsOf(prior);
      return prior.mean.map((value, i) => value + deviations[i] * random.normal());
    },
  );
}

/** Codes with the most probable class in the place of each class block's probabilities, as a decoder takes them. */
export function withChosenClasses(codes: Codes, blocks: readonly Block[]): Codes {
  const chosen = blocks.filter(({ kind }) => kind === 'categorical');
  return { ...codes, ...Object.fromEntries(chosen.map(({ name, size }) => [name, chosenOf(codes[name], size)])) };
}

function chosenOf(probabilities: Float32Array, size: number): Float32Array {
  const rows = new Float32Array(probabilities.length);
  for (const [row, best] of largestOfRows(probabilities, size).entries()) rows[row * size + best] = 1;
  return rows;
}

/** Another class of one item; codes whose prior goes with it keep their place in the prior. */
export function withClass(codes: Codes, block: Block, choice: number, blocks: readonly ModelBlock[]): Codes {
  const next = { ...codes, [block.name]: oneHot(block.size, choice) };
  for (const related of blocks.filter(({ prior, dependsOn }) => prior && dependsOn === block.name)) {
    const [before, after] = [priorOf(related, codes), priorOf(related, next)];
    const [narrow, wide] = [deviationsOf(before), deviationsOf(after)];
    next[related.name] = codes[related.name].map(
      (value, i) => after.mean[i] + ((value - before.mean[i]) / narrow[i]) * wide[i],
    );
  }
  return next;
}

/** Codes with one value for a dimension of a block, in every row. */
export function withValue(
  codes: Codes,
  { name, size }: Pick<Block, 'name' | 'size'>,
  index: number,
  value: number,
): Codes {
  const moved = codes[name].slice();
  for (let i = index; i < moved.length; i += size) moved[i] = value;
  return { ...codes, [name]: moved };
}

/** A row for each value that one dimension of one item's code takes, all else the same. */
export function traversed(
  codes: Codes,
  { name, size }: Pick<Block, 'name' | 'size'>,
  index: number,
  values: readonly number[],
): Codes {
  const rows = repeated(codes, values.length);
  for (const [row, value] of values.entries()) rows[name][row * size + index] = value;
  return rows;
}

/** `count` rows of one item's code. */
export function repeated(codes: Codes, count: number): Codes {
  return Object.fromEntries(
    Object.entries(codes).map(([name, values]) => {
      const rows = new Float32Array(values.length * count);
      for (let row = 0; row < count; row++) rows.set(values, row * values.length);
      return [name, rows];
    }),
  );
}

export function oneHot(size: number, index: number): Float32Array {
  const row = new Float32Array(size);
  row[index] = 1;
  return row;
}

/** The place of the largest of some values, the first of equal ones. */
export function largest(values: ArrayLike<number>): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k;
  return best;
}

/** The place of the largest value in each row: the likeliest class of each item. */
export function largestOfRows(values: Float32Array, size: number): Uint32Array {
  return Uint32Array.from({ length: values.length / size }, (_, row) =>
    largest(values.subarray(row * size, (row + 1) * size)),
  );
}
