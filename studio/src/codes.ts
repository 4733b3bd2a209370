/** What a code can be: where each block starts, how far its sliders go, draws from its prior, and its form in a link. */
import { stream } from '../../src/random/index.ts';
import type { ModelBlock } from '../../src/runs/index.ts';
import type { Codes } from './model.ts';

/** Sliders go from the 1 % to the 99 % quantile of the prior. */
export const reach = 2.3263;

/** A dimension whose KL is below so many nats carries next to nothing. */
export const quiet = 0.01;

/** The class block that decides the prior of a block, where that has a row for each class. */
export function classOf(block: ModelBlock, blocks: readonly ModelBlock[]): ModelBlock | undefined {
  const rows = block.prior?.mean.length ?? 1;
  if (rows === 1) return undefined;
  const classes = blocks.filter(({ kind }) => kind === 'categorical');
  const learned = blocks.filter(({ prior }) => prior !== undefined && prior.mean.length > 1);
  const same = classes[learned.indexOf(block)];
  return same?.size === rows ? same : classes.find(({ size }) => size === rows);
}

export interface Prior {
  mean: Float32Array;
  deviation: Float32Array;
}

/** Mean and deviation of the prior of a Gaussian block, under the classes that are chosen. */
export function priorOf(block: ModelBlock, blocks: readonly ModelBlock[], codes: Codes): Prior {
  const { prior, size } = block;
  if (!prior) return { mean: new Float32Array(size), deviation: new Float32Array(size).fill(1) };
  const decides = classOf(block, blocks);
  const row = decides ? largest(codes[decides.name]) : 0;
  return {
    mean: Float32Array.from(prior.mean[row]),
    deviation: Float32Array.from(prior.logVariance[row], (value) => Math.exp(value / 2)),
  };
}

/** The code before anything is moved: first classes, neutral codes, prior means. */
export function startingCodes(blocks: readonly ModelBlock[]): Codes {
  return drawCodes(
    blocks,
    () => 0,
    (prior, block) => (block.neutral ? Float32Array.from(block.neutral) : prior.mean),
  );
}

/** A draw from the prior: a class of each class block, then the Gaussian blocks. */
export function randomCodes(blocks: readonly ModelBlock[], seed: number): Codes {
  const random = stream(seed, 'a random code');
  return drawCodes(
    blocks,
    (size) => random.integer(size),
    ({ mean, deviation }) => mean.map((value, i) => value + deviation[i] * random.normal()),
  );
}

function drawCodes(
  blocks: readonly ModelBlock[],
  chosen: (size: number) => number,
  drawn: (prior: Prior, block: ModelBlock) => Float32Array,
): Codes {
  const codes: Codes = {};
  for (const { name, kind, size } of blocks) if (kind === 'categorical') codes[name] = oneHot(size, chosen(size));
  for (const block of blocks)
    if (block.kind === 'gaussian') codes[block.name] = drawn(priorOf(block, blocks, codes), block);
  return codes;
}

/** Codes with the most probable class in the place of each class block's probabilities. */
export function withChosenClasses(codes: Codes, blocks: readonly ModelBlock[]): Codes {
  const chosen = blocks.filter(({ kind }) => kind === 'categorical');
  return {
    ...codes,
    ...Object.fromEntries(chosen.map(({ name, size }) => [name, oneHot(size, largest(codes[name]))])),
  };
}

/** Another class; codes whose prior goes with it keep their place in the prior. */
export function withClass(codes: Codes, block: ModelBlock, choice: number, blocks: readonly ModelBlock[]): Codes {
  const next = { ...codes, [block.name]: oneHot(block.size, choice) };
  for (const related of blocks.filter((other) => classOf(other, blocks) === block)) {
    const [before, after] = [priorOf(related, blocks, codes), priorOf(related, blocks, next)];
    next[related.name] = codes[related.name].map(
      (value, i) => after.mean[i] + ((value - before.mean[i]) / before.deviation[i]) * after.deviation[i],
    );
  }
  return next;
}

export function withValue(codes: Codes, name: string, index: number, value: number): Codes {
  const changed = codes[name].slice();
  changed[index] = value;
  return { ...codes, [name]: changed };
}

/** A row for each value that one dimension takes, all else the same. */
export function traversal(codes: Codes, name: string, index: number, values: readonly number[]): Codes {
  const rows = repeated(codes, values.length);
  const size = codes[name].length;
  for (const [row, value] of values.entries()) rows[name][row * size + index] = value;
  return rows;
}

/** `count` rows of the same codes. */
export function repeated(codes: Codes, count: number): Codes {
  return Object.fromEntries(
    Object.entries(codes).map(([name, values]) => {
      const rows = new Float32Array(values.length * count);
      for (let row = 0; row < count; row++) rows.set(values, row * values.length);
      return [name, rows];
    }),
  );
}

/** The values of a traversal, evenly over the prior's reach. */
export function traversalValues({ mean, deviation }: Prior, index: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => mean[index] + deviation[index] * reach * ((2 * i) / (count - 1) - 1));
}

/** The dimensions of a block, those first that carry most. */
export function byKl({ size, kl }: ModelBlock): number[] {
  return Array.from({ length: size }, (_, i) => i).sort((a, b) => Number(kl?.[b] ?? 0) - Number(kl?.[a] ?? 0));
}

/** Codes as a link holds them: `z=0.5,1.25&c=3`. */
export function codesQuery(codes: Codes, blocks: readonly ModelBlock[]): string {
  const query = new URLSearchParams();
  for (const { name, kind } of blocks)
    query.set(
      name,
      kind === 'categorical' ? `${largest(codes[name])}` : [...codes[name]].map((v) => Number(v.toFixed(3))).join(','),
    );
  return query.toString().replaceAll('%2C', ',');
}

/** The codes of a link; what it doesn't tell, or tells wrongly, is as at the start. */
export function codesOfQuery(query: URLSearchParams, blocks: readonly ModelBlock[]): Codes {
  const codes = startingCodes(blocks);
  for (const { name, kind, size } of blocks) {
    const given = query.get(name)?.split(',').map(Number);
    if (!given?.every(Number.isFinite)) continue;
    if (kind === 'categorical') {
      if (Number.isInteger(given[0]) && given[0] >= 0 && given[0] < size) codes[name] = oneHot(size, given[0]);
    } else if (given.length === size) codes[name] = Float32Array.from(given);
  }
  return codes;
}

export function oneHot(size: number, index: number): Float32Array {
  const row = new Float32Array(size);
  row[index] = 1;
  return row;
}

/** Where the largest of some values stands. */
export function largest(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
