/**
 * What every metric is: a name, what it needs, options with defaults, and a score over codes and factors as typed arrays.
 * A metric never sees a model, so it measures anybody's codes.
 */
import type { Numbers } from '../analysis/index.ts';
import { defined } from '../defined.ts';
import { UntangleError } from '../errors.ts';
import type { Factor, Labels, Role } from '../model/index.ts';
import { integer, type Options, type OptionValues, parseOptions } from '../options/index.ts';
import { checkInputs } from './checks.ts';
import type { Sampler } from './sampler.ts';

export type { Numbers };

/** A named part of the latent, as the design's blocks: dimensions `start` … `start + size − 1`. */
export interface CodeBlock {
  name: string;
  role: Role;
  start: number;
  size: number;
  /** The class that a class-related block belongs to, where there is one block a class (N-VAE). */
  class?: number;
}

/** Codes of n items, row by row: `values[i * d + j]` is dimension j of item i (the posterior's mean). */
export interface CodeTable {
  values: Numbers;
  n: number;
  d: number;
  blocks?: CodeBlock[];
  /** ln σ² of each posterior, in the same layout. */
  logVariance?: Numbers;
  /** Each posterior's prior in the same layout, where one was learned; N(0, 1) if not given. */
  prior?: { mean: Numbers; logVariance: Numbers };
}

/** Factors of the same items, row by row: `values[i * factors.length + k]` is factor k of item i. */
export interface FactorTable {
  values: Numbers;
  n: number;
  factors: Factor[];
}

/** Images (or table rows) of n items with their classes: `values[i * size + p]`. */
export interface LabelledImages {
  values: Numbers;
  n: number;
  size: number;
  labels: ArrayLike<number>;
}

/** A classifier of images: `train` gives a function from images to their classes. */
export interface ImageClassifier {
  name: string;
  train(images: LabelledImages, seed: number): (values: Numbers, n: number) => ArrayLike<number>;
}

/** Everything that a metric may be given. `needs` says which of it a metric uses. */
export interface Inputs {
  codes?: CodeTable;
  factors?: FactorTable;
  labels?: Labels;
  /** Probabilities of classes, from the same encoder: a block for each variable. They are no code that varies smoothly. */
  probabilities?: CodeTable;
  /** Codes of the background set, from the same encoder. */
  background?: CodeTable;
  /** Items that the encoder was trained on, for what a paper fits on the training set. */
  training?: { codes: CodeTable; factors?: FactorTable; labels?: Labels };
  /** Codes of the same items from several trained models, with their log variances. */
  models?: CodeTable[];
  /** The first n items that there are codes of, and what a decoder makes of them. */
  reconstructions?: {
    original: Numbers;
    reconstruction: Numbers;
    n: number;
    size: number;
    /** The likelihood that the decoder was trained with, by its name. */
    likelihood?: { likelihood: string; scale: number };
  };
  /** Real images to train and to test on, generated ones that take the place of some, and the classifier to train. */
  augmentation?: {
    train: LabelledImages;
    test: LabelledImages;
    generated: LabelledImages;
    classifier?: ImageClassifier;
  };
  /** Draws codes with one factor fixed; made from codes and factors unless given. */
  sampler?: Sampler;
}

/** The part of the inputs that fills each need. */
interface FieldOf {
  codes: 'codes';
  factors: 'factors';
  'continuous factors': 'factors';
  classes: never;
  labels: 'labels';
  'class probabilities': 'probabilities';
  'log variances': 'codes';
  blocks: 'codes';
  background: 'background';
  models: 'models';
  reconstructions: 'reconstructions';
  augmentation: 'augmentation';
}

export type Need = keyof FieldOf;

/** Inputs in which the fields that fill the needs `N` are there. */
export type Supplied<N extends Need> = Inputs & { [F in FieldOf[N]]-?: NonNullable<Inputs[F]> };

export interface ScoreContext {
  /** Decides every random draw of a metric. */
  seed: number;
  /** Called as work goes on, with the share that is done. */
  onProgress?: (share: number, what: string) => void;
}

export type ResultPart = number | string | readonly number[] | readonly string[] | readonly (readonly number[])[];

export interface Score {
  score: number;
  /** What the score was made from, by name. */
  parts: Record<string, ResultPart>;
  /** Sentences on what was left out or taken as a convention. */
  notes?: string[];
}

/** A score with everything that decides it. */
export interface Result extends Score {
  name: string;
  title: string;
  version: string;
  describe: string;
  better: Better;
  options: Record<string, unknown>;
  seed: number;
  notes: string[];
}

export type Better = 'higher' | 'lower' | 'neither';

/** The role of a block that a metric of another block is read against: where codes have both, both are measured. */
export interface Counterpart {
  role: Role;
  /** The role of the metric's own block. */
  of: Role;
  /** Which way is better in the counterpart. */
  better: Better;
}

