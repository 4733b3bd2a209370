/** What the blocks of a model have come to: how much each dimension carries, the priors that were learned, the neutral codes. */
import { gaussianKl } from '../../analysis/index.ts';
import {
  covariateRows,
  covariatesInput,
  largestOfRows,
  type ModelBlock,
  outputsOf,
  priorOf,
  withDependencies,
} from '../../model/index.ts';
import { constantsOf } from './assemble.ts';
import type { SessionData } from './feeder.ts';
import type { Session } from './session.ts';

/** Validation items that the KL of each dimension is measured on. */
const measured = 512;

/** The blocks of a session's model as they are now. */
export async function describeBlocks(data: SessionData, session: Session): Promise<ModelBlock[]> {
  const blocks = await learnedBlocks(session);
  const kl = await klOf(data, session, blocks);
  return blocks.map((block) => ({ ...block, kl: kl[block.name] }));
}

/** The blocks with the neutral codes and priors that were learned. */
async function learnedBlocks({ assembled: { functions, model, program } }: Session): Promise<ModelBlock[]> {
  const constants = Object.keys(functions.constants).length > 0 ? await program.run('constants', {}) : {};
  const learned = model.blocks.map((block): ModelBlock => {
    const names = constantsOf(block.name);
    const neutral = constants[names.neutral];
    const [mean, logVariance] = [constants[names.priorMean], constants[names.priorLogVariance]];
    return {
      ...block,
      neutral: neutral && [...neutral],
      prior: mean && { mean: rowsOf(mean, block.size), logVariance: rowsOf(logVariance, block.size) },
    };
  });
  return withDependencies(learned);
}

/**
 * Mean KL(q ‖ p) of each dimension of each Gaussian block, over validation items. p is N(0, 1), or where it was learned that of
 * the item's likeliest class. A block that belongs to a class is measured on that class's items alone, and left out if there
 * are none: for all others it is masked, and says nothing.
 */
export async function klOf(
  data: SessionData,
  session: Session,
  blocks?: readonly ModelBlock[],
): Promise<Record<string, number[]>> {
  const { program, functions } = session.assembled;
  if (functions.encode === undefined) return {};
  const { split, data: set } = data.target;
  const items = spread(split.validation.length > 0 ? split.validation : split.train, measured);
  const isTold = (await program.inputsOf('encode')).some(({ name }) => name === covariatesInput);
  const outputs = await program.run('encode', {
    x: set.gather(items),
    ...(isTold && set.given && { [covariatesInput]: covariateRows(set.given.values, set.given.covariates, items) }),
  });
  const learned = blocks ?? (await learnedBlocks(session));
  const codes = Object.fromEntries(learned.map((block) => [block.name, outputs[outputsOf(block).values]]));
  const classes = learned.filter(({ role }) => role === 'class');
  const ownRows = (block: ModelBlock) => {
    const rows = [...items.keys()];
    const owner = classes.find(({ name }) => name === block.dependsOn);
    if (block.class === undefined || owner === undefined) return rows;
    const known = data.variables[classes.indexOf(owner)]?.values;
    const likeliest = largestOfRows(codes[owner.name], owner.size);
    return rows.filter((row) => (known ? known[items[row]] : likeliest[row]) === block.class);
  };
  const found: Record<string, number[]> = {};
  for (const block of learned) {
    const { logVariance } = outputsOf(block);
    const rows = ownRows(block);
    if (logVariance === undefined || rows.length === 0) continue;
    const kl = new Array<number>(block.size).fill(0);
    for (const row of rows) {
      const prior = priorOf(block, codes, row);
      for (let k = 0; k < block.size; k++) {
        const at = row * block.size + k;
        kl[k] += gaussianKl(codes[block.name][at], outputs[logVariance][at], prior.mean[k], prior.logVariance[k]);
      }
    }
    found[block.name] = kl.map((sum) => sum / rows.length);
  }
  return found;
}

/** At most so many of the items, over their whole range: neighbours are often of one class. */
function spread(items: Uint32Array, most: number): Uint32Array {
  if (items.length <= most) return items;
  return Uint32Array.from({ length: most }, (_, i) => items[Math.floor((i * items.length) / most)]);
}

function rowsOf(values: Float32Array, size: number): number[][] {
  return Array.from({ length: values.length / size }, (_, row) => [...values.subarray(row * size, (row + 1) * size)]);
}
