/**
 * A small neural network that tells classes of images: one hidden layer of rectified units, cross-entropy, Adam. The
 * augmentation test trains it a hundred times, for which an exact logistic regression on 784 pixels is too slow.
 */

import type { Numbers } from '../analysis/index.ts';
import type { ImageClassifier, LabelledImages } from '../metrics/index.ts';
import { stream } from '../random/index.ts';

const hidden = 64;
const epochs = 10;
const batchSize = 50;
const learningRate = 1e-3;

export const networkClassifier: ImageClassifier = {
  name: `neural network on pixels, ${hidden} hidden units, ${epochs} epochs`,
  train(images, seed) {
    const network = trained(images, seed);
    return (values, n) => {
      const { classes, size } = network;
      const activity = new Float32Array(hidden);
      const logits = new Float32Array(classes);
      return Int32Array.from({ length: n }, (_, i) => {
        forward(network, values, i * size, activity, logits);
        return logits.indexOf(Math.max(...logits));
      });
    };
  },
};

/** Weights stand input by input: `first[p * hidden + h]`, `second[h * classes + c]`. */
interface Network {
  size: number;
  classes: number;
  first: Float32Array;
  firstBias: Float32Array;
  second: Float32Array;
  secondBias: Float32Array;
}

function trained({ values, n, size, labels }: LabelledImages, seed: number): Network {
  let classes = 1;
  for (let i = 0; i < n; i++) classes = Math.max(classes, labels[i] + 1);
  const start = stream(seed, 'weights of the image classifier');
  const scaled = (count: number, inputs: number) =>
    Float32Array.from(start.normals(count), (value) => value * Math.sqrt(2 / inputs));
  const network: Network = {
    size,
    classes,
    first: scaled(size * hidden, size),
    firstBias: new Float32Array(hidden),
    second: scaled(hidden * classes, hidden),
    secondBias: new Float32Array(classes),
  };
  const weights = [network.first, network.firstBias, network.second, network.secondBias];
  const [first, firstBias, second, secondBias] = weights.map(({ length }) => new Float32Array(length));
  const optimiser = adam(weights, [first, firstBias, second, secondBias]);
  const activity = new Float32Array(hidden);
  const logits = new Float32Array(classes);
  const inner = new Float32Array(hidden);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = stream(seed, 'order of the image classifier', epoch).permutation(n);
    for (let from = 0; from < n; from += batchSize) {
      const batch = order.subarray(from, from + batchSize);
      for (const item of batch) {
        forward(network, values, item * size, activity, logits);
        // Softmax minus the label's one-hot row: the gradient of the cross-entropy.
        softmax(logits);
        logits[labels[item]] -= 1;
        for (let h = 0; h < hidden; h++) {
          let sum = 0;
          for (let c = 0; c < classes; c++) {
            sum += network.second[h * classes + c] * logits[c];
            second[h * classes + c] += activity[h] * logits[c];
          }
          inner[h] = activity[h] > 0 ? sum : 0;
          firstBias[h] += inner[h];
        }
        for (let c = 0; c < classes; c++) secondBias[c] += logits[c];
        for (let p = 0; p < size; p++) {
          const x = values[item * size + p];
          // Most pixels of a digit are black.
          if (x !== 0) for (let h = 0; h < hidden; h++) first[p * hidden + h] += x * inner[h];
        }
      }
      optimiser(batch.length);
    }
  }
  return network;
}

function forward(
  { size, classes, first, firstBias, second, secondBias }: Network,
  values: Numbers,
  from: number,
  activity: Float32Array,
  logits: Float32Array,
): void {
  activity.set(firstBias);
  for (let p = 0; p < size; p++) {
    const x = values[from + p];
    if (x !== 0) for (let h = 0; h < hidden; h++) activity[h] += x * first[p * hidden + h];
  }
  logits.set(secondBias);
  for (let h = 0; h < hidden; h++) {
    activity[h] = Math.max(0, activity[h]);
    if (activity[h] > 0) for (let c = 0; c < classes; c++) logits[c] += activity[h] * second[h * classes + c];
  }
}

function softmax(logits: Float32Array): void {
  const most = Math.max(...logits);
  let sum = 0;
  for (let c = 0; c < logits.length; c++) sum += logits[c] = Math.exp(logits[c] - most);
  for (let c = 0; c < logits.length; c++) logits[c] /= sum;
}

/** A step along summed gradients of `count` items, which are zero afterwards. */
function adam(weights: readonly Float32Array[], gradients: readonly Float32Array[]): (count: number) => void {
  const [beta1, beta2] = [0.9, 0.999];
  const means = weights.map(({ length }) => new Float32Array(length));
  const squares = weights.map(({ length }) => new Float32Array(length));
  let step = 0;
  return (count) => {
    step++;
    const rate = (learningRate * Math.sqrt(1 - beta2 ** step)) / (1 - beta1 ** step);
    for (const [k, weight] of weights.entries()) {
      const [gradient, mean, square] = [gradients[k], means[k], squares[k]];
      for (let i = 0; i < weight.length; i++) {
        const g = gradient[i] / count;
        mean[i] += (1 - beta1) * (g - mean[i]);
        square[i] += (1 - beta2) * (g * g - square[i]);
        weight[i] -= (rate * mean[i]) / (Math.sqrt(square[i]) + 1e-8);
      }
      gradient.fill(0);
    }
  };
}
