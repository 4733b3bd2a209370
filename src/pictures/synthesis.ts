/** Conditional synthesis (Rb-VAE, Fig. 3): new salient codes on real items that lack what is salient. */

import { type Drawing, transferTable } from '../drawing/index.ts';
import type { RunData } from '../training/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { blocksOf, chooseBlocks, codesOf, crossed, whole } from './codes.ts';
import { sampleCodes } from './samples.ts';
import { checkCells, imagesOf, type PictureOptions, someItems } from './subject.ts';

/** Rows are background items, columns are salient codes from the prior; dimensions that are not moved stay neutral. */
export async function drawSynthesis(
  model: TrainedModel,
  data: RunData,
  { items: count = 6, steps: columns = 8, sigma = 1, seed, blocks }: PictureOptions,
): Promise<Drawing> {
  const salient = blocksOf(model, 'salient');
  const moved = blocks ? chooseBlocks(model, blocks) : whole(salient);
  checkCells(count * columns);
  const from = data.background ?? data.target;
  const items = from.data.gather(someItems(from, count, seed + 2));
  const rows = items.length / model.itemSize;
  const keep = await codesOf(model, items, 'background');
  const take = sampleCodes(
    model,
    Array.from({ length: columns }, () => []),
    sigma,
    seed,
  );
  const codes = crossed(model, { keep, rows }, { take, columns }, moved);
  const others = model.file.blocks.filter(({ role }) => role !== 'salient');
  return transferTable({
    keep: { items: imagesOf(model, items), block: others.map(({ name }) => name).join(', ') },
    take: { block: salient.map(({ name }) => name).join(', ') },
    images: imagesOf(model, await model.decode(codes)),
    title: 'New salient codes on real background items',
  });
}
