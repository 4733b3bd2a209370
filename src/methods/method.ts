/**
 * What a method is: an objective with its model, written on symbolic tensors. `build` is called for a batch and gives the
 * latent blocks, the encoder, the decoder and the training steps; how they are run is the trainer's matter.
 */

import type { Block, Covariate, ItemShape, ValueRange } from '../model/index.ts';
import type { Build } from '../nn/index.ts';
import type { Options, OptionValues, Schedule, StoredValue } from '../options/index.ts';
import type { Tensor } from '../tensor/index.ts';
import type { Counts } from './counts.ts';

/** What a method learns from. */
export type Needs = 'data' | 'target+background' | 'labels' | 'few-labels';

/** The posterior of a block, a row for each item. */
export type Posterior =
  | { kind: 'gaussian'; mean: Tensor; logVariance: Tensor }
  | { kind: 'categorical'; probabilities: Tensor };

/** What a method knows of the data before it sees it. */
export interface Context {
  item: ItemShape;
  range: ValueRange;
  /** How many items are trained on. */
  items: number;
  /** What labels tell: one variable with its classes, or several. Empty where there are no labels. */
  variables: readonly { name: string; classes: readonly string[] }[];
  /** How many items' labels a few-label method may see. */
  labelled: number;
  /** What the model is told of each item beside its numbers. */
  covariates?: readonly Covariate[];
  /** Which numbers of a table's rows are counts; undefined where none is. */
  counts?: Counts;
}

/** How one group of parameters is trained, where it differs from the rest. */
export interface GroupOptimiser {
  kind: 'adam' | 'adamW' | 'sgd' | 'rmsprop';
  learningRate: Schedule;
  beta1?: number;
  beta2?: number;
}

/** Parameters that are trained together; without an optimiser of its own, by the run's. */
export interface ParameterGroup {
  name: string;
  parameters: readonly Tensor[];
  optimiser?: GroupOptimiser;
}

/** A network that learns against the model: its parameters lie under its name. */
export type Adversary = Omit<ParameterGroup, 'parameters'>;

/** One of the steps that a training iteration takes, in order. */
export interface TrainingStep {
  name: string;
  minimises: Tensor;
  /** Every term by name, unweighted. Names are distinct over all steps. */
  terms: Record<string, Tensor>;
  groups: readonly ParameterGroup[];
}

/** A prior that is learned: a row for each class of the block that its own block depends on. */
export interface LearnedPrior {
  mean: Tensor;
  logVariance: Tensor;
}

export interface Model {
  blocks: readonly Block[];
  /** The posterior of each block, as it is at test time; a model without an encoder, such as a GAN, has none. */
  encode?(b: Build, x: Tensor): Record<string, Posterior>;
  /** Items in the data's range, from a code of each block. */
  decode(b: Build, codes: Record<string, Tensor>): Tensor;
  /** The steps of one training iteration over the batch of `b`, in order; the last one minimises the method's objective. */
  steps(b: Build): readonly TrainingStep[];
  /** The code of a block in items that lack what it stands for, such as a background's salient code; zeros if not given. */
  neutral?(b: Build): Record<string, Tensor>;
  /** Priors other than N(0, I), by block. */
  priors?(b: Build): Record<string, LearnedPrior>;
}

/** Values that a preset gives to options of the method or of its training. */
export type Preset = Readonly<Record<string, StoredValue>>;

export interface Method<S extends Options = Options> {
  name: string;
  title: string;
  /** What it does, in one line. */
  summary: string;
  paper: { cite: string; equations: string };
  needs: Needs;
  options: S;
  /** Which of the options are ours: no paper has them, and their defaults leave them out. */
  ours?: readonly string[];
  /** The paper's settings for each dataset. */
  presets: Readonly<Record<string, Preset>>;
  /** Settings of the training that differ from those of other methods. */
  training?: Preset;
  build(context: Context, options: Settings<S>): Model;
}

/** Options as a method sees them: a number that may be on a schedule is a scalar that is fed in each step. */
export type Settings<S extends Options> = {
  [Name in keyof OptionValues<S>]: OptionValues<S>[Name] extends Schedule ? Tensor : OptionValues<S>[Name];
};

/** Keeps a method's option types together. @example export const vae = method({ name: 'vae', …, build: ({ item }, { beta }) => … }) */
export function method<const S extends Options>(given: Method<S>): Method<S> {
  return given;
}
