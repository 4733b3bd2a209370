/** Makes a program of a method: its training steps for a batch, the same terms for the validation part, encoder and decoder. */

import { defined } from '../../defined.ts';
import type { Context, GroupOptimiser, Method, Model, Settings, TrainingStep } from '../../methods/index.ts';
import { outputsOf, tensorShape } from '../../model/index.ts';
import { build, initialValues } from '../../nn/index.ts';
import type { Options, OptionValues, Schedule } from '../../options/index.ts';
import {
  type Backend,
  compile,
  learningRateOf,
  type Optimiser,
  type Program,
  type ProgramOptions,
  type Step,
} from '../../runtime/index.ts';
import { input, type Tensor } from '../../tensor/index.ts';
import { adam, adamW, rmsprop, sgd } from './optimisers.ts';
import { schedulesOf, type TrainingValues } from './settings.ts';

/** A method ready to be trained and used. */
export interface Assembled {
  model: Model;
  program: Program;
  /** The names of the steps, in the order of an iteration. */
  steps: readonly string[];
  /** Options and learning rates that are fed, by feed. */
  schedules: Map<string, Schedule>;
  /** The shape of each parameter, as a checkpoint tells it. */
  shapes: ReadonlyMap<string, readonly number[]>;
  functions: UseFunctions;
}

/** The symbolic encoder and decoder, with a free batch size: what is exported. */
export interface UseFunctions {
  encode?: Record<string, Tensor>;
  decode: Record<string, Tensor>;
  /** Neutral codes and learned priors, which take no input. */
  constants: Record<string, Tensor>;
}

export interface AssembleOptions {
  seed: number;
  backend: Backend;
  workers: number;
  threads: number;
  team?: ProgramOptions['team'];
}

/** Builds a method on a context and compiles it. */
export async function assemble<S extends Options>(
  method: Method<S>,
  context: Context,
  values: OptionValues<S>,
  training: TrainingValues,
  { seed, backend, workers, threads, team }: AssembleOptions,
): Promise<Assembled> {
  const schedules = schedulesOf(method.options, values);
  const model = method.build(context, symbolic(values, schedules));
  const b = build({ size: training.batchSize, workers });
  const steps = model.steps(b);
  const rates = new Map<string, Schedule>(schedules);
  const compiled: Record<string, Step> = {};
  for (const step of steps) compiled[step.name] = compiledStep(step, training, rates);
  compiled[steps[steps.length - 1].name].assigns = b.assigns;
  const functions = useFunctions(model, context);
  const terms = termsAlone(model, training.batchSize);
  const program = await compile(
    {
      parameters: initialValues(b.declared, seed),
      steps: compiled,
      functions: defined({
        encode: functions.encode,
        decode: functions.decode,
        'validation terms': terms,
        constants: Object.keys(functions.constants).length > 0 ? functions.constants : undefined,
      }),
    },
    { backend, workers, threads, team },
  );
  const shapes = new Map([...b.declared].map(([name, { tensor }]) => [name, tensor.shape.map(Number)]));
  return {
    model,
    program,
    steps: steps.map(({ name }) => name),
    schedules: rates,
    shapes,
    functions,
  };
}

/** Options with an input in the place of each schedule. */
function symbolic<S extends Options>(values: OptionValues<S>, schedules: ReadonlyMap<string, Schedule>): Settings<S> {
  const fed = (name: string) => input(name, [], { is: { kind: 'schedule' } });
  const entries = Object.entries(values).map(([name, value]) => [name, schedules.has(name) ? fed(name) : value]);
  // The map holds exactly the options whose values are schedules.
  return Object.fromEntries(entries) as Settings<S>;
}

function compiledStep(step: TrainingStep, training: TrainingValues, rates: Map<string, Schedule>): Step {
  return {
    minimises: step.minimises,
    terms: step.terms,
    clipNorm: training.clipNorm > 0 ? training.clipNorm : undefined,
    groups: step.groups.map(({ name, parameters, optimiser }) => {
      rates.set(learningRateOf(name), optimiser?.learningRate ?? training.learningRate);
      return { name, parameters, optimiser: optimiserOf(optimiser ?? training, training) };
    }),
  };
}

function optimiserOf(
  chosen: GroupOptimiser | TrainingValues,
  { beta1, beta2, momentum, weightDecay }: TrainingValues,
): Optimiser {
  const betas = { beta1: chosen.beta1 ?? beta1, beta2: chosen.beta2 ?? beta2 };
  switch ('kind' in chosen ? chosen.kind : chosen.optimiser) {
    case 'adam':
      return adam(betas);
    case 'adamW':
      return adamW({ ...betas, decay: weightDecay });
    case 'sgd':
      return sgd({ momentum });
    case 'rmsprop':
      return rmsprop();
  }
}

/** The names of what a block has learned that takes no input. */
export const constantsOf = (block: string) => ({
  neutral: `${block} neutral`,
  priorMean: `${block} prior mean`,
  priorLogVariance: `${block} prior log variance`,
});

function useFunctions(model: Model, context: Context): UseFunctions {
  const b = build();
  const x = b.rows('x', tensorShape(context.item));
  const posteriors = model.encode?.(b, x);
  const codes = Object.fromEntries(model.blocks.map(({ name, size }) => [name, b.rows(name, [size])]));
  const constants: Record<string, Tensor> = {};
  for (const [block, code] of Object.entries(model.neutral?.(b) ?? {})) constants[constantsOf(block).neutral] = code;
  for (const [block, prior] of Object.entries(model.priors?.(b) ?? {})) {
    constants[constantsOf(block).priorMean] = prior.mean;
    constants[constantsOf(block).priorLogVariance] = prior.logVariance;
  }
  const encode: Record<string, Tensor> = {};
  for (const [block, posterior] of Object.entries(posteriors ?? {})) {
    const { values, logVariance } = outputsOf({ name: block, kind: posterior.kind });
    encode[values] = posterior.kind === 'gaussian' ? posterior.mean : posterior.probabilities;
    if (posterior.kind === 'gaussian' && logVariance) encode[logVariance] = posterior.logVariance;
  }
  return { encode: posteriors && encode, decode: { x: model.decode(b, codes) }, constants };
}

/** The terms of all steps for one batch, without a change of any weight. */
function termsAlone(model: Model, size: number): Record<string, Tensor> {
  const b = build({ size, workers: 1 });
  const steps = model.steps(b);
  return Object.assign({ loss: steps[steps.length - 1].minimises }, ...steps.map(({ terms }) => terms));
}