export interface Metric {
  name: string;
  title: string;
  /** Changes whenever the number for the same input would change. */
  version: string;
  needs: readonly Need[];
  options: Options;
  /** One line for people. */
  describe: string;
  better: Better;
  counterpart?: Counterpart;
  /** Fits on items that the encoder was trained on, where they are given. */
  fitsOnTraining?: boolean;
  score(inputs: Inputs, options?: Record<string, unknown>, context?: ScoreContext): Result;
}

/** Makes a metric of a definition: options are checked and filled in, inputs checked against the needs. */
export function defineMetric<const Schema extends Options, N extends Need>(definition: {
  name: string;
  title: string;
  version: string;
  needs: readonly N[];
  options: Schema;
  describe: string;
  better: Better;
  counterpart?: Counterpart;
  fitsOnTraining?: boolean;
  /** Options that the inputs decide where they are not given. */
  optionsOf?(inputs: Supplied<N>): Record<string, unknown>;
  score(inputs: Supplied<N>, options: OptionValues<Schema>, context: ScoreContext): Score;
}): Metric {
  const { name, title, version, needs, options: schema, describe, better, counterpart, fitsOnTraining } = definition;
  return {
    name,
    title,
    version,
    needs,
    options: schema,
    describe,
    better,
    ...defined({ counterpart, fitsOnTraining }),
    score(inputs, given = {}, context = { seed: 0 }) {
      checkInputs(inputs);
      if (!supplies(inputs, needs)) {
        throw new UntangleError(`${title} needs ${missing(inputs, needs).join(' and ')}.`, { kind: 'call' });
      }
      const options = readOptions(name, schema, { ...definition.optionsOf?.(inputs), ...given });
      const { score, parts, notes = [] } = definition.score(inputs, options, context);
      return {
        name,
        title,
        version,
        describe,
        better,
        options: { ...options },
        seed: context.seed,
        score,
        parts,
        notes,
      };
    },
  };
}

/** The needs that the inputs do not fill, in words for people. */
export function missing(inputs: Inputs, needs: readonly Need[]): string[] {
  return needs.filter((need) => !filled[need](inputs)).map((need) => words[need]);
}

function supplies<N extends Need>(inputs: Inputs, needs: readonly N[]): inputs is Supplied<N> {
  return missing(inputs, needs).length === 0;
}

const filled: Record<Need, (inputs: Inputs) => boolean> = {
  codes: ({ codes }) => codes !== undefined,
  factors: ({ factors }) => factors !== undefined && factors.factors.length > 0,
  'continuous factors': ({ factors }) => factors?.factors.some(({ kind }) => kind === 'continuous') ?? false,
  classes: ({ labels, factors }) =>
    labels !== undefined || (factors?.factors.some(({ kind }) => kind === 'discrete') ?? false),
  labels: ({ labels }) => labels !== undefined,
  'class probabilities': ({ probabilities }) => probabilities !== undefined,
  'log variances': ({ codes }) => codes?.logVariance !== undefined,
  blocks: ({ codes }) => (codes?.blocks?.length ?? 0) > 1,
  background: ({ background }) => background !== undefined,
  models: ({ models }) => models !== undefined && models.length > 1,
  reconstructions: ({ reconstructions }) => reconstructions !== undefined,
  augmentation: ({ augmentation }) => augmentation !== undefined,
};

const words: Record<Need, string> = {
  codes: 'codes',
  factors: 'known factors',
  'continuous factors': 'at least one continuous factor',
  classes: 'labels or a discrete factor',
  labels: 'labels',
  'class probabilities': 'the probabilities of a class block',
  'log variances': 'the log variances of the posteriors',
  blocks: 'codes with two or more named blocks',
  background: 'codes of a background set',
  models: 'codes of the same items from two or more models',
  reconstructions: 'images and their reconstructions',
  augmentation: 'real images with classes and generated ones',
};

function readOptions<Schema extends Options>(metric: string, schema: Schema, given: Record<string, unknown>) {
  const [key] = Object.keys(given);
  if (key !== undefined && Object.keys(schema).length === 0)
    throw new UntangleError(`${metric} has no options, but was given “${key}”.`, { kind: 'call' });
  return parseOptions(schema, given, `option of ${metric}`);
}

/** How many rows or draws: a whole number of at least `least`. */
export const count = (meaning: string, standard: number, least = 1) =>
  integer(meaning, { default: standard, min: least, max: 10_000_000 });

/** The options of a metric that trains on some rows, tests on others, and takes factors as classes. */
export const trainedOptions = {
  train: count('rows to train on', 10000, 2),
  test: count('rows to test on', 5000),
  bins: count('bins that a continuous factor is cut into', 20),
};
