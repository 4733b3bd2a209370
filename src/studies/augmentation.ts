/**
 * The augmentation test of N-VAE (section IV-C, Fig. 9): a classifier learns from real images of which a share is replaced by
 * generated ones of their class, drawn at a growing spread σ of the latent, and is tested on real images. The paper does not
 * say which classifier; here it is a small neural network.
 */
import { mean, variance } from '../analysis/index.ts';
import type { Dataset } from '../data/index.ts';
import { UntangleError } from '../errors.ts';
import type { LabelledImages } from '../metrics/index.ts';
import { augmentation } from '../metrics/index.ts';
import { itemSize } from '../model/index.ts';
import { stream } from '../random/index.ts';
import { classVariables, openRun } from '../runs/index.ts';
import { openRunData } from '../training/index.ts';
import { classesWith, sampleCodes, TrainedModel } from '../use/index.ts';
import { networkClassifier } from './image-classifier.ts';

/** A generative model of the comparison: one trained run, or one for each repeat. */
export interface AugmentationArm {
  name: string;
  runs: readonly [string, ...string[]];
}

export interface AugmentationOptions {
  sigmas?: readonly number[];
  /** Probabilities of replacing a real image. */
  replace?: readonly number[];
  /** Each repeat draws other images, replaces others, and takes the next run of an arm. */
  seeds?: readonly number[];
  /** Real images that a classifier learns from, and is tested on. */
  trainImages?: number;
  testImages?: number;
  /** Generated images of each class that a replacement is drawn from. */
  perClass?: number;
  dataDir?: string;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
}

/** A point of Fig. 9: the classification error over the repeats. The baseline has neither σ nor replaced images. */
export interface AugmentationRow {
  name: string;
  sigma?: number;
  replace: number;
  mean: number;
  deviation: number;
  /** One for each seed. */
  errors: number[];
}

/**
 * Measures all arms on the data that they were trained on, which must be the same. The first row is the classifier without
 * generated images.
 *
 * @example await augmentationTest([{ name: 'N-VAE', runs: ['runs/n-vae-mnist-1'] }], { sigmas: [1, 2] })
 */
export async function augmentationTest(
  arms: readonly AugmentationArm[],
  options: AugmentationOptions = {},
): Promise<AugmentationRow[]> {
  const { sigmas = [1, 1.4, 2], replace = [0.4, 1], seeds = [1, 2, 3], perClass = 1000, onProgress } = options;
  if (arms.length === 0 || sigmas.length === 0 || replace.length === 0 || seeds.length === 0)
    throw new UntangleError('The augmentation test needs at least one model, spread, probability and seed.', {
      kind: 'call',
    });
  const data = await commonData(arms, options);
  const errors = new Map<string, number[]>();
  const note = (key: string, error: number) => errors.set(key, [...(errors.get(key) ?? []), error]);
  const total = seeds.length * arms.length * sigmas.length;
  let done = 0;
  for (const [repeat, seed] of seeds.entries()) {
    const real = realImages(data, seed, options);
    for (const [a, { name, runs }] of arms.entries()) {
      const model = await TrainedModel.open(runs[repeat % runs.length]);
      try {
        for (const sigma of sigmas) {
          const generated = await generatedImages(model, data.classes, perClass, sigma, seed);
          const { parts } = augmentation.score(
            { augmentation: { ...real, generated, classifier: networkClassifier } },
            { replace: [...replace], repeats: 1, rows: real.train.n },
            { seed, onProgress: (share, what) => onProgress?.((done + share) / total, `${what} of ${name}`) },
          );
          if (a === 0 && sigma === sigmas[0]) note('baseline', numbers(parts.baseline)[0]);
          for (const [p, error] of numbers(parts.errors).entries()) note(keyOf(name, sigma, replace[p]), error);
          onProgress?.(++done / total, `augmentation test of ${name}`);
        }
      } finally {
        await model.close();
      }
    }
  }
  const rowOf = (row: Pick<AugmentationRow, 'name' | 'sigma' | 'replace'>, key: string): AugmentationRow => {
    const list = errors.get(key) ?? [];
    return {
      ...row,
      mean: mean(list),
      deviation: list.length > 1 ? Math.sqrt(variance(list, 1)) : 0,
      errors: list,
    };
  };
  const points = arms.flatMap(({ name }) =>
    replace.flatMap((probability) =>
      sigmas.map((sigma) => rowOf({ name, sigma, replace: probability }, keyOf(name, sigma, probability))),
    ),
  );
  return [rowOf({ name: 'baseline', replace: 0 }, 'baseline'), ...points];
}

