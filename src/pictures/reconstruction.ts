/** Test items above what the model makes of them; of target and background where there are both. */

import { type Drawing, reconstructionTable } from '../drawing/index.ts';
import type { Parted, RunData } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { codesOf } from './codes.ts';
import { imagesOf, type PictureOptions, someItems, titled } from './subject.ts';

/** @example toPng(await drawReconstruction(model, data, { seed: 1 })) */
export async function drawReconstruction(
  model: TrainedModel,
  data: RunData,
  { items = 20, seed }: PictureOptions,
): Promise<Drawing> {
  const both = data.background !== undefined;
  const set = async (parted: Parted, name: 'target' | 'background') => {
    const originals = parted.data.gather(someItems(parted, both ? Math.ceil(items / 2) : items, seed));
    const reconstructions = await model.decode(await codesOf(model, originals, name));
    return {
      name: both ? name : undefined,
      originals: imagesOf(model, originals),
      reconstructions: imagesOf(model, reconstructions),
    };
  };
  const sets = [await set(data.target, 'target')];
  if (data.background) sets.push(await set(data.background, 'background'));
  return reconstructionTable({
    sets,
    title: titled(model, 'test items and their reconstructions'),
    ...(both &&
      model.file.blocks.some(({ role }) => role === 'salient') && {
        caption: 'The background is decoded with the neutral salient code.',
      }),
  });
}
