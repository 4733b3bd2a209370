/**
 * What varies inside each class (N-VAE, Fig. 1 and 6; PartedVAE, Fig. 4): for every class, of every variable that labels tell,
 * its class-related dimensions move through their prior. A model without such blocks shows every class along the shared
 * dimension that carries the most.
 */

import { type Drawing, traversalTable } from '../drawing/index.ts';
import type { ModelBlock } from '../model/index.ts';
import type { RunData } from '../training/index.ts';
import { blocksOf, classNames, priorCentre, type TrainedModel } from '../use/index.ts';
import { allDimensions, byKl, decodeMovements, evenQuantiles, variableOf, withParts } from './codes.ts';
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
  const variables = blocksOf(model, 'class');
  const all = variables.flatMap((block, variable) =>
    classNames(model, block).map((name, k) => ({ name, variable, class: k })),
  );
  const related = blocksOf(model, 'class-related');
  const chosen = options.blocks
    ? continuous(model, options.blocks)
    : allDimensions(related.length > 0 ? related : blocksOf(model, 'shared'));
  const most =
    options.dimensions ?? (related.length > 0 || options.blocks ? Math.max(1, Math.floor(mostRows / all.length)) : 1);
  const quantiles = evenQuantiles(range, steps);
  const rows = all.flatMap(({ name, variable, class: k }) => {
    const classes = variables.map((_, v) => (v === variable ? k : 0));
    const centre = priorCentre(model, classes);
    const base = start ? withParts(centre, start.codes, allDimensions(blocksOf(model, 'shared', 'salient'))) : centre;
    const own = chosen.filter(({ block }) => concerns(model, block, variable, k));
    return byKl(own)
      .slice(0, most)
      .map(({ block, index, kl }) => ({ name, kl, ...movement(block, index, base, quantiles) }));
  });
  checkCells(rows.length * steps);
  const images = await decodeMovements(model, rows);
  return traversalTable({
    dimensions: rows.map(({ name, block, index, kl }) => ({
      of: name,
      block: shortName(block, name),
      index,
      kl,
    })),
    quantiles: quantiles.map(({ quantile }) => quantile),
    images: imagesOf(model, images),
    title: titled(model, `what varies inside each class${start ? `, from ${start.name}` : ''}`),
  });
}

/** Whether a block tells what varies inside a class of a variable; shared blocks do so for all. */
function concerns(model: TrainedModel, block: ModelBlock, variable: number, k: number): boolean {
  if (block.role !== 'class-related') return true;
  return variableOf(model, block) === variable && (block.class === undefined || block.class === k);
}
