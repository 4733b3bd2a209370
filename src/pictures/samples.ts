/**
 * Samples from the prior: a row for each class where there are classes (N-VAE, Fig. 11), of every variable where there are
 * several; of a model with a salient block the background in the first row, and below it the same shared codes with new
 * salient ones (Rb-VAE, Fig. 3).
 */

import { type Drawing, samplesTable } from '../drawing/index.ts';
import type { Codes } from '../model/index.ts';
import { blocksOf, type Classes, classesWith, classNames, sampleCodes, type TrainedModel } from '../use/index.ts';
import { neutralRows, stacked, variableMeant } from './codes.ts';
import { checkCells, imagesOf, type PictureOptions, titled } from './subject.ts';

const targetRows = 4;

/** `items` is the number of samples, or of columns where rows have names. */
export async function drawSamples(model: TrainedModel, options: PictureOptions): Promise<Drawing> {
  const { sigma = 1, seed } = options;
  const spread = sigma === 1 ? '' : `, at ${sigma} times the prior’s deviation`;
  const draw = (title: string, codes: Codes, rows?: string[]) =>
    model.decode(codes).then((values) =>
      samplesTable({
        images: imagesOf(model, values),
        title: titled(model, `${title}${spread}`),
        rows,
      }),
    );
  const names = blocksOf(model, 'class').map((block) => classNames(model, block));
  if (names.length > 0) {
    const { items = 10 } = options;
    const all = names.flatMap((classes, variable) => classes.map((_, k) => ({ variable, class: k })));
    const meant = options.class === undefined ? undefined : variableMeant(model, options.class);
    const shown = all.filter((one) => !meant || (one.variable === meant.variable && one.class === meant.class));
    checkCells(shown.length * items);
    const rows = shown.map((one) => {
      const row = all.indexOf(one);
      return sampleCodes(model, classesWith(model, one, items, seed, row), sigma, seed, row);
    });
    return await draw(
      'samples of each class',
      stacked(model, rows),
      shown.map((one) => names[one.variable][one.class]),
    );
  }
  const salient = blocksOf(model, 'salient');
  if (salient.length > 0) {
    const { items = 10 } = options;
    checkCells((targetRows + 1) * items);
    const first = sampleCodes(model, unclassed(items), sigma, seed);
    const neutral = salient.map((block): [string, Float32Array] => [
      block.name,
      neutralRows(block, items * block.size),
    ]);
    const targets = Array.from({ length: targetRows }, (_, row) => {
      const fresh = sampleCodes(model, unclassed(items), sigma, seed, row + 1);
      return { ...first, ...Object.fromEntries(salient.map(({ name }) => [name, fresh[name]])) };
    });
    const rows = ['background', 'target', ...Array.from({ length: targetRows - 1 }, () => '')];
    const codes = stacked(model, [{ ...first, ...Object.fromEntries(neutral) }, ...targets]);
    return await draw('samples, each column with one shared code', codes, rows);
  }
  return await draw('samples from the prior', sampleCodes(model, unclassed(options.items ?? 64), sigma, seed));
}

const unclassed = (count: number): Classes[] => Array.from({ length: count }, () => []);
