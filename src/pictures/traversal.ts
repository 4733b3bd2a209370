/**
 * Latent traversals of a model: each dimension alone moves through its prior, the one that carries the most first. They start
 * from the prior's mean or from an item, and show as a still picture and as the frames of an animation.
 */

import { type Drawing, type TraversalTable, traversalFrames, traversalTable } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import { type Codes, deviationsOf, type ModelBlock, priorOf } from '../model/index.ts';
import type { RunData } from '../training/index.ts';
import { blocksOf, type Classes, classNames, priorCentre, type TrainedModel } from '../use/index.ts';
import {
  allDimensions,
  byKl,
  type Chosen,
  chooseBlocks,
  classesOf,
  classMeant,
  decodeMovements,
  evenQuantiles,
  type Movement,
  variableOf,
} from './codes.ts';
import { checkCells, imagesOf, type PictureOptions, type Start, startAt, titled } from './subject.ts';

/** How many rows a picture has at most, unless it is told. */
const mostRows = 32;
const animatedSteps = 15;

/** @example toPng(await drawTraversal(model, () => openRunData(run.file), { seed: 1, from: '12' })) */
export async function drawTraversal(
  model: TrainedModel,
  data: () => Promise<RunData>,
  options: PictureOptions,
): Promise<Drawing> {
  return traversalTable(await traversalOf(model, data, options));
}

/** The traversal as frames, there and back, in finer steps than the still picture. */
export async function drawTraversalFrames(
  model: TrainedModel,
  data: () => Promise<RunData>,
  options: PictureOptions,
): Promise<Drawing[]> {
  const still = await traversalOf(model, data, { ...options, steps: options.steps ?? animatedSteps });
  return traversalFrames({ ...still, caption: 'Each dimension goes through its prior and back. KL in nats.' });
}

async function traversalOf(
  model: TrainedModel,
  data: () => Promise<RunData>,
  options: PictureOptions,
): Promise<TraversalTable> {
  const { from = 'prior', range = 0.02, steps = 9 } = options;
  const start = from === 'prior' ? undefined : await startAt(model, data, from, options.onNote);
  const rows = traversedRows(model, start, options);
  checkCells(rows.length * steps);
  const quantiles = evenQuantiles(range, steps);
  const movements = rows.map(({ block, index, base }) => movement(block, index, base, quantiles));
  const images = await decodeMovements(model, movements);
  const classBlocks = blocksOf(model, 'class');
  const held = classBlocks.map((block, v) => classNames(model, block)[rows[0].classes[v]]).join(', ');
  const measured = rows.some(({ kl }) => kl !== undefined);
  return {
    dimensions: rows.map(({ block, index, kl, of }) => ({ block: shortName(block, of), index, kl, of })),
    quantiles: quantiles.map(({ quantile }) => quantile),
    images: imagesOf(model, images),
    start: start && imagesOf(model, start.values),
    title: titled(model, `each dimension moved alone, from ${start ? start.name : 'the prior’s mean'}`),
    caption: [
      `Columns are quantiles of each dimension’s prior${measured ? '; KL in nats' : ''}.`,
      ...(classBlocks.length > 0 ? [`Class: ${held}.`] : []),
    ].join(' '),
  };
}

/** A movement through evenly spaced places of a dimension's prior. */
export function movement(
  block: ModelBlock,
  index: number,
  base: Codes,
  quantiles: ReturnType<typeof evenQuantiles>,
): Movement {
  const prior = priorOf(block, base);
  const [mean, deviation] = [prior.mean[index], deviationsOf(prior)[index]];
  return { base, block, index, values: quantiles.map(({ deviations }) => mean + deviation * deviations) };
}

interface Row {
  block: ModelBlock;
  index: number;
  kl?: number;
  of?: string;
  base: Codes;
  classes: Classes;
}

/** The dimensions to move, the blocks together, each with where it starts. */
function traversedRows(model: TrainedModel, start: Start | undefined, options: PictureOptions): Row[] {
  const { dimensions: most = mostRows } = options;
  const classes = start ? classesOf(model, start.codes) : classMeant(model, options.class);
  const named = options.blocks !== undefined && !start;
  const chosen = continuous(model, options.blocks).filter(
    // What belongs to another class does nothing to an item; “classes” shows all of them.
    ({ block }) => named || block.class === undefined || block.class === classes[variableOf(model, block)],
  );
  const rows = byKl(chosen)
    .slice(0, most)
    .map(({ block, index, kl }): Row => {
      const variable = variableOf(model, block);
      const own = classes.map((one, v) => (v === variable ? (block.class ?? one) : one));
      const base = start?.codes ?? priorCentre(model, own);
      const owner =
        block.class === undefined ? {} : { of: classNames(model, blocksOf(model, 'class')[variable])[block.class] };
      return { block, index, kl, ...owner, base, classes: own };
    });
  if (rows.length === 0)
    throw new UntangleError('None of these blocks has a dimension that moves this item.', { kind: 'call' });
  // Blocks stay together, in the order of what their strongest dimension carries.
  const order = [...new Set(rows.map(({ block }) => block))];
  return rows.sort((a, b) => order.indexOf(a.block) - order.indexOf(b.block));
}

/** A block's name without the class that stands before it. @example shortName({ name: 'z_c seven' }, 'seven') // 'z_c' */
export function shortName({ name }: Pick<ModelBlock, 'name'>, owner: string | undefined): string {
  return owner !== undefined && name.endsWith(` ${owner}`) ? name.slice(0, -owner.length - 1) : name;
}

/** The Gaussian blocks that somebody names, or all of them. */
export function continuous(model: TrainedModel, names?: readonly string[]): Chosen[] {
  if (names === undefined) return allDimensions(model.file.blocks.filter(({ kind }) => kind === 'gaussian'));
  const chosen = chooseBlocks(model, names);
  const discrete = chosen.find(({ block }) => block.kind === 'categorical');
  if (discrete)
    throw new UntangleError(
      `${discrete.block.name} is a choice among classes, which has no quantiles to move through.`,
      {
        kind: 'call',
        hint: 'The kinds “samples” and “classes” show every class.',
      },
    );
  return chosen;
}
