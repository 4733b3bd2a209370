/** The verdict on two piles by a training in memory, without a run folder: what calibration and power are measured with. */
import type { Opened } from '../data/index.ts';
import { heldOut } from '../data/index.ts';
import { methodNamed } from '../methods/index.ts';
import { outputsOf } from '../model/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { describeBlocks, type Parted, partData, readSettings, resolveSettings, Session } from '../training/index.ts';
import { asCodes } from '../use/index.ts';
import { type SalientDirections, salientDirections } from './directions.ts';
import { type EncodedSet, everyItem } from './encoded.ts';
import { type SalientFactor, salientFactors } from './factors.ts';
import { type Verdict, verdictOn } from './verdict.ts';

export interface InMemoryOptions {
  method?: string;
  /** Settings as typed, such as `scale=0.3`. */
  set?: readonly string[];
  steps?: number;
  seed?: number;
}

export interface InMemoryContrast {
  verdict: Verdict;
  factors: SalientFactor[];
  directions: SalientDirections;
  target: EncodedSet;
  background: EncodedSet;
}

/** @example (await contrastInMemory(plantedPiles({ kind: 'table', items: 300, share: 0, seed: 1 }))).verdict.found */
export async function contrastInMemory(
  opened: Extract<Opened, { kind: 'contrast' }>,
  { method: name = 'contrastive-w2', set = [], steps = 250, seed = 1 }: InMemoryOptions = {},
): Promise<InMemoryContrast> {
  const method = methodNamed(name);
  const stored = resolveSettings(method, { set });
  const { options, training } = readSettings(method, stored.options, stored.training);
  const data = partData(opened, method, { seed, validation: training.validation });
  if (data.background === undefined) throw new Error('two piles have a background');
  const session = await Session.open(method, data, options, {
    training,
    seed,
    workers: 1,
    threads: 1,
    backend: await nodeBackend(),
  });
  try {
    for (let step = 0; step < steps; step++) await session.step();
    const model = { file: { blocks: await describeBlocks(data, session) } };
    const encoded = async (which: EncodedSet['name'], { data: items, split }: Parted): Promise<EncodedSet> => {
      const all = everyItem({ data: items });
      const outputs = await session.assembled.program.run('encode', { x: items.gather(all) });
      const codes = asCodes(
        model.file.blocks.map((block) => {
          const { values, logVariance } = outputsOf(block);
          return { block, values: outputs[values], ...(logVariance && { logVariance: outputs[logVariance] }) };
        }),
        'gaussian',
        items.length,
      );
      if (codes?.logVariance === undefined) throw new Error('a contrastive method has continuous codes');
      return {
        name: which,
        data: items,
        split,
        codes: { ...codes, logVariance: codes.logVariance },
        heldOut: heldOut(split),
        ...(items.groups && { units: items.groups.values }),
      };
    };
    const [target, background] = [await encoded('target', data.target), await encoded('background', data.background)];
    const factors = salientFactors(model, target, background);
    return {
      verdict: verdictOn(model, target, background, factors, seed),
      factors,
      directions: salientDirections(target, background, factors),
      target,
      background,
    };
  } finally {
    await session.close();
  }
}
