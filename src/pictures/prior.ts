/** The learned priors of class-related dimensions, class by class, with the pictures along them (PartedVAE, Fig. 7). */

import { normalDensity } from '../analysis/index.ts';
import { type Drawing, densityStrip } from '../drawing/index.ts';
import type { Codes, ModelBlock } from '../model/index.ts';
import { blocksOf, classNames, priorCentre, type TrainedModel } from '../use/index.ts';
import { allDimensions, byKl, type Chosen, chooseBlocks, stacked, variableOf } from './codes.ts';
import { imagesOf, type PictureOptions, titled } from './subject.ts';

/** Blocks with a prior that was learned. */
export function learnedPriors(model: TrainedModel): ModelBlock[] {
  return blocksOf(model, 'class-related').filter(({ prior: learned }) => learned !== undefined);
}

/** A drawing for each dimension, the one that carries the most first; the strongest of each block unless told. */
export async function drawPriors(
  model: TrainedModel,
  options: PictureOptions,
): Promise<{ name: string; drawing: Drawing }[]> {
  const learned = learnedPriors(model);
  const chosen: Chosen[] = options.blocks
    ? chooseBlocks(model, options.blocks).filter(({ block }) => learned.includes(block))
    : allDimensions(learned);
  const { dimensions: most = 1 } = options;
  const shown = chosen.flatMap((one) => byKl([one]).slice(0, options.blocks ? undefined : most));
  const drawn = [];
  for (const { block, index } of shown)
    drawn.push({ name: `${block.name}-${index}`, drawing: await drawPrior(model, block, index, options) });
  return drawn;
}

async function drawPrior(
  model: TrainedModel,
  block: ModelBlock,
  index: number,
  options: PictureOptions,
): Promise<Drawing> {
  const { mean, logVariance } = block.prior ?? { mean: [], logVariance: [] };
  const variable = variableOf(model, block);
  const classBlocks = blocksOf(model, 'class');
  const known = classBlocks[variable] && classNames(model, classBlocks[variable]);
  const names = mean.map((_, k) => known?.[k] ?? `${k}`);
  const modes = mean.map((row, k) => ({ mean: row[index], deviation: Math.exp(logVariance[k][index] / 2) }));
  const density = (x: number, k: number) =>
    normalDensity((x - modes[k].mean) / modes[k].deviation) / modes[k].deviation;
  const low = Math.min(...modes.map((mode) => mode.mean - 2.5 * mode.deviation));
  const high = Math.max(...modes.map((mode) => mode.mean + 2.5 * mode.deviation));
  const between = (count: number) => Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 0.5)) / count);
  const positions = between(options.steps ?? 9);
  const axis = [low, ...between(240), high];

  /** Other dimensions stand at the middle of the class that is most likely at the position. */
  const at = (x: number): Codes => {
    const likely = modes.map((_, k) => density(x, k));
    const classes = classBlocks.map((_, v) => (v === variable ? likely.indexOf(Math.max(...likely)) : 0));
    const codes = priorCentre(model, classes);
    codes[block.name][index] = x;
    return codes;
  };
  const images = await model.decode(stacked(model, positions.map(at)));
  return densityStrip({
    dimension: `${block.name} ${index}`,
    axis,
    densities: names.map((name, k) => ({ name, values: axis.map((x) => density(x, k)) })),
    positions,
    images: imagesOf(model, images),
    title: titled(model, `the learned prior of ${block.name} ${index}`),
    caption:
      'Each picture is decoded at its place, with all else at the middle of the class that is most likely there.',
  });
}
