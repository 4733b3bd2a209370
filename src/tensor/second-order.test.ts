import { expect, test } from 'vitest';
import { grad } from './grad.ts';
import {
  binaryCrossEntropy,
  elu,
  gelu,
  leakyRelu,
  logSigmoid,
  logSoftmax,
  sigmoid,
  softmax,
  softplus,
  tanh,
} from './ops/activation.ts';
import { conv2d, convTranspose2d } from './ops/conv.ts';
import { power } from './ops/elementwise.ts';
import { gather, pad } from './ops/layout.ts';
import { constant, input } from './ops/leaf.ts';
import { matmul, product } from './ops/matmul.ts';
import { averagePool, upsample } from './ops/pool.ts';
import { logSumExp, max } from './ops/reduce.ts';
import type { Tensor } from './tensor.ts';
import { checkGradient, evaluate } from './testing/evaluate.ts';
import { expectTorch, torchCases, weighted, writeCase } from './testing/torch.ts';

/** The formulas f(x, …) whose gradient penalty |∂ Σ w f / ∂x|² the fixture has, with its gradients in all inputs. */
const formulas: Record<string, (inputs: Tensor[]) => Tensor> = {
  'tanh of a convolution': ([x, w, b]) => tanh(conv2d(x, w, { stride: 2, padding: 1 }, b)),
  'sigmoid of a dilated convolution with a rest': ([x, w]) =>
    sigmoid(conv2d(x, w, { stride: 2, padding: 1, dilation: 2 })),
  'softplus of a transposed convolution': ([x, w, b]) =>
    softplus(convTranspose2d(x, w, { stride: 2, padding: 1, outputPadding: 1 }, b)),
  'tanh of a dilated transposed convolution': ([x, w]) =>
    tanh(convTranspose2d(x, w, { padding: 1, outputPadding: 1, dilation: 2 })),
  'a critic of two convolutions': ([x, v, w]) => conv2d(softplus(conv2d(x, v, { stride: 2, padding: 1 })), w),
  'a network of two layers': ([x, v, bias, w]) =>
    sigmoid(product(tanh(product(x, v, { transposeB: true, bias })), w, { transposeB: true })),
  'a product of stacks': ([a, b]) => tanh(matmul(a, b)),
  'a covariance': ([x]) => {
    const centred = x.minus(x.mean(0));
    return product(centred, centred, { transposeA: true }).over(5).square();
  },
  softplus: ([x]) => softplus(x),
  sigmoid: ([x]) => sigmoid(x),
  tanh: ([x]) => tanh(x),
  gelu: ([x]) => gelu(x),
  elu: ([x]) => elu(x),
  leakyRelu: ([x]) => leakyRelu(x, 0.2).square(),
  logSigmoid: ([x]) => logSigmoid(x),
  softmax: ([x]) => softmax(x, 1),
  logSoftmax: ([x]) => logSoftmax(x, 0),
  logSumExp: ([x]) => logSumExp(x, 1),
  'largest entries': ([x]) => max(x.square(), 1),
  binaryCrossEntropy: ([l, t]) => binaryCrossEntropy(l, t),
  'overlapping average pooling': ([x]) => averagePool(x.square(), 3, { stride: 2, padding: 1 }).square(),
  'average pooling and up-sampling': ([x]) => upsample(averagePool(x.square(), 2), 2).square(),
  'broadcast division': ([a, b]) => a.square().over(b),
  power: ([a, b]) => power(a, b),
  'cut, padded and picked rows': ([x]) => {
    const picked = gather(x, constant([3, 0, 3], [3], 'int64'), 0);
    return pad(picked.slice(1, 0, 5, 2).square(), { 1: [1, 0] }).square();
  },
  'length of a row': ([x]) => x.square().sum(1).sqrt(),
};

test('every formula has a case, and every case a formula', () => {
  expect(new Set(torchCases('second order').map(({ op }) => op))).toEqual(new Set(Object.keys(formulas)));
});

test.each(torchCases('second order').map((one) => [one.name, one] as const))(
  'the gradient penalty of %s and its gradients are PyTorch’s',
  async (_, one) => {
    const penalty = (inputs: Tensor[]) => {
      const [slope] = grad(weighted(formulas[one.op](inputs)), [inputs[0]]);
      return slope.square().sum();
    };
    const { results, feeds } = writeCase(one, penalty, (scalar) => scalar);
    expectTorch(one, await evaluate(results, feeds));
  },
);

test('the third derivative of x⁴ is 24 x', async () => {
  await checkDerivatives((x) => power(x, 4), [4 * 8, 12 * 4, 24 * 2, 24], 2);
});

test('derivatives of the sigmoid are right to the fourth order', async () => {
  // σ' = σ(1−σ) and its derivatives at 0: ¼, 0, −⅛, 0.
  await checkDerivatives(sigmoid, [0.25, 0, -0.125, 0], 0);
});

async function checkDerivatives(f: (x: Tensor) => Tensor, expected: number[], at: number): Promise<void> {
  const x = input('x', []);
  const derivatives: Tensor[] = [];
  for (let y = f(x); derivatives.length < expected.length; y = derivatives[derivatives.length - 1])
    derivatives.push(grad(y, [x])[0]);
  const values = await evaluate(derivatives, { x: [at] });
  values.forEach(([value], i) => {
    expect(value, `derivative ${i + 1}`).toBeCloseTo(expected[i], 5);
  });
}

test('a filter gradient inside a loss has the gradient that central differences have', async () => {
  const slopeInFilter = (x: Tensor, w: Tensor) =>
    grad(weighted(tanh(conv2d(x, w, { stride: 2, padding: [1, 0, 0, 1], dilation: [1, 2] }))), [w])[0];
  await checkGradient(slopeInFilter, [{ shape: [2, 1, 5, 5] }, { shape: [2, 1, 3, 2] }]);
});
