/**
 * The attribute vector of DIP-VAE's Table 2: w = mean code with the attribute − mean code without it, over items that the encoder
 * was trained on. Codes are projected on w, a bias is learned by hinge loss, and the accuracy on other rows is the score.
 */

import { UntangleError } from '../errors.ts';
import { text } from '../options/index.ts';
import { accuracyOf, majorityShare } from './accuracy.ts';
import { blockOf } from './blocks.ts';
import { count, defineMetric, type Inputs, type ScoreContext, type Supplied } from './metric.ts';
import { type ClassColumn, classesAt, classTargets, codeRows, splitRows } from './rows.ts';

export const attributeVector = defineMetric({
  name: 'attribute-vector',
  title: 'Attribute vector',
  version: '2',
  needs: ['codes', 'classes'],
  describe: 'how well the difference of mean codes with and without an attribute tells the attribute',
  better: 'higher',
  fitsOnTraining: true,
  options: {
    train: count('rows to learn from where no training items are given', 10000, 2),
    test: count('rows to test on', 5000),
    block: text('the block of the latent; by default all of it', { default: null }),
  },
  score(inputs, { train, test, block }, context) {
    const notes: string[] = [];
    const { codes } = inputs;
    const { start, size } = blockOf(codes, block);
    const targets = attributesOf(inputs);
    if (targets.length === 0)
      throw new UntangleError('An attribute is a label or factor with two values, and there is none.');
    const learned = learnedFrom(inputs, train, test, context);
    const fitted = codeRows(learned.codes, learned.rows, start, size);
    const held = codeRows(codes, learned.held, start, size);
    const accuracies: number[] = [];
    const names: string[] = [];
    const chances: number[] = [];
    for (const target of targets) {
      const known = learned.targets.find(({ name }) => name === target.name);
      const y = known && classesAt(known, learned.rows);
      if (y === undefined || y.every((value) => value === y[0])) {
        notes.push(`Attribute “${target.name}” has one value among the training rows and is left out.`);
        continue;
      }
      const { w, bias } = fitAttribute(fitted, size, y);
      const actual = classesAt(target, learned.held);
      accuracies.push(
        accuracyOf(
          project(held, size, w).map((value) => (value + bias > 0 ? 1 : 0)),
          actual,
        ),
      );
      chances.push(majorityShare(actual, 2));
      names.push(target.name);
    }
    if (names.length === 0) throw new UntangleError('Every attribute has one value among the training rows.');
    const score = accuracies.reduce((sum, value) => sum + value, 0) / accuracies.length;
    return {
      score,
      parts: {
        attributes: names,
        accuracy: accuracies,
        chance: chances,
        learnedFrom: learned.from,
        trainRows: learned.rows.length,
        testRows: learned.held.length,
      },
      notes,
    };
  },
});

const attributesOf = (inputs: Pick<Inputs, 'labels' | 'factors'>) =>
  classTargets(inputs, []).filter((target) => target.size === 2);

/** Where the vectors come from: items that the encoder was trained on, where there are any, otherwise a part of the rows. */
function learnedFrom(
  inputs: Supplied<'codes'>,
  train: number,
  test: number,
  context: ScoreContext,
): { from: string; codes: Supplied<'codes'>['codes']; targets: ClassColumn[]; rows: Uint32Array; held: Uint32Array } {
  const { codes, training } = inputs;
  if (training === undefined) {
    const rows = splitRows(codes.n, train, test, context);
    return { from: 'a part of the rows', codes, targets: attributesOf(inputs), rows: rows.train, held: rows.test };
  }
  const all = (n: number) => Uint32Array.from({ length: n }, (_, i) => i);
  return {
    from: 'training items',
    codes: training.codes,
    targets: attributesOf(training),
    rows: all(training.codes.n),
    held: all(codes.n),
  };
}

/** The difference of the means, and the bias that minimises the hinge loss of the projections. */
export function fitAttribute(x: Float64Array, d: number, y: Int32Array): { w: Float64Array; bias: number } {
  const means = [new Float64Array(d), new Float64Array(d)];
  const counts = [0, 0];
  for (let i = 0; i < y.length; i++) {
    counts[y[i]]++;
    for (let j = 0; j < d; j++) means[y[i]][j] += x[i * d + j];
  }
  const w = means[1].map((sum, j) => sum / counts[1] - means[0][j] / counts[0]);
  return { w, bias: hingeBias(project(x, d, w), y) };
}

/**
 * argmin_b Σ max(0, 1 − t_i (s_i + b)) with t = ±1 for y = 1, 0. The loss is piecewise linear: its slope begins at minus
 * the number of positives and grows by one at every 1 − s (positives) and −1 − s (negatives), so it is flat between the
 * p-th and the next of these points for p positives. The middle of that interval is returned.
 *
 * @example hingeBias(Float64Array.of(-2, 2), Int32Array.of(0, 1)) // 0
 */
export function hingeBias(scores: Float64Array, y: Int32Array): number {
  const corners = scores.map((s, i) => (y[i] === 1 ? 1 - s : -1 - s)).sort();
  const positives = y.reduce((sum, value) => sum + value, 0);
  if (positives === 0) return corners[0];
  if (positives === corners.length) return corners[corners.length - 1];
  return (corners[positives - 1] + corners[positives]) / 2;
}

function project(x: Float64Array, d: number, w: Float64Array): Float64Array {
  const out = new Float64Array(x.length / d);
  for (let i = 0; i < out.length; i++) for (let j = 0; j < d; j++) out[i] += x[i * d + j] * w[j];
  return out;
}
