/** Codes drawn from a model's prior, in given classes. */
import { type Codes, composed, deviationsOf, type ModelBlock, priorOf } from '../model/index.ts';
import { stream } from '../random/index.ts';
import { classVariables } from '../runs/index.ts';
import type { TrainedModel } from './trained-model.ts';

export function blocksOf({ file }: TrainedModel, ...roles: ModelBlock['role'][]): ModelBlock[] {
  return file.blocks.filter(({ role }) => roles.includes(role));
}

/** The names of a class block's classes: those of the labels, or numbers. */
export function classNames({ file }: TrainedModel, block: ModelBlock): readonly string[] {
  return classVariables(file).find((variable) => variable.block === block)?.classes ?? [];
}

/** The class of each class block, in their order. */
export type Classes = readonly number[];

/** One row at the middle of the prior, in the given classes. */
export function priorCentre(model: TrainedModel, classes: Classes): Codes {
  const variables = blocksOf(model, 'class');
  return composed(
    model.file.blocks,
    (block) => classes[variables.indexOf(block)] ?? 0,
    ({ mean }) => mean,
  );
}

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
