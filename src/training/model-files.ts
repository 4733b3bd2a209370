/** Writes what was learned as the run's `model/`: encoder and decoder with their weights, and what they mean. */

import { gaussianKl } from '../analysis/index.ts';
import type { Transformation } from '../data/index.ts';
import type { Method } from '../methods/index.ts';
import { largestOfRows } from '../model/index.ts';
import { type ModelFile, type Run, writeModel } from '../runs/index.ts';
import { toOnnx } from '../tensor/index.ts';
import type { RunData } from './data.ts';
import type { Session } from './session/index.ts';

/** Held-out items that the KL of each dimension is measured on. */
const measured = 512;

/** Writes the model of the session as it is now. */
export async function saveModel(run: Run, method: Method, data: RunData, session: Session): Promise<void> {
  const { functions, program, model } = session.assembled;
  const state = await session.state();
  const parameters = (name: string) => state.parameters.get(name)!;
  const metadata = { method: method.name, run: run.name, step: `${session.iteration}` };
  const constants = Object.keys(functions.constants).length > 0 ? await program.run('constants', {}) : {};
  const kl = await klOf(data, session);
  const set = data.target.data;
  const facts: Omit<ModelFile, 'format'> = {
    method: method.name,
    title: method.title,
    step: session.iteration,
    data: {
      name: set.name,
      shape: set.shape,
      range: set.range,
      // Classes that were found without labels have no names.
      ...(data.labelled.length > 0 && {
        classes: [...data.variables[0].classes],
        variables: data.variables.map(({ name, classes }) => ({ name, classes: [...classes] })),
      }),
      ...(transformationOf(set) && { transformation: transformationOf(set) }),
    },
    encodes: functions.encode !== undefined,
    blocks: model.blocks.map((block) => {
      const mean = constants[`${block.name} prior mean`];
      const logVariance = constants[`${block.name} prior log variance`];
      const neutral = constants[`${block.name} neutral`];
      return {
        ...block,
        ...(kl[block.name] && { kl: kl[block.name] }),
        ...(neutral && { neutral: [...neutral] }),
        ...(mean && { prior: { mean: rowsOf(mean, block.size), logVariance: rowsOf(logVariance, block.size) } }),
      };
    }),
  };
  await writeModel(run.folder, facts, {
    ...(functions.encode && {
      encoder: toOnnx({ name: 'encoder', outputs: functions.encode, parameters, metadata }),
    }),
    decoder: toOnnx({ name: 'decoder', outputs: functions.decode, parameters, metadata }),
  });
}

/**
 * Mean KL(q ‖ p) of each dimension of each Gaussian block, over held-out items. p is N(0, 1), or where it was learned that of
 * the item's likeliest class. A block that belongs to a class is measured on that class's items alone, and left out if there
 * are none: for all others it is masked, and says nothing.
 */
export async function klOf(data: RunData, { assembled }: Session): Promise<Record<string, number[]>> {
  const { program, functions, model } = assembled;
  if (functions.encode === undefined) return {};
  const { split, data: set } = data.target;
  const items = spread(split.validation.length > 0 ? split.validation : split.train, measured);
  const codes = await program.run('encode', { x: set.gather(items) });
  const constants = Object.keys(functions.constants).length > 0 ? await program.run('constants', {}) : {};
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

function transformationOf(set: object): Transformation | undefined {
  // Tables alone have one; `model.json`'s schema checks it when it is written.
  return 'transformation' in set ? (set.transformation as Transformation) : undefined;
}

function rowsOf(values: Float32Array, size: number): number[][] {
  return Array.from({ length: values.length / size }, (_, row) => [...values.subarray(row * size, (row + 1) * size)]);
}
