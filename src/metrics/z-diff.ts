/**
 * Z-diff, the β-VAE metric (Higgins et al., 2017): from mean |z₁ − z₂| over pairs that share one factor, a linear classifier
 * tells which factor they share. With Kumar et al.'s one-vs-rest SVM (DIP-VAE, section 4), whose loss is the hinge, with that of
 * scikit-learn's LinearSVC, the hinge's square, or with disentanglement_lib's logistic regression, whose meaning changed with
 * scikit-learn's defaults: liblinear before 0.22, multinomial since.
 */

import { fitLinearSvm, fitLogistic, predict } from '../analysis/index.ts';
import { choice, number } from '../options/index.ts';
import { accuracyOf } from './accuracy.ts';
import { count, defineMetric } from './metric.ts';
import { type Sampler, samplerOf } from './sampler.ts';

export const zDiff = defineMetric({
  name: 'z-diff',
  title: 'Z-diff (β-VAE metric)',
  version: '1',
  needs: ['codes', 'factors'],
  describe: 'how well a linear classifier tells which factor pairs share, from how far apart their codes are',
  better: 'higher',
  options: {
    classifier: choice(
      'svm: squared hinge, as LinearSVC’s; svm-hinge: Kumar et al.; logistic-liblinear: disentanglement_lib in 2018–20; logistic-multinomial: with scikit-learn ≥ 0.22',
      ['svm', 'svm-hinge', 'logistic-liblinear', 'logistic-multinomial'],
      { default: 'svm' },
    ),
    c: number('weight of the loss; by default 0.01 for svm and 1 for logistic', {
      default: null,
      above: 0,
      schedulable: false,
    }),
    batch: count('pairs that are averaged', 64),
    train: count('averages to train on', 10000, 2),
    test: count('averages to test on', 5000),
    bins: count('bins that a continuous factor is cut into', 20),
  },
  score(inputs, { classifier, c, batch, train: trainCount, test: testCount, bins }, context) {
    const notes: string[] = [];
    const sampler = samplerOf(inputs, bins, context, notes);
    const { d } = sampler;
    const train = differences(sampler, trainCount, batch);
    // scikit-learn's liblinear seeds itself with one draw from the same generator, before the test pairs are drawn.
    if (classifier === 'logistic-liblinear') sampler.integer(2147483647);
    const test = differences(sampler, testCount, batch);
    context.onProgress?.(0.5, 'Z-diff');
    const data = { x: train.x, n: trainCount, d, y: train.y, classes: sampler.factors.length };
    const model =
      classifier === 'svm' || classifier === 'svm-hinge'
        ? fitLinearSvm({ ...data, c: c ?? 0.01, loss: classifier === 'svm' ? 'squared-hinge' : 'hinge' })
        : fitLogistic({
            ...data,
            c: c ?? 1,
            kind: classifier === 'logistic-liblinear' ? 'one-vs-rest' : 'multinomial',
          });
    const trainAccuracy = accuracyOf(predict(model, train.x, trainCount, d), train.y);
    const testAccuracy = accuracyOf(predict(model, test.x, testCount, d), test.y);
    return { score: testAccuracy, parts: { factors: [...sampler.factors], trainAccuracy, testAccuracy }, notes };
  },
});

/** `count` rows of mean |z₁ − z₂| over a batch of pairs that share factor y. */
function differences(sampler: Sampler, count: number, batch: number): { x: Float64Array; y: Int32Array } {
  const { d, factors } = sampler;
  const x = new Float64Array(count * d);
  const y = new Int32Array(count);
  const first = new Float64Array(batch * d);
  const second = new Float64Array(batch * d);
  for (let row = 0; row < count; row++) {
    y[row] = sampler.integer(factors.length);
    sampler.pairs(y[row], batch, first, second);
    const out = row * d;
    for (let b = 0, at = 0; b < batch; b++)
      for (let j = 0; j < d; j++, at++) x[out + j] += Math.abs(first[at] - second[at]);
    for (let j = 0; j < d; j++) x[out + j] /= batch;
  }
  return { x, y };
}