/**
 * The test of one run, as numbers by the names that a study's columns ask for: `baseline`, and an error such as
 * `σ 1.4, replaced 0.4`.
 */
export async function augmentationOf(
  folder: string,
  seed: number,
  options: Pick<AugmentationOptions, 'sigmas' | 'replace' | 'trainImages' | 'testImages' | 'perClass' | 'onProgress'>,
): Promise<Record<string, number>> {
  const rows = await augmentationTest([{ name: folder, runs: [folder] }], { ...options, seeds: [seed] });
  return Object.fromEntries(
    rows.map(({ sigma, replace, mean: error }) => [
      sigma === undefined ? 'baseline' : `σ ${sigma}, replaced ${replace}`,
      error,
    ]),
  );
}

const keyOf = (...parts: (string | number)[]) => JSON.stringify(parts);

const numbers = (part: unknown): number[] => (Array.isArray(part) ? part : [part]).map(Number);

interface CommonData {
  set: Dataset;
  classes: readonly string[];
  labels: Uint16Array;
  train: Uint32Array;
  test: Uint32Array;
}

/** The data that all runs were trained on, with the labels that they learned. */
async function commonData(arms: readonly AugmentationArm[], options: AugmentationOptions): Promise<CommonData> {
  const runs = await Promise.all(arms.flatMap(({ runs: folders }) => folders.map((folder) => openRun(folder))));
  const [first] = runs;
  const { fingerprint } = first.file.data.target;
  const other = runs.find(({ file }) => file.data.target.fingerprint !== fingerprint);
  if (other)
    throw new UntangleError(`“${other.folder}” was trained on other data than “${first.folder}”.`, { kind: 'call' });
  const { target, variables } = await openRunData(first.file, {
    onNote: options.onNote,
    dataDir: options.dataDir,
  });
  if (target.data.shape.kind !== 'image' || variables.length === 0)
    throw new UntangleError(`The augmentation test needs images with labels; ${target.data.name} has none.`, {
      kind: 'call',
    });
  const { train, validation, test } = target.split;
  return {
    set: target.data,
    classes: variables[0].classes,
    labels: variables[0].values,
    train,
    test: [test, validation].find(({ length }) => length > 0) ?? train,
  };
}

function realImages(
  { set, labels, train, test }: CommonData,
  seed: number,
  { trainImages = 5000, testImages = 10_000 }: AugmentationOptions,
): { train: LabelledImages; test: LabelledImages } {
  const some = (items: Uint32Array, count: number, purpose: string): LabelledImages => {
    const order = stream(seed, purpose).permutation(items.length).subarray(0, count);
    const chosen = order.map((place) => items[place]);
    return {
      values: set.gather(chosen),
      n: chosen.length,
      size: itemSize(set.shape),
      labels: Int32Array.from(chosen, (item) => labels[item]),
    };
  };
  return {
    train: some(train, trainImages, 'real images to learn from'),
    test: some(test, testImages, 'real images to test on'),
  };
}

async function generatedImages(
  model: TrainedModel,
  classes: readonly string[],
  perClass: number,
  sigma: number,
  seed: number,
): Promise<LabelledImages> {
  const [variable] = classVariables(model.file);
  if (variable === undefined || !variable.isNamed || variable.classes.join('\n') !== classes.join('\n'))
    throw new UntangleError(`${model.file.title} draws no items of the classes ${classes.join(', ')}.`, {
      kind: 'call',
      hint: 'Give runs of methods that learn from labels, such as n-vae, conditional-vae, cgan and ac-gan.',
    });
  const size = model.itemSize;
  const values = new Float32Array(classes.length * perClass * size);
  for (const k of classes.keys()) {
    const rows = classesWith(model, { variable: 0, class: k }, perClass, seed, k);
    values.set(await model.decode(sampleCodes(model, rows, sigma, seed, k)), k * perClass * size);
  }
  const labels = Int32Array.from({ length: classes.length * perClass }, (_, i) => Math.floor(i / perClass));
  return { values, n: labels.length, size, labels };
}
