/**
 * Probes: what can be read off the codes with simple means. Linear regression of continuous factors by mean absolute error
 * (Rb-VAE, Table 1), and classifiers of labels and discrete factors by accuracy for every class and ROC-AUC: a linear one,
 * and boosted trees of depth 3 in the place of a small network, as trees need no training schedule and find interactions.
 */

import {
  boostedDecision,
  fitBoostedTrees,
  fitLeastSquares,
  fitLogistic,
  logisticProbabilities,
  mean,
  predict,
  predictBoostedTrees,
  predictRegression,
  standardise,
} from '../analysis/index.ts';
import { text } from '../options/index.ts';
import { accuracyOf, accuracyPerClass, balanced, majorityShare } from './accuracy.ts';
import { blockOf } from './blocks.ts';
import { meanArea } from './explicitness.ts';
import {
  type Counterpart,
  count,
  defineMetric,
  type Inputs,
  type ResultPart,
  type Score,
  type ScoreContext,
  type Supplied,
} from './metric.ts';
import { type ClassColumn, classesAt, classTargets, codeRows, column, splitRows } from './rows.ts';

const probeOptions = {
  block: text('the block to read; by default all of the latent', { default: null }),
  train: count('rows to train on', 5000, 2),
  test: count('rows to test on', 5000),
};

/** Where codes have a salient and a shared block, the shared one is read by itself, too. */
const ofShared: Counterpart = { role: 'shared', of: 'salient', better: 'neither' };

export const regressionProbe = defineMetric({
  name: 'regression-probe',
  title: 'Regression probe',
  version: '1',
  needs: ['codes', 'continuous factors'],
  describe: 'the mean absolute error of linear regression from the codes to each continuous factor, in its own units',
  better: 'lower',
  counterpart: ofShared,
  options: probeOptions,
  score({ codes, factors }, { block, train, test }, context) {
    const { start, size, name } = blockOf(codes, block);
    const rows = splitRows(codes.n, train, test, context);
    const x = codeRows(codes, rows.train, start, size);
    const held = codeRows(codes, rows.test, start, size);
    const targets = factors.factors.map((factor, k) => ({ ...factor, k })).filter(({ kind }) => kind === 'continuous');
    const scores = targets.map(({ k }) => {
      const at = (part: Uint32Array) => column(factors.values, factors.factors.length, k, part);
      const model = fitLeastSquares({ x, n: rows.train.length, d: size, y: at(rows.train) });
      const actual = at(rows.test);
      const predicted = predictRegression(model, held, rows.test.length, size);
      const centre = mean(at(rows.train));
      return {
        error: mean(actual.map((value, i) => Math.abs(value - predicted[i]))),
        baseline: mean(actual.map((value) => Math.abs(value - centre))),
      };
    });
    const perFactor = scores.map(({ error }) => error);
    return {
      score: mean(perFactor),
      parts: {
        factors: targets.map((target) => target.name),
        perFactor,
        errorOfTheMean: scores.map(({ baseline }) => baseline),
        block: name,
        trainRows: rows.train.length,
        testRows: rows.test.length,
      },
    };
  },
});

export const linearProbe = defineMetric({
  name: 'linear-probe',
  title: 'Linear probe',
  version: '1',
  needs: ['codes', 'classes'],
  describe: 'the accuracy of logistic regression from the codes to labels and discrete factors',
  better: 'higher',
  counterpart: ofShared,
  options: probeOptions,
  score: (inputs, options, context) => scoreClassifier(inputs, options, context, linearClassifier),
});

export const treeProbe = defineMetric({
  name: 'tree-probe',
  title: 'Tree probe',
  version: '1',
  needs: ['codes', 'classes'],
  describe: 'the accuracy of boosted trees of depth 3 from the codes to labels and discrete factors',
  better: 'higher',
  options: probeOptions,
  score: (inputs, options, context) => scoreClassifier(inputs, options, context, treeClassifier),
});

