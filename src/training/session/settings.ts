/**
 * The settings of a training, which every method shares and may set other defaults for. Together with the method's options they
 * are what `--set`, presets and config files give values to.
 */
import { defined } from '../../defined.ts';
import type { Method } from '../../methods/index.ts';
import {
  choice,
  integer,
  isSchedulable,
  type Layers,
  number,
  type Options,
  type OptionValues,
  optionValues,
  resolveOptions,
  type Schedule,
  type StoredOptions,
  withDefault,
} from '../../options/index.ts';

export const trainingOptions = {
  batchSize: integer('items in a batch', { default: 64, min: 1, max: 65_536 }),
  steps: integer('training steps', { default: 10_000, min: 1 }),
  epochs: number('passes over the data, in place of steps if above 0', { default: 0, min: 0, schedulable: false }),
  optimiser: choice('what follows the gradient', ['adam', 'adamW', 'sgd', 'rmsprop'], { default: 'adam' }),
  learningRate: number('size of the optimiser’s steps', { default: 5e-4, min: 0 }),
  beta1: number('decay of Adam’s first moment', { default: 0.9, min: 0, max: 0.9999, schedulable: false }),
  beta2: number('decay of Adam’s second moment', { default: 0.999, min: 0, max: 0.999999, schedulable: false }),
  weightDecay: number('decoupled weight decay of adamW', { default: 0.01, min: 0, schedulable: false }),
  momentum: number('momentum of sgd', { default: 0, min: 0, max: 0.9999, schedulable: false }),
  clipNorm: number('greatest norm of the gradient; 0 for none', { default: 0, min: 0, schedulable: false }),
  validation: number('share of the data that is held out to watch the loss', {
    default: 0.1,
    min: 0,
    max: 0.5,
    schedulable: false,
  }),
  validateEvery: integer('steps between looks at the held-out part; 0 for none', { default: 500, min: 0 }),
  patience: integer('looks without a better held-out loss after which training stops; 0 for never', {
    default: 0,
    min: 0,
  }),
  plateauFactor: number('factor on the learning rate when an epoch’s mean loss stops falling; 1 for none', {
    default: 1,
    min: 0.01,
    max: 1,
    schedulable: false,
  }),
  plateauPatience: integer('epochs without a fall before the factor is applied', { default: 2, min: 0 }),
  plateauThreshold: number('share of the loss by which it must fall to count', {
    default: 0.01,
    min: 0,
    schedulable: false,
  }),
  plateauCooldown: integer('epochs after a change in which nothing is counted', { default: 3, min: 0 }),
  logEvery: integer('steps between lines of the log', { default: 10, min: 1 }),
  checkpointEvery: integer('steps between checkpoints; 0 to go by time alone', { default: 0, min: 0 }),
  checkpointMinutes: number('minutes between checkpoints', { default: 2, min: 0.01, schedulable: false }),
};

export type TrainingValues = OptionValues<typeof trainingOptions>;

/** All options of a method and of its training, with the method's own defaults. */
export function schemaOf(method: Method): Options {
  const training: Options = Object.fromEntries(
    Object.entries(trainingOptions).map(([name, option]) => {
      const given = method.training?.[name];
      return [name, given === undefined ? option : withDefault(option, given)];
    }),
  );
  return { ...training, ...method.options };
}

/**
 * What the layers of settings give: the method's options and the training's, each as `run.json` holds them. The layers' presets
 * stand beside the method's own.
 */
export function resolveSettings(method: Method, layers: Layers) {
  const schema = schemaOf(method);
  const set = withOneLength(layers.set ?? []);
  const presets = { ...method.presets, ...layers.presets };
  const file = layers.file && { ...layers.file, values: { ...lengthOf(layers.file.values), ...layers.file.values } };
  const { stored } = resolveOptions(
    schema,
    { ...layers, ...defined({ file }), set, presets },
    `option of ${method.name}`,
  );
  return split(stored);
}

/** Steps and epochs both say how long to train: the one that was set last does, also against a preset's epochs. */
function withOneLength(set: readonly string[]): readonly string[] {
  const last = set.findLast((text) => /^\s*(steps|epochs)\s*=/.test(text));
  return last?.trimStart().startsWith('steps') ? [...set, 'epochs=0'] : set;
}

/** Steps of a file hold against a preset's epochs, too. */
const lengthOf = (values: Readonly<Record<string, unknown>>) => ('steps' in values ? { epochs: 0 } : {});

/** The settings of a run as code uses them. */
export function readSettings(method: Method, options: StoredOptions, training: StoredOptions) {
  return { options: optionValues(method.options, options), training: optionValues(trainingOptions, training) };
}

/** The schedules among a method's option values, by name. */
export function schedulesOf(schema: Options, values: Readonly<Record<string, unknown>>): Map<string, Schedule> {
  const found = Object.entries(schema).filter(([, option]) => isSchedulable(option));
  // `optionValues` makes a schedule of every such number.
  return new Map(found.map(([name]) => [name, values[name] as Schedule]));
}

function split(stored: StoredOptions): { options: StoredOptions; training: StoredOptions } {
  const isTraining = ([name]: [string, unknown]) => name in trainingOptions;
  return {
    options: Object.fromEntries(Object.entries(stored).filter((entry) => !isTraining(entry))),
    training: Object.fromEntries(Object.entries(stored).filter(isTraining)),
  };
}
