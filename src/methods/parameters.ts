/** Which parameters an optimiser changes, by where they were declared, and which ones a loss may not change. */
import type { Build } from '../nn/index.ts';
import { stopGradient, type Tensor } from '../tensor/index.ts';
import type { Adversary, TrainingStep } from './method.ts';

/** The step of a method that takes one in each iteration: the model's parameters learn, and those of each adversary. */
export function trainingStep(
  b: Build,
  {
    minimises,
    terms,
    adversaries = [],
  }: Pick<TrainingStep, 'minimises' | 'terms'> & { adversaries?: readonly Adversary[] | undefined },
): TrainingStep {
  const paths = adversaries.map(({ name }) => name);
  const groups = [
    { name: 'model', parameters: parametersOutside(b, ...paths) },
    ...adversaries.map((one) => ({ ...one, parameters: parametersUnder(b, one.name) })),
  ];
  return { name: 'train', minimises, terms, groups };
}

/** The trainable parameters under any of these paths. @example parametersUnder(b, 'discriminator') */
export function parametersUnder(b: Build, ...paths: string[]): Tensor[] {
  return trainable(b, (name) => paths.some((path) => isUnder(name, path)));
}

/** The trainable parameters outside these paths. */
export function parametersOutside(b: Build, ...paths: string[]): Tensor[] {
  return trainable(b, (name) => !paths.some((path) => isUnder(name, path)));
}

/**
 * The same build with its parameters held constant: a loss that goes through them moves what comes before them alone. With it
 * an encoder and its adversary learn in one step from one graph, both from the weights of before the step.
 */
export function frozen(b: Build): Build {
  return {
    ...b,
    parameter: (...declaration) => stopGradient(b.parameter(...declaration)),
    assign: () => {},
    at: (path) => frozen(b.at(path)),
  };
}

function trainable(b: Build, wanted: (name: string) => boolean): Tensor[] {
  return [...b.declared].filter(([name, { trainable }]) => trainable && wanted(name)).map(([, { tensor }]) => tensor);
}

const isUnder = (name: string, path: string) => name === path || name.startsWith(`${path}.`);
