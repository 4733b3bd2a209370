/** Codes of a run's items, as its encoder gives them. Runs in the workshop, away from the server. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UntangleError, unknownName } from '../errors.ts';
import { isMissing } from '../runs/index.ts';
import { type BlockCodes, TrainedModel } from '../use/index.ts';
import { type ItemPart, openPart } from './items.ts';
import { Recent } from './recent.ts';

export interface CodesRequest {
  folder: string;
  part: ItemPart;
  block: string;
  count: number;
}

export interface PartCodes {
  /** A row for each item, in the order of the items on pages: means, or probabilities of classes. */
  values: Float32Array;
  count: number;
  total: number;
  size: number;
  /** The training step of the encoder. */
  step: number;
}

/** The codes of the first items of a part. All blocks are kept, since a page asks for one after the other. */
export async function codesOfPart({ folder, part, block, count }: CodesRequest): Promise<PartCodes> {
  const { mtimeMs } = await modelFacts(folder);
  const key = JSON.stringify([folder, mtimeMs, part, count]);
  const { blocks, ...facts } = await recent.get(key, () => encode(folder, part, count));
  const found = blocks.find((one) => one.block.name === block);
  if (found === undefined)
    throw unknownName(
      'block',
      block,
      blocks.map((one) => one.block.name),
    );
  return { ...facts, values: found.values, size: found.block.size };
}

const recent = new Recent<{ blocks: BlockCodes[]; count: number; total: number; step: number }>(8);

/** Items that are gathered at a time, which bounds the memory. */
const piece = 512;

async function encode(folder: string, part: ItemPart, most: number) {
  const { data, order } = await openPart(folder, part);
  const chosen = order.subarray(0, most);
  const model = await TrainedModel.open(folder, { threads: 1, asIs: true });
  try {
    const blocks: BlockCodes[] = model.file.blocks.map((block) => ({
      block,
      values: new Float32Array(chosen.length * block.size),
    }));
    for (let start = 0; start < chosen.length; start += piece) {
      const codes = await model.encode(data.gather(chosen.subarray(start, start + piece)));
      for (const [b, { block, values }] of codes.entries()) blocks[b].values.set(values, start * block.size);
    }
    return { blocks, count: chosen.length, total: order.length, step: model.file.step };
  } finally {
    await model.close();
  }
}

async function modelFacts(folder: string) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await stat(join(folder, 'model', 'model.json'));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A training that exchanges the folder leaves none for a moment.
      if (attempt === 3) throw new UntangleError('This run has no model yet.', { kind: 'call' });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
