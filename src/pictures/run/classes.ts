/**
 * What varies inside each class (N-VAE, Fig. 1 and 6; PartedVAE, Fig. 4): for every class its class-related dimensions move
 * through their prior. A model without such blocks shows every class along the shared dimension that carries the most.
 */

import type { ModelBlock, TrainedModel } from '../../runs/index.ts';
import type { RunData } from '../../train/index.ts';
import { type Drawing, traversal } from '../index.ts';
import { blocksOf, byKl, classNames, decodeMovements, evenQuantiles, priorCentre, whole, withParts } from './codes.ts';
import { checkCells, imagesOf, type PictureOptions, startAt, titled } from './subject.ts';
import { continuous, movement, shortName } from './traversal.ts';

/** How many rows the picture has at most, about. */
const mostRows = 30;

/** With `from`, the item's shared factors are kept. */
export async function drawClasses(
  model: TrainedModel,
  data: () => Promise<RunData>,
  options: PictureOptions,
): Promise<Drawing> {
  const { from = 'prior', range = 0.02, steps = 9 } = options;
  const start = from === 'prior' ? undefined : await startAt(model, data, from, options.onNote);
  const [variable, ...others] = blocksOf(model, 'class');
  const names = classNames(model, variable);
  const related = blocksOf(model, 'class-related').filter((block) => concerns(model, block));
  const chosen = options.blocks
    ? continuous(model, options.blocks)
    : whole(related.length > 0 ? related : blocksOf(model, 'shared'));
  const most =
    options.dimensions ?? (related.length > 0 || options.blocks ? Math.max(1, Math.floor(mostRows / names.length)) : 1);
  const quantiles = evenQuantiles(range, steps);
  const rows = names.flatMap((name, k) => {
    const classes = [k, ...others.map(() => 0)];
    const centre = priorCentre(model, classes);
    const base = start ? withParts(centre, start.codes, whole(blocksOf(model, 'shared', 'salient'))) : centre;
    const own = chosen.filter(({ block }) => block.class === undefined || block.class === k);
    return byKl(own)
      .slice(0, most)
      .map(({ block, index, kl }) => ({ name, kl, ...movement(model, block, index, base, classes, quantiles) }));
  });
  checkCells(rows.length * steps);
  const images = await decodeMovements(model, rows);
  return traversal({
    dimensions: rows.map(({ name, block, index, kl }) => ({
      of: name,
      block: shortName(block, name),
      index,
      ...(kl !== undefined && { kl }),
    })),
    quantiles: quantiles.map(({ quantile }) => quantile),
    images: imagesOf(model, images),
    title: titled(model, `what varies inside each class${start ? `, from ${start.name}` : ''}`),
  });
}

/** Whether a class-related block is about the first variable that labels tell. */
function concerns(model: TrainedModel, block: ModelBlock): boolean {
  return (
    block.class !== undefined || blocksOf(model, 'class-related').filter((one) => one.class === undefined)[0] === block
  );
}
