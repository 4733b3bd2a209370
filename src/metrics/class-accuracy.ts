/**
 * Accuracy of the class block itself: how often argmax q(c|x) is the label (PartedVAE's 95 % on MNIST), and how often under
 * the best naming of the classes, which is what a model without labels can be asked for.
 */

import { clusteringAccuracy } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { text } from '../options/index.ts';
import { accuracyOf, accuracyPerClass, majorityShare } from './accuracy.ts';
import { blockOf } from './blocks.ts';
import { defineMetric } from './metric.ts';

export const classAccuracy = defineMetric({
  name: 'class-accuracy',
  title: 'Class accuracy',
  version: '1',
  needs: ['class probabilities', 'labels'],
  describe:
    'how often the largest entry of the class block is the label; under the best naming of classes in the parts',
  better: 'higher',
  options: {
    block: text('the class block; by default the one with role class', { default: null }),
  },
  score({ probabilities, labels }, { block }) {
    if (block === null && !probabilities.blocks?.some(({ role }) => role === 'class'))
      throw new UntangleError('The probabilities have no block with role class.');
    const { start, size, name } = blockOf(probabilities, block, 'class');
    const predicted = new Int32Array(probabilities.n);
    for (let i = 0; i < probabilities.n; i++) {
      const from = i * probabilities.d + start;
      for (let c = 1; c < size; c++)
        if (probabilities.values[from + c] > probabilities.values[from + predicted[i]]) predicted[i] = c;
    }
    const classes = labels.names.length;
    return {
      score: accuracyOf(predicted, labels.values),
      parts: {
        accuracyPerClass: accuracyPerClass(predicted, labels.values, classes),
        matchedAccuracy: clusteringAccuracy(predicted, labels.values).accuracy,
        chance: majorityShare(labels.values, classes),
        block: name,
      },
    };
  },
});
