/** A small convolutional VAE and one whole training step of it with Adam, as graphs that the writer has to cope with. */

import { grad } from '../grad.ts';
import { binaryCrossEntropy, relu } from '../ops/activation.ts';
import { conv2d, convTranspose2d } from '../ops/conv.ts';
import { exp } from '../ops/elementwise.ts';
import { input, parameter } from '../ops/leaf.ts';
import { product } from '../ops/matmul.ts';
import { allSum, type Batch, rowsInput } from '../ops/rows.ts';
import type { Tensor } from '../tensor.ts';

/** A named parameter once, however often it is asked for. */
function parameterBook() {
  const book = new Map<string, Tensor>();
  const get = (name: string, shape: number[]) => {
    const known = book.get(name) ?? parameter(name, shape);
    book.set(name, known);
    return known;
  };
  return { book, get };
}

/** Mean and log-variance of the code of images [n, 1, 12, 12]. */
function encode(x: Tensor, get: (name: string, shape: number[]) => Tensor): [Tensor, Tensor] {
  const first = conv2d(x, get('conv1.weight', [4, 1, 4, 4]), { stride: 2, padding: 1 }, get('conv1.bias', [4]));
  const second = conv2d(
    relu(first).named('conv1 out'),
    get('conv2.weight', [6, 4, 3, 3]),
    { stride: 2, padding: 1 },
    get('conv2.bias', [6]),
  );
  const flat = relu(second).reshape([x.shape[0], 54]);
  const head = product(flat, get('head.weight', [8, 54]), { transposeB: true, bias: get('head.bias', [8]) });
  return [head.slice(1, 0, 4).named('mu'), head.slice(1, 4, 8).named('logVariance')];
}

/** Logits of images from codes [n, 4]. */
function decode(z: Tensor, get: (name: string, shape: number[]) => Tensor): Tensor {
  const flat = product(z, get('up.weight', [54, 4]), { transposeB: true, bias: get('up.bias', [54]) });
  const grid = relu(flat).reshape([z.shape[0], 6, 3, 3]);
  const wide = convTranspose2d(
    grid,
    get('deconv1.weight', [6, 4, 3, 3]),
    { stride: 2, padding: 1, outputPadding: 1 },
    get('deconv1.bias', [4]),
  );
  const weight = get('deconv2.weight', [4, 1, 4, 4]);
  return convTranspose2d(relu(wide), weight, { stride: 2, padding: 1 }, get('deconv2.bias', [1])).named('logits');
}

/** One step of the VAE: loss, terms, and new parameters and moments by Adam. */
export function trainingStep(batch: Batch): Record<string, Tensor> {
  const { book, get } = parameterBook();
  const x = rowsInput('x', [1, 12, 12], batch);
  const [mu, logVariance] = encode(x, get);
  const z = mu.plus(exp(logVariance.times(0.5)).times(rowsInput('noise', [4], batch))).named('z');
  const reconstruction = binaryCrossEntropy(decode(z, get), x).sum([1, 2, 3]).mean(0).named('reconstruction');
  const kl = exp(logVariance).plus(mu.square()).minus(1).minus(logVariance).times(0.5).sum(1).mean(0).named('kl');
  const loss = reconstruction.plus(kl.times(input('beta', []))).named('loss');
  const parameters = [...book.values()];
  const outputs: Record<string, Tensor> = { 'new loss': loss, 'new reconstruction': reconstruction, 'new kl': kl };
  grad(loss, parameters).forEach((summand, i) => {
    const gradient = allSum(summand);
    const { label, shape } = parameters[i];
    const first = input(`${label} first moment`, shape).times(0.9).plus(gradient.times(0.1));
    const second = input(`${label} second moment`, shape).times(0.999).plus(gradient.square().times(0.001));
    outputs[`new ${label}`] = parameters[i].minus(first.over(second.sqrt().plus(1e-8)).times(input('rate', [])));
    outputs[`new ${label} first moment`] = first;
    outputs[`new ${label} second moment`] = second;
  });
  return outputs;
}

/** The encoder and the decoder with a free batch size, as they are exported. */
export function exportedPair(): { encoder: Record<string, Tensor>; decoder: Record<string, Tensor> } {
  const { get } = parameterBook();
  const [mean, logVariance] = encode(input('image', ['batch', 1, 12, 12]), get);
  return {
    encoder: { mean, 'log variance': logVariance },
    decoder: { picture: decode(input('code', ['batch', 4]), get) },
  };
}
