/** Makes a new run of what somebody asks for: opens the data, settles every option, and writes all of it into `run.json`. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type Choice, chooseData, type Opened, settledSpec } from '../data/index.ts';
import { defined } from '../defined.ts';
import { checkWritable } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { addMethod, covariateOptions, type Method, methodNamed } from '../methods/index.ts';
import { completeRows } from '../metrics/index.ts';
import { choiceOf, type LabelValues, type Layers, type RequestValues } from '../options/index.ts';
import { methodOf, pluginsOf } from '../plugins/index.ts';
import { createRun, type Run, type RunFile, type RunSettings } from '../runs/index.ts';
import { partData } from './data.ts';
import { labelNotes } from './label-notes.ts';
import { fingerprintsOf } from './open-data.ts';
import { resolveSettings } from './session/index.ts';

export interface TrainRequest {
  /** A method's name; or one of your own, which this process then knows by its name. */
  method: string | Method;
  data: string;
  /** Conditions, background, and how data is read. */
  choice?: Choice;
  labels?: LabelValues;
  preset?: string;
  /** Presets beside the method's own, such as those that a search found. */
  presets?: Layers['presets'];
  /** Values from a file, with its path for messages. */
  file?: { path: string; values: Record<string, unknown> };
  /** Settings as typed, such as `beta=4`. */
  set?: readonly string[];
  seed?: number;
  /** How many workers share a batch, and threads inside each. */
  workers?: number;
  threads?: number;
  /** How many such runs share the machine: unless `workers` is given, each takes its part of the cores. */
  jobs?: number;
  /** The folder of runs, and the new run's name in it. */
  root?: string;
  name?: string;
  /** The call, for people. */
  command?: string;
}

/** A request that can be sent to another process. */
export type NamedRequest = TrainRequest & { method: string };

/** The request of what was said by flags, in a config file or in a form. */
export function requestOf(said: RequestValues & { method: string; data: string }): NamedRequest {
  const { method, data, preset, seed, workers, threads, labels, labelsFrom, labelFactors, ...choice } = said;
  return {
    method,
    data,
    ...defined({ preset, seed, workers, threads }),
    choice: choiceOf(choice),
    labels: defined({ labels, labelsFrom, labelFactors }),
  };
}

/**
 * Checks a request wholly and makes its run; nothing is trained yet.
 *
 * @example const { run } = await prepareRun({ method: 'beta-vae', data: 'dsprites-small', set: ['beta=4', 'steps=2000'] })
 */
export async function prepareRun(request: TrainRequest): Promise<{ run: Run; notes: string[] }> {
  await checkWritable(request.root ?? 'runs');
  const { settings, notes } = await settleRequest(request);
  return { run: await createRun(request.root ?? 'runs', settings, request.name), notes };
}

/** What settles many requests, and opens each dataset once. */
export function settler(): typeof settleRequest {
  const opened = new Map<string, ReturnType<typeof chooseData>>();
  const open: typeof chooseData = (spec, choice) => {
    const key = JSON.stringify([spec, choice]);
    const found = opened.get(key) ?? chooseData(spec, choice);
    opened.set(key, found);
    return found;
  };
  return (request) => settleRequest(request, open);
}

/** Everything that decides the run that a request asks for, with sentences on what is worth knowing. */
export async function settleRequest(
  request: TrainRequest,
  open = chooseData,
): Promise<{ settings: RunSettings; notes: string[] }> {
  const method = methodFor(request.method);
  const { seed = 1, choice = {}, preset, presets, file, set = [] } = request;
  const settled = resolveSettings(method, defined({ set, preset, presets, file }));
  const { opened, warnings } = await open(request.data, choice);
  const { batchSize, epochs, validation } = settled.training;
  const { context, target, labelled, variables } = partData(opened, method, {
    seed,
    validation: Number(validation),
    ...request.labels,
  });
  if (Number(epochs) > 0)
    settled.training.steps = Math.max(1, Math.round((Number(epochs) * context.items) / Number(batchSize)));
  if (context.covariates === undefined)
    for (const name of covariateOptions)
      if (settled.options[name] === resolveSettings(method, {}).options[name]) delete settled.options[name];
  const notes = [...warnings];
  const defaults = defaultWorkers(Number(batchSize), request.jobs);
  const workers = request.workers ?? defaults;
  if (Number(batchSize) % workers !== 0)
    throw new UntangleError(`A batch of ${batchSize} can't be shared by ${workers} workers evenly.`, { kind: 'call' });
  if (context.items < Number(batchSize))
    notes.push(
      `There are ${context.items} items to train on, fewer than a batch of ${batchSize}: each comes more than once.`,
    );
  const isFew = method.needs === 'few-labels' && labelled.length === 0 && target.data.labels !== undefined;
  if (isFew) notes.push('No labels are used: --labels N lets the method see some.');
  notes.push(...labelNotes(variables, labelled));
  const { factors, length } = target.data;
  if (factors) notes.push(...completeRows(factors, length).gaps);
  const made: RunSettings = {
    command: request.command ?? '',
    method: method.name,
    preset,
    options: settled.options,
    data: dataOf(request, opened),
    training: trainingOf(settled.training, { seed, workers, threads: request.threads ?? 1 }),
  };
  const plugins = pluginsOf(made);
  return { settings: { ...made, ...(plugins.length > 0 && { plugins }) }, notes };
}

/** The method that is meant; one of the caller's own is known by its name from now on. */
function methodFor(given: string | Method): Method {
  if (typeof given === 'string') return methodNamed(given);
  addMethod(given);
  return given;
}

/** Makes a new run with the settings of another: the same data, options, seed and number of workers. */
export async function repeatRun(file: RunFile, root = 'runs', name?: string): Promise<Run> {
  methodOf(file);
  const { command, method, preset, plugins, options, data, training } = file;
  return await createRun(root, { command, method, preset, plugins, options, data, training }, name);
}

function dataOf(request: TrainRequest, opened: Opened): RunSettings['data'] {
  const { where, background, backgroundWhere, onProgress: _, ...options } = request.choice ?? {};
  const prints = fingerprintsOf(opened);
  // A run is looked at from other folders than the one that it was started in.
  if (options.dataDir !== undefined) options.dataDir = resolve(options.dataDir);
  const plain = JSON.parse(JSON.stringify(options));
  return {
    target: {
      source: settledSpec(request.data),
      condition: where,
      options: plain,
      fingerprint: prints.target,
    },
    background:
      prints.background === undefined
        ? undefined
        : {
            source: settledSpec(background ?? request.data),
            condition: backgroundWhere,
            fingerprint: prints.background,
          },
    ...request.labels,
  };
}

function trainingOf(
  stored: Record<string, unknown>,
  fixed: { seed: number; workers: number; threads: number },
): RunSettings['training'] {
  const { steps, batchSize, optimiser, learningRate, epochs, ...rest } = stored;
  return {
    ...fixed,
    steps: Number(steps),
    batchSize: Number(batchSize),
    optimiser: String(optimiser),
    learningRate: typeof learningRate === 'string' ? learningRate : Number(learningRate),
    epochs: Number(epochs) > 0 ? Number(epochs) : undefined,
    ...rest,
  };
}

/** A worker for each core of a run's share, up to four, where they share the batch evenly. */
function defaultWorkers(batchSize: number, jobs = 1): number {
  for (let workers = Math.min(4, Math.floor(availableParallelism() / jobs)); workers > 1; workers--)
    if (batchSize % workers === 0) return workers;
  return 1;
}
