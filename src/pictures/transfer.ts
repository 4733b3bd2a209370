/**
 * Codes of several items mixed: attribute transfer (Rb-VAE, Fig. 4; PartedVAE, Fig. 5), in which items at the left keep what
 * they are and take a block from the items above, or new salient codes; and swaps (contrastive paper, Fig. 5), in which blocks
 * are silenced.
 */

import { type Drawing, swapTable, transferTable } from '../drawing/index.ts';
import type { Codes, ModelBlock } from '../model/index.ts';
import type { RunData } from '../training/index.ts';
import { blocksOf, sampleCodes, type TrainedModel } from '../use/index.ts';
import { allDimensions, type Chosen, chooseBlocks, chosenName, codesOf, crossed, neutralRows } from './codes.ts';
import { checkCells, imagesOf, type PictureOptions, someItems, titled } from './subject.ts';

/** What is taken from the items above: the salient blocks; or, where there are classes, what does not belong to them. */
export function transferredBlocks(model: TrainedModel, names?: readonly string[]): Chosen[] {
  if (names) return chooseBlocks(model, names);
  const salient = blocksOf(model, 'salient');
  const classes = blocksOf(model, 'class', 'class-related');
  return allDimensions(salient.length > 0 ? salient : classes.length > 0 ? blocksOf(model, 'shared') : []);
}

/** Rows are background items where what is taken is salient, so that they lack it; columns are target items. */
export async function drawTransfer(
  model: TrainedModel,
  data: RunData,
  { items = 7, seed, blocks }: PictureOptions,
): Promise<Drawing> {
  const moved = transferredBlocks(model, blocks);
  checkCells(items * items);
  const givesSalience = data.background !== undefined && moved.every(({ block }) => block.role === 'salient');
  const left = givesSalience && data.background ? data.background : data.target;
  const keepItems = left.data.gather(someItems(left, items, seed));
  const takeItems = data.target.data.gather(someItems(data.target, items, seed + 1));
  const keep = await codesOf(model, keepItems, left === data.target ? 'target' : 'background');
  const take = await codesOf(model, takeItems);
  const [rows, columns] = [keepItems, takeItems].map((values) => values.length / model.itemSize);
  const codes = crossed(model, { keep, rows }, { take, columns }, moved);
  const whollyMoved = new Set(
    moved.filter(({ block, dimensions }) => dimensions.length === block.size).map(({ block }) => block),
  );
  const kept = model.file.blocks.filter((block) => !whollyMoved.has(block));
  const partly = whollyMoved.size < moved.length;
  return transferTable({
    keep: {
      items: imagesOf(model, keepItems),
      block: partly || kept.length > 3 ? 'all else' : chosenName(allDimensions(kept)),
    },
    take: { items: imagesOf(model, takeItems), block: chosenName(moved) },
    images: imagesOf(model, await model.decode(codes)),
    title: titled(model, 'attribute transfer'),
  });
}

/**
 * Conditional synthesis (Rb-VAE, Fig. 3): rows are background items, columns are salient codes from the prior; dimensions that
 * are not moved stay neutral.
 */
export async function drawSynthesis(
  model: TrainedModel,
  data: RunData,
  { items: count = 6, steps: columns = 8, sigma = 1, seed, blocks }: PictureOptions,
): Promise<Drawing> {
  const salient = blocksOf(model, 'salient');
  const moved = blocks ? chooseBlocks(model, blocks) : allDimensions(salient);
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

/** Target items x, decoded as [z, s], [z, 0] and [0, s]. */
export async function drawSwap(
  model: TrainedModel,
  data: RunData,
  { items = 8, seed }: PictureOptions,
): Promise<Drawing> {
  const values = data.target.data.gather(someItems(data.target, items, seed));
  const codes = await codesOf(model, values);
  const salient = blocksOf(model, 'salient');
  const others = model.file.blocks.filter((block) => block.kind === 'gaussian' && block.role !== 'salient');
  const silenced = (blocks: ModelBlock[]): Codes => ({
    ...codes,
    ...Object.fromEntries(blocks.map((block) => [block.name, neutralRows(block, codes[block.name].length)])),
  });
  const part = async (label: string, mixed: Codes) => ({
    label,
    images: imagesOf(model, await model.decode(mixed)),
  });
  const [z, s] = [others, salient].map((blocks) => chosenName(allDimensions(blocks)));
  const learned = salient.some(({ neutral }) => neutral?.some((value) => value !== 0));
  return swapTable({
    items: imagesOf(model, values),
    parts: [
      await part(`[${z}, ${s}]`, codes),
      await part(`[${z}, ${learned ? `${s}⁰` : '0'}]`, silenced(salient)),
      await part(`[0, ${s}]`, silenced(others)),
    ],
    title: titled(model, 'target items and their parts'),
    caption: learned ? `${s}⁰ is the learned code of the background.` : undefined,
  });
}
