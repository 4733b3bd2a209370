/**
 * Measures a run: encodes a part of its data, and gives metrics the codes, what is known of the items, and reconstructions.
 * Probabilities of classes are no code that varies smoothly, so they are measured as a classifier and not among the factors.
 */
import { type Dataset, heldOut, type Split, takenFactors, takenLabels } from '../data/index.ts';
import { defined } from '../defined.ts';
import { troubleOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import {
  type CodeTable,
  type Inputs,
  metrics,
  requestedNames,
  type ScoreRequest,
  type Scores,
} from '../metrics/index.ts';
import { covariateRows, itemSize, withChosenClasses } from '../model/index.ts';
import { countLikelihoods, likelihoodFor } from '../objectives/index.ts';
import { stream } from '../random/index.ts';
import { findRun, type Run, writeEvaluation } from '../runs/index.ts';
import { openRunData } from '../training/index.ts';
import { asCodes, encodeItems } from './encode-items.ts';
import { score } from './score.ts';
import { type BlockCodes, TrainedModel, withModel } from './trained-model.ts';

/** `held-out` is what was not trained on: the validation and the test part. */
export type DataPart = keyof Split | 'held-out' | 'all';

export interface EvaluateOptions extends ScoreRequest {
  part?: DataPart;
  /** The most items that are measured; a random choice of them if there are more. */
  items?: number;
  seed?: number;
  /** How many threads measure. */
  jobs?: number;
  /** Other runs on the same data, for measures over several models. */
  others?: readonly string[];
  /** The file that the numbers go to (otherwise `evaluation.json` in the run). */
  out?: string;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
}

export interface Measured {
  run: Run;
  step: number;
  part: DataPart;
  items: number;
  scores: Scores;
  /** Why the numbers could not be kept, where they could not: a run may lie where nothing can be written. */
  unkept?: UntangleError;
}

/** Of fewer items most scores say little. */
const few = 50;
/** Items whose reconstruction is measured, at most. */
const mostReconstructed = 2_000;

/**
 * Measures a run on a part of its data and writes `evaluation.json`.
 *
 * @example const { scores } = await evaluate('runs/beta-vae-dsprites-1', { names: ['mig', 'sap'] })
 */
export async function evaluate(meant: Run | string, options: EvaluateOptions = {}): Promise<Measured> {
  const { part = 'test', items: most = 20_000, seed = 0, jobs, onNote, onProgress = () => {} } = options;
  return await withModel(meant, async (model, run) => {
    const others = await Promise.all((options.others ?? []).map((other) => findRun(other)));
    const data = await openRunData(run.file, { onNote: onNote ?? (() => {}) });
    const { data: set } = data.target;
    const indices = chosen(set, data.target.split, part, most, seed, onNote);
    const encode = (dataset: Dataset, which: Uint32Array, share: number, from: number, by = model) =>
      by.file.encodes
        ? encodeItems(by, dataset, which, (done) => onProgress(from + (share * done) / which.length, 'encoding'))
        : undefined;
    const codes = await encode(set, indices, 0.2, 0);
    const background =
      data.background &&
      (await encode(
        data.background.data,
        chosen(data.background.data, data.background.split, part, most, seed),
        0.1,
        0.2,
      ));
    const training = fitsOnTraining(options, set) ? chosen(set, data.target.split, 'train', most, seed) : undefined;
    const trained = training && (await encode(set, training, 0, 0.3));
    const reconstructions = codes && (await reconstructed(model, run, set, indices, codes));
    const models = await otherModels(others, set, indices, encode);
    const continuous = codes && asCodes(codes, 'gaussian', indices.length);
    const inputs: Inputs = defined({
      codes: continuous,
      probabilities: codes && asCodes(codes, 'categorical', indices.length),
      ...knownOf(set, indices),
      training: trained && training && trainingOf(set, training, trained),
      background: background && asCodes(background, 'gaussian', background[0].values.length / background[0].block.size),
      reconstructions,
      models: continuous && models.length > 0 ? [continuous, ...models] : undefined,
    });
    const { names, protocol, options: settings } = options;
    const scores = await score(inputs, defined({ names, protocol, options: settings }), {
      ...defined({ jobs }),
      seed,
      onProgress: (share, what) => onProgress(0.3 + 0.7 * share, what),
    });
    const measured = { step: model.file.step, part, items: indices.length, scores };
    const unkept = await keep(run, measured, options.out);
    return { run, ...measured, unkept };
  });
}

/** Writes the numbers down; what the system says against it is told, and the numbers are not lost for it. */
async function keep(run: Run, measured: Parameters<typeof writeEvaluation>[1], out?: string) {
  try {
    await writeEvaluation(run.folder, measured, out);
    return undefined;
  } catch (error) {
    const trouble = error instanceof UntangleError ? error : troubleOf(error);
    if (trouble === undefined) throw error;
    return trouble;
  }
}

/** Whether one of the metrics fits on training items what they know, attributes of two values. */
function fitsOnTraining(request: ScoreRequest, { labels, factors }: Dataset): boolean {
  const hasAttributes =
    labels?.names.length === 2 || factors?.factors.some(({ kind, size }) => kind === 'discrete' && size === 2);
  return hasAttributes === true && requestedNames(request).some((name) => metrics[name]?.fitsOnTraining);
}

function knownOf(set: Dataset, indices: Uint32Array): Pick<Inputs, 'labels' | 'factors'> {
  return defined({
    labels: set.labels && takenLabels(set.labels, indices),
    factors: set.factors && { ...takenFactors(set.factors, indices), n: indices.length },
  });
}

function trainingOf(set: Dataset, indices: Uint32Array, all: readonly BlockCodes[]): Inputs['training'] {
  const codes = asCodes(all, 'gaussian', indices.length);
  return codes && { codes, ...knownOf(set, indices) };
}

async function otherModels(
  others: readonly Run[],
  set: Dataset,
  indices: Uint32Array,
  encode: (
    set: Dataset,
    indices: Uint32Array,
    share: number,
    from: number,
    by: TrainedModel,
  ) => Promise<BlockCodes[]> | undefined,
): Promise<CodeTable[]> {
  const found: CodeTable[] = [];
  for (const { file, folder } of others) {
    if (file.data.target.fingerprint !== set.fingerprint)
      throw new UntangleError(`“${folder}” was trained on other data.`, { kind: 'call' });
    const model = await TrainedModel.open(folder);
    const codes = await encode(set, indices, 0, 0.3, model);
    await model.close();
    const continuous = codes && asCodes(codes, 'gaussian', indices.length);
    if (continuous) found.push(continuous);
  }
  return found;
}

function chosen(
  set: Dataset,
  split: Split,
  part: DataPart,
  most: number,
  seed: number,
  onNote?: (sentence: string) => void,
): Uint32Array {
  const all = itemsOf(set, split, part);
  if (all.length === 0) throw new UntangleError(`${set.name} has no ${part} part.`, { kind: 'call' });
  if (all.length < few && all.length < set.length)
    onNote?.(
      `Only ${all.length} items are measured, so scores are mostly chance: --part all has ${set.length}, with those that were trained on.`,
    );
  if (all.length <= most) return all;
  onNote?.(`${most} of the ${all.length} items are measured.`);
  return stream(seed, 'items to measure')
    .permutation(all.length)
    .slice(0, most)
    .sort()
    .map((place) => all[place]);
}

function itemsOf(set: Dataset, split: Split, part: DataPart): Uint32Array {
  if (part === 'all') return Uint32Array.from({ length: set.length }, (_, i) => i);
  return part === 'held-out' ? heldOut(split) : split[part];
}

/** The first items with what the decoder makes of their means, and of their likeliest class. */
async function reconstructed(
  model: TrainedModel,
  run: Run,
  set: Dataset,
  all: Uint32Array,
  codes: readonly BlockCodes[],
) {
  const indices = all.subarray(0, mostReconstructed);
  const n = indices.length;
  const given = codes.map(({ block, values }) => [block.name, values.slice(0, n * block.size)]);
  const told = set.given && covariateRows(set.given.values, set.given.covariates, indices);
  const reconstruction = await model.decode(withChosenClasses(Object.fromEntries(given), model.file.blocks), told);
  return {
    original: set.gather(indices),
    reconstruction,
    n,
    size: itemSize(set.shape),
    likelihood: likelihoodOf(run, set),
  };
}

function likelihoodOf({ file }: Run, set: Dataset) {
  const { likelihood = 'auto', scale = 1 } = file.options;
  // Counts come back standardised like any other number, and are compared as such.
  const isOfCounts = countLikelihoods.some((one) => one === likelihood);
  return {
    likelihood: likelihood === 'auto' || isOfCounts ? likelihoodFor(set.range) : String(likelihood),
    scale: Number(scale),
  };
}