export interface ProbeSplit {
  x: Float64Array;
  y: Int32Array;
  n: number;
}

/** What a classifier says of the test rows: their classes, and scores of `columns` (the classes that it knows). */
interface Verdict {
  predicted: Int32Array;
  scores: Float64Array;
  columns: readonly number[];
}

type Classifier = (train: ProbeSplit, test: ProbeSplit, d: number, classes: number, seed: number) => Verdict;

/** Multinomial logistic regression with C = 1 on codes of mean 0 and variance 1. */
export const linearClassifier: Classifier = (train, test, d, classes) => {
  const fitted = standardise(train.x, train.n, d);
  const held = standardise(test.x, test.n, d, fitted.scale).values;
  const model = fitLogistic({ x: fitted.values, n: train.n, d, y: train.y, classes });
  return {
    predicted: predict(model, held, test.n, d),
    scores: logisticProbabilities(model, held, test.n, d),
    columns: model.classes,
  };
};

const treeClassifier: Classifier = (train, test, d, classes, seed) => {
  const model = fitBoostedTrees({ x: train.x, n: train.n, d, y: train.y, classes, seed });
  const decision = boostedDecision(model, test.x, test.n, d);
  const scores =
    model.classes.length === 2
      ? Float64Array.from({ length: 2 * test.n }, (_, at) => (at % 2 === 0 ? -1 : 1) * decision[at >> 1])
      : decision;
  return { predicted: predictBoostedTrees(model, test.x, test.n, d), scores, columns: model.classes };
};

function scoreClassifier(
  inputs: Supplied<'codes'> & Inputs,
  { block, train, test }: { block: string | null; train: number; test: number },
  context: ScoreContext,
  classify: Classifier,
): Score {
  const notes: string[] = [];
  const { codes } = inputs;
  const { start, size, name } = blockOf(codes, block);
  const targets = classTargets(inputs, notes);
  const rows = splitRows(codes.n, train, test, context);
  const x = codeRows(codes, rows.train, start, size);
  const held = codeRows(codes, rows.test, start, size);
  const verdicts = targets.map((target, k) => {
    context.onProgress?.(k / targets.length, `probe of “${target.name}”`);
    const actual = classesAt(target, rows.test);
    const { predicted, scores, columns } = classify(
      { x, y: classesAt(target, rows.train), n: rows.train.length },
      { x: held, y: actual, n: rows.test.length },
      size,
      target.size,
      context.seed,
    );
    return {
      accuracy: accuracyOf(predicted, actual),
      perClass: accuracyPerClass(predicted, actual, target.size),
      area: meanArea(scores, columns, actual),
      chance: majorityShare(actual, target.size),
    };
  });
  const accuracy = verdicts.map((verdict) => verdict.accuracy);
  const parts: Record<string, ResultPart> = {
    targets: targets.map((target) => target.name),
    accuracy,
    balancedAccuracy: verdicts.map((verdict) => balanced(verdict.perClass)),
    rocAuc: verdicts.map((verdict) => verdict.area),
    chance: verdicts.map((verdict) => verdict.chance),
    accuracyPerClass: verdicts.map((verdict) => verdict.perClass),
    ...ofLabels(inputs, targets, verdicts),
    block: name,
    trainRows: rows.train.length,
    testRows: rows.test.length,
  };
  return { score: mean(accuracy), parts, notes };
}

/** The accuracy of each class of the labels, by the classes' names. */
function ofLabels(
  { labels }: Inputs,
  targets: readonly ClassColumn[],
  verdicts: readonly { perClass: readonly number[] }[],
): Record<string, ResultPart> {
  const at = targets.findIndex(({ k }) => k < 0);
  if (labels === undefined || at < 0) return {};
  // Classes without a row are not among a target's.
  const present = [...new Set(labels.values)].sort((a, b) => a - b);
  return { classes: present.map((value) => labels.names[value]), perClass: verdicts[at].perClass };
}
