import { z } from 'zod';
import { agreesWithTorch } from '../testing/torch.ts';
import {
  binaryCrossEntropy,
  elu,
  erf,
  gelu,
  leakyRelu,
  logSigmoid,
  logSoftmax,
  relu,
  sigmoid,
  softmax,
  softplus,
  tanh,
} from './activation.ts';

const options = z.strictObject({
  axis: z.number().optional(),
  slope: z.number().optional(),
  alpha: z.number().optional(),
});

agreesWithTorch('activation', options, {
  relu: ([x]) => relu(x),
  leakyRelu: ([x], { slope }) => leakyRelu(x, slope),
  elu: ([x], { alpha }) => elu(x, alpha),
  gelu: ([x]) => gelu(x),
  erf: ([x]) => erf(x),
  sigmoid: ([x]) => sigmoid(x),
  tanh: ([x]) => tanh(x),
  softplus: ([x]) => softplus(x),
  logSigmoid: ([x]) => logSigmoid(x),
  softmax: ([x], { axis }) => softmax(x, axis),
  logSoftmax: ([x], { axis }) => logSoftmax(x, axis),
  binaryCrossEntropy: ([logits, target]) => binaryCrossEntropy(logits, target),
});
