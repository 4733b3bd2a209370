/**
 * Accuracy of the class block itself: how often argmax q(c|x) is the label (PartedVAE's 95 % on MNIST), and how often under
 * the best naming of the classes, which is what a model without labels can be asked for.
 */
import { z } from 'zod';
import { clusteringAccuracy } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { accuracyOf, accuracyPerClass, majorityShare } from './accuracy.ts';
import { blockOf } from './blocks.ts';
import { defineMetric } from './metric.ts';

export const classAccuracy = defineMetric({
  name: 'class-accuracy',
  title: 'Class accuracy',
  version: '1',
  needs: ['codes', 'labels'],
  describe:
    'how often the largest entry of the class block is the label; under the best naming of classes in the parts',
  better: 'higher',
  options: z.object({
    block: z.string().nullable().default(null).describe('the class block; by default the one with role class'),
  }),
  score({ codes, labels }, { block }) {
    if (block === null && !codes.blocks?.some(({ role }) => role === 'class'))
      throw new UntangleError('The codes have no block with role class.');
    const { start, size, name } = blockOf(codes, block, 'class');
    const predicted = new Int32Array(codes.n);
    for (let i = 0; i < codes.n; i++) {
      const from = i * codes.d + start;
      for (let c = 1; c < size; c++) if (codes.values[from + c] > codes.values[from + predicted[i]]) predicted[i] = c;
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
