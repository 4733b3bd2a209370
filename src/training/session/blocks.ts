/** What the blocks of a model have come to: how much each dimension carries, the priors that were learned, the neutral codes. */
import { gaussianKl } from '../../analysis/index.ts';
import { type Block, largestOfRows } from '../../model/index.ts';
import type { SessionData } from './feeder.ts';
import type { Session } from './session.ts';

/** A block with what is known of it at this step. */
export interface DescribedBlock extends Block {
  /** Mean KL of each dimension, in nats. */
  kl?: number[];
  neutral?: number[];
  /** A learned prior, with a row for each class. */
  prior?: { mean: number[][]; logVariance: number[][] };
}

/** Held-out items that the KL of each dimension is measured on. */
const measured = 512;

/** The blocks of a session's model as they are now. */
export async function describeBlocks(data: SessionData, session: Session): Promise<DescribedBlock[]> {
  const kl = await klOf(data, session);
  const constants = await constantsOf(session);
  return session.assembled.model.blocks.map((block) => {
    const mean = constants[`${block.name} prior mean`];
    const logVariance = constants[`${block.name} prior log variance`];
    const neutral = constants[`${block.name} neutral`];
    return {
      ...block,
      ...(kl[block.name] && { kl: kl[block.name] }),
      ...(neutral && { neutral: [...neutral] }),
      ...(mean && { prior: { mean: rowsOf(mean, block.size), logVariance: rowsOf(logVariance, block.size) } }),
    };
  });
}

async function constantsOf({ assembled: { functions, program } }: Session): Promise<Record<string, Float32Array>> {
  return Object.keys(functions.constants).length > 0 ? await program.run('constants', {}) : {};
}

/**
 * Mean KL(q ‖ p) of each dimension of each Gaussian block, over held-out items. p is N(0, 1), or where it was learned that of
 * the item's likeliest class. A block that belongs to a class is measured on that class's items alone, and left out if there
 * are none: for all others it is masked, and says nothing.
 */
export async function klOf(data: SessionData, session: Session): Promise<Record<string, number[]>> {
  const { program, functions, model } = session.assembled;
  if (functions.encode === undefined) return {};
  const { split, data: set } = data.target;
  const items = spread(split.validation.length > 0 ? split.validation : split.train, measured);
  const codes = await program.run('encode', { x: set.gather(items) });
  const constants = await constantsOf(session);
  const variables = model.blocks.filter(({ role }) => role === 'class');
  const likeliest = variables.map(({ name, size }) => largestOfRows(codes[`${name} probabilities`], size));
  const owners = data.variables.length > 0 ? items.map((item) => data.variables[0].values[item]) : likeliest[0];
  // Learned priors come in the order of the class blocks that they depend on.
  const learned = model.blocks.filter(({ name }) => constants[`${name} prior mean`]);
  const measures = model.blocks
    .filter(({ kind }) => kind === 'gaussian')
    .map((block): [string, number[] | undefined] => {
      const { name, size } = block;
      const classes = likeliest[learned.indexOf(block)];
      const prior = classes && {
        mean: constants[`${name} prior mean`],
        logVariance: constants[`${name} prior log variance`],
        classes,
      };
      const isOwn = (item: number) => block.class === undefined || owners[item] === block.class;
      const posterior = { mean: codes[`${name} mean`], logVariance: codes[`${name} log variance`] };
      return [name, meanKl(posterior, size, isOwn, prior)];
    });
  return Object.fromEntries(measures.filter((one): one is [string, number[]] => one[1] !== undefined));
}

interface Gaussians {
  mean: Float32Array;
  logVariance: Float32Array;
}

/** The KL of each dimension to its prior, averaged over the items that count. */
function meanKl(
  { mean, logVariance }: Gaussians,
  size: number,
  counts: (item: number) => boolean,
  prior?: Gaussians & { classes: Uint32Array },
): number[] | undefined {
  const kl = new Array<number>(size).fill(0);
  let counted = 0;
  for (let item = 0; item < mean.length / size; item++) {
    if (!counts(item)) continue;
    counted++;
    for (let k = 0; k < size; k++) {
      const at = item * size + k;
      const toAt = prior ? prior.classes[item] * size + k : 0;
      kl[k] += gaussianKl(mean[at], logVariance[at], prior?.mean[toAt], prior?.logVariance[toAt]);
    }
  }
  return counted === 0 ? undefined : kl.map((sum) => sum / counted);
}

/** At most so many of the items, over their whole range: neighbours are often of one class. */
function spread(items: Uint32Array, most: number): Uint32Array {
  if (items.length <= most) return items;
  return Uint32Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]);
}

function rowsOf(values: Float32Array, size: number): number[][] {
  return Array.from({ length: values.length / size }, (_, row) => [...values.subarray(row * size, (row + 1) * size)]);
}
