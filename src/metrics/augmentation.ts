/**
 * The augmentation test of N-VAE (Fig. 9): a classifier is trained on real images of which a share is replaced by generated
 * ones of the same class, and tested on real images. Samples that are both right and varied keep its error low.
 */

import { fitLogistic, mean, predict, variance } from '../analysis/index.ts';
import { UntangleError } from '../errors.ts';
import { list } from '../options/index.ts';
import { type Stream, stream } from '../random/index.ts';
import { accuracyOf } from './accuracy.ts';
import { count, defineMetric, type ImageClassifier, type LabelledImages } from './metric.ts';
import { asClasses } from './rows.ts';

export const augmentation = defineMetric({
  name: 'augmentation',
  title: 'Augmentation test',
  version: '1',
  needs: ['augmentation'],
  describe: 'the test error of a classifier trained with generated images in place of some real ones',
  better: 'lower',
  options: {
    replace: list('probabilities of replacing a real image; the score is the error of the first', {
      of: 'number',
      default: [0.4, 1],
      least: 1,
      min: 0,
      max: 1,
    }),
    repeats: count('trainings for each probability', 3),
    rows: count('real images to train on', 5000, 2),
  },
  score(
    { augmentation: { train, test, generated, classifier = logisticClassifier } },
    { replace, repeats, rows },
    context,
  ) {
    const notes: string[] = [];
    const { size: classes } = asClasses([...Array.from(train.labels), ...Array.from(test.labels)]);
    if (classes < 2) throw new UntangleError('All images are of one class, so there is nothing to classify.');
    const order = stream(context.seed, 'images of the augmentation test').permutation(train.n).subarray(0, rows);
    const real = pick(train, order);
    const pool = byClass(generated);
    const bare = [...new Set(real.labels)].filter((label) => !pool.has(label));
    if (bare.length > 0)
      notes.push(`No generated image is of class ${bare.sort((a, b) => a - b).join(', ')}: real ones stay.`);
    const errorOf = (images: LabelledImages, repeat: number) =>
      1 - accuracyOf(classifier.train(images, context.seed + repeat)(test.values, test.n), test.labels);

    const baseline = errorOf(real, 0);
    const total = replace.length * repeats;
    const errors = replace.map((probability, p) =>
      Array.from({ length: repeats }, (_, repeat) => {
        context.onProgress?.((p * repeats + repeat) / total, 'augmentation test');
        const source = stream(context.seed, `replacing with probability ${probability}`, repeat);
        return errorOf(replaced(real, generated, pool, probability, source), repeat);
      }),
    );
    const means = errors.map((list) => mean(list));
    return {
      score: means[0],
      parts: {
        baseline,
        replace,
        errors: means,
        deviations: errors.map((list) => (list.length > 1 ? Math.sqrt(variance(list, 1)) : 0)),
        classifier: classifier.name,
        trainImages: real.n,
      },
      notes,
    };
  },
});

/** Multinomial logistic regression on the pixels, C = 1. */
const logisticClassifier: ImageClassifier = {
  name: 'logistic regression on pixels',
  train({ values, n, size, labels }) {
    let classes = 1;
    for (let i = 0; i < n; i++) classes = Math.max(classes, labels[i] + 1);
    const model = fitLogistic({ x: values, n, d: size, y: labels, classes });
    return (images, count) => predict(model, images, count, size);
  },
};

/** Images of which each is replaced, with the probability, by a random generated one of its class. */
export function replaced(
  real: LabelledImages,
  generated: LabelledImages,
  pool: ReadonlyMap<number, readonly number[]>,
  probability: number,
  source: Stream,
): LabelledImages {
  const { n, size, labels } = real;
  const values = Float32Array.from(real.values);
  for (let i = 0; i < n; i++) {
    const candidates = pool.get(labels[i]);
    if (source.uniform() >= probability || !candidates) continue;
    const from = candidates[source.integer(candidates.length)];
    values.set(generated.values.subarray(from * size, (from + 1) * size), i * size);
  }
  return { values, n, size, labels };
}

/** The images of each class, by index. */
export function byClass({ labels }: LabelledImages): Map<number, number[]> {
  const pool = new Map<number, number[]>();
  for (let i = 0; i < labels.length; i++) {
    const list = pool.get(labels[i]);
    if (list) list.push(i);
    else pool.set(labels[i], [i]);
  }
  return pool;
}

function pick({ values, size, labels }: LabelledImages, rows: Uint32Array): LabelledImages & { labels: Int32Array } {
  const out = new Float32Array(rows.length * size);
  rows.forEach((row, i) => {
    out.set(values.subarray(row * size, (row + 1) * size), i * size);
  });
  return { values: out, n: rows.length, size, labels: Int32Array.from(rows, (row) => labels[row]) };
}
