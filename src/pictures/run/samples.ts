/**
 * Samples from the prior: a row for each class where there are classes (N-VAE, Fig. 11); of a model with a salient block the
 * background in the first row, and below it the same shared codes with new salient ones (Rb-VAE, Fig. 3).
 */

import { stream } from '../../random/index.ts';
import type { TrainedModel } from '../../runs/index.ts';
import { type Drawing, samples } from '../index.ts';
import {
  blocksOf,
  type Classes,
  type Codes,
  classMeant,
  classNames,
  neutralRows,
  priorCentre,
  priorOf,
  stacked,
} from './codes.ts';
import { checkCells, imagesOf, type PictureOptions, titled } from './subject.ts';

const targetRows = 4;

/** `items` is the number of samples, or of columns where rows have names. */
export async function drawSamples(model: TrainedModel, options: PictureOptions): Promise<Drawing> {
  const { sigma = 1, seed } = options;
  const spread = sigma === 1 ? '' : `, at ${sigma} times the prior’s deviation`;
  const draw = (title: string, codes: Codes, rows?: string[]) =>
    model
      .decode(codes)
      .then((values) =>
        samples({ images: imagesOf(model, values), title: titled(model, `${title}${spread}`), ...(rows && { rows }) }),
      );
  const [variable, ...others] = blocksOf(model, 'class');
  if (variable) {
    const { items = 10 } = options;
    const names = classNames(model, variable);
    const shown = options.class === undefined ? names.map((_, k) => k) : [classMeant(model, options.class)[0]];
    checkCells(shown.length * items);
    const rows = shown.map((k) => sampleCodes(model, [k, ...others.map(() => 0)], items, sigma, seed, k));
    return await draw(
      'samples of each class',
      stacked(model, rows),
      shown.map((k) => names[k]),
    );
  }
  const salient = blocksOf(model, 'salient');
  if (salient.length > 0) {
    const { items = 10 } = options;
    checkCells((targetRows + 1) * items);
    const first = sampleCodes(model, [], items, sigma, seed);
    const neutral = salient.map((block): [string, Float32Array] => [
      block.name,
      neutralRows(block, items * block.size),
    ]);
    const targets = Array.from({ length: targetRows }, (_, row) => {
      const fresh = sampleCodes(model, [], items, sigma, seed, row + 1);
      return { ...first, ...Object.fromEntries(salient.map(({ name }) => [name, fresh[name]])) };
    });
    const rows = ['background', 'target', ...Array.from({ length: targetRows - 1 }, () => '')];
    const codes = stacked(model, [{ ...first, ...Object.fromEntries(neutral) }, ...targets]);
    return await draw('samples, each column with one shared code', codes, rows);
  }
  return await draw('samples from the prior', sampleCodes(model, [], options.items ?? 64, sigma, seed));
}

/** Codes drawn from the prior of the given classes. */
export function sampleCodes(
  model: TrainedModel,
  classes: Classes,
  count: number,
  sigma: number,
  seed: number,
  draw = 0,
): Codes {
  const centre = priorCentre(model, classes);
  return Object.fromEntries(
    model.file.blocks.map((block) => {
      const noise = stream(seed, `samples of ${block.name}`, draw);
      const rows = new Float32Array(count * block.size);
      for (let i = 0; i < rows.length; i++) {
        const index = i % block.size;
        rows[i] =
          block.kind === 'categorical'
            ? centre[block.name][index]
            : centre[block.name][index] + sigma * priorOf(model, block, index, classes).deviation * noise.normal();
      }
      return [block.name, rows];
    }),
  );
}
