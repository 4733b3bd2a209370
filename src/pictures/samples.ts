/**
 * Samples from the prior: a row for each class where there are classes (N-VAE, Fig. 11), of every variable where there are
 * several; of a model with a salient block the background in the first row, and below it the same shared codes with new
 * salient ones (Rb-VAE, Fig. 3).
 */

import { type Drawing, samplesTable } from '../drawing/index.ts';
import { type Codes, deviationsOf, priorOf } from '../model/index.ts';
import { stream } from '../random/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { blocksOf, type Classes, classNames, neutralRows, priorCentre, stacked, variableMeant } from './codes.ts';
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
        ...(rows && { rows }),
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

/** The classes of items that have one class in common; those of other variables are drawn, each as likely as the next. */
export function classesWith(
  model: TrainedModel,
  { variable, class: k }: { variable: number; class: number },
  count: number,
  seed: number,
  draw = 0,
): Classes[] {
  const source = stream(seed, 'classes of samples', draw);
  const variables = blocksOf(model, 'class');
  return Array.from({ length: count }, () =>
    variables.map(({ size }, v) => (v === variable ? k : source.integer(size))),
  );
}

/** A row of codes for each of the given classes, drawn from their prior at `sigma` times its deviation. */
export function sampleCodes(
  model: TrainedModel,
  rows: readonly Classes[],
  sigma: number,
  seed: number,
  draw = 0,
): Codes {
  const priors = new Map<string, { centre: Codes; deviations: Codes }>();
  const priorsOf = (classes: Classes) => {
    const key = classes.join();
    const known = priors.get(key);
    if (known) return known;
    const centre = priorCentre(model, classes);
    const fresh = { centre, deviations: deviations(model, centre) };
    priors.set(key, fresh);
    return fresh;
  };
  return Object.fromEntries(
    model.file.blocks.map(({ name, size, kind }) => {
      const noise = stream(seed, `samples of ${name}`, draw);
      const codes = new Float32Array(rows.length * size);
      for (const [row, classes] of rows.entries()) {
        const { centre, deviations: spread } = priorsOf(classes);
        for (let i = 0; i < size; i++)
          codes[row * size + i] =
            centre[name][i] + (kind === 'categorical' ? 0 : sigma * spread[name][i] * noise.normal());
      }
      return [name, codes];
    }),
  );
}

function deviations({ file }: TrainedModel, centre: Codes): Codes {
  const gaussian = file.blocks.filter(({ kind }) => kind === 'gaussian');
  return Object.fromEntries(
    gaussian.map((block) => [block.name, Float32Array.from(deviationsOf(priorOf(block, centre)))]),
  );
}
