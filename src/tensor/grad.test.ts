import { expect, test } from 'vitest';
import { grad } from './grad.ts';
import { binaryCrossEntropy, logSigmoid, logSoftmax, sigmoid, softmax, softplus, tanh } from './ops/activation.ts';
import { add, exp, multiply } from './ops/elementwise.ts';
import { concat } from './ops/layout.ts';
import { constant, input, parameter } from './ops/leaf.ts';
import { product } from './ops/matmul.ts';
import { logSumExp } from './ops/reduce.ts';
import type { Tensor } from './tensor.ts';
import { checkGradient, evaluate, expectClose } from './testing/evaluate.ts';

const x = input('x', [3]);

/** The gradient of Σ f(x) at places. */
async function slope(f: (x: Tensor) => Tensor, places: readonly number[]): Promise<Float32Array> {
  const at = input('x', [places.length]);
  const [result] = await evaluate(grad(f(at).sum(), [at]), { x: places });
  return result;
}

test('the gradient of a sum of squares is twice the input', async () => {
  const [value] = await evaluate(grad(x.square().sum(), [x]), { x: [1, -2, 3] });
  expect([...value]).toEqual([2, -4, 6]);
});

test('a gradient has the shape of what it is the gradient in, however that was broadcast', async () => {
  const shapes = [[], [1], [4], [3, 1], [1, 4], [2, 1, 1], [2, 3, 4]];
  for (const shape of shapes) {
    const image = input('image', [2, 3, 4]);
    const other = input('other', shape);
    const [derivative] = grad(image.times(other).sum(), [other]);
    expect(derivative.shape).toEqual(shape);
    const size = shape.reduce((product, dimension) => product * dimension, 1);
    const [value] = await evaluate([derivative], { image: new Float32Array(24).fill(1), other: Array(size).fill(0) });
    expect([...value]).toEqual(Array(size).fill(24 / size));
  }
});

test('two operands that broadcast against each other each get their own sum', async () => {
  await checkGradient((a, b) => exp(a.minus(b)).over(b.square().plus(1)), [{ shape: [3, 1] }, { shape: [1, 4] }]);
});

test('a tensor that is used on two paths gets the sum of both', async () => {
  const shared = x.square();
  const [value] = await evaluate(grad(shared.times(3).plus(exp(shared)).sum(), [x]), { x: [0.5, 1, -1] });
  const expected = [0.5, 1, -1].map((v) => 2 * v * (3 + Math.exp(v * v)));
  expectClose(value, expected);
});

test('a chain of a hundred diamonds costs a hundred steps, not two to the hundredth', async () => {
  let y = x;
  for (let i = 0; i < 100; i++) y = y.plus(y).times(0.5);
  const [value] = await evaluate(grad(y.sum(), [x]), { x: [1, 2, 3] });
  expect([...value]).toEqual([1, 1, 1]);
});

test('a graph of ten thousand layers does not exhaust the stack', () => {
  let y = x;
  for (let i = 0; i < 10_000; i++) y = tanh(y);
  expect(grad(y.sum(), [x])[0].shape).toEqual([3]);
});

test('the same tensor on both sides of an op gets both gradients', async () => {
  const a = input('a', [2, 2]);
  const [value] = await evaluate(grad(product(a, a).sum(), [a]), { a: [1, 2, 3, 4] });
  expect([...value]).toEqual([7, 11, 9, 13]);
});

test('an input that the scalar does not depend on gets zeros', async () => {
  const unused = input('unused', [2, 2]);
  const [dx, zeros] = await evaluate(grad(x.sum(), [x, unused]), { x: [1, 2, 3], unused: [9, 9, 9, 9] });
  expect([...dx]).toEqual([1, 1, 1]);
  expect([...zeros]).toEqual([0, 0, 0, 0]);
});

test('a parameter that feeds only a stopped branch gets zeros', async () => {
  const w = parameter('w', [3]);
  const [value] = await evaluate(grad(x.times(w.stopGradient()).sum(), [w]), { x: [1, 2, 3], w: [1, 1, 1] });
  expect([...value]).toEqual([0, 0, 0]);
});

test('stopGradient passes the value and holds the other factor fixed', async () => {
  const y = x.times(x.square().stopGradient());
  const [value, derivative] = await evaluate([y, ...grad(y.sum(), [x])], { x: [1, 2, -3] });
  expect([...value]).toEqual([1, 8, -27]);
  expect([...derivative]).toEqual([1, 4, 9]);
});

test('whole numbers and comparisons let no gradient through', async () => {
  const labels = input('labels', [3], { type: 'int64' });
  const [value] = await evaluate(grad(x.sum(), [labels]), { x: [1, 2, 3], labels: new BigInt64Array(3) });
  expect([...value]).toEqual([0, 0, 0]);
});

test('a derivative in a tensor in the middle holds what lies before it fixed', async () => {
  const middle = x.square();
  const y = middle.times(middle).sum();
  const [inMiddle, inInput] = await evaluate(grad(y, [middle, x]), { x: [1, 2, 3] });
  expect([...inMiddle]).toEqual([2, 8, 18]);
  expect([...inInput]).toEqual([4, 32, 108]);
});

test('the derivative of a scalar in itself is one', async () => {
  const y = x.square().sum();
  const [value] = await evaluate(grad(y, [y]), { x: [1, 2, 3] });
  expect([...value]).toEqual([1]);
});

test('a gradient can be part of a loss and is differentiated with it', async () => {
  const y = x.power(3).sum();
  const [first] = grad(y, [x]);
  const [second] = grad(y.plus(first.square().sum()), [x]);
  const places = [1, 2, -1];
  const [value] = await evaluate([second], { x: places });
  // d/dx (x³ + (3x²)²) = 3x² + 36x³
  expectClose(
    value,
    places.map((v) => 3 * v ** 2 + 36 * v ** 3),
  );
});

test('a network’s parameters get the gradients that central differences have', async () => {
  const network = (images: Tensor, v: Tensor, bias: Tensor, w: Tensor) =>
    softmax(product(tanh(product(images, v, { transposeB: true, bias })), w), 1);
  await checkGradient(network, [{ shape: [4, 3] }, { shape: [5, 3] }, { shape: [5] }, { shape: [5, 2] }]);
});

test('a sum of many terms over one parameter adds all their gradients', async () => {
  const terms = Array.from({ length: 20 }, (_, i) => x.times(i).sum());
  const [value] = await evaluate(grad(terms.reduce(add), [x]), { x: [0, 0, 0] });
  expect([...value]).toEqual([190, 190, 190]);
});

test('only a scalar can be differentiated, and the message names the tensor', () => {
  expect(() => grad(x.times(2).named('codes'), [x])).toThrow('grad: “codes” [3] is not a scalar.');
  expect(() => grad(input('batch of codes', ['batch', 1]), [x])).toThrow('“batch of codes” [batch, 1] is not a scalar');
});

test('a constant has no gradient to ask for', () => {
  expect(() => grad(x.sum(), [constant([1], []).named('one')])).toThrow('grad: “one” [] is a constant');
});

test('a derivative does not take the name of a tensor of the formula', () => {
  const a = input('a', []);
  const b = exp(input('b', []));
  grad(multiply(a, b), [a]);
  expect(b.label).toBeUndefined();
});

test('softplus keeps its value and slope at ±1000', async () => {
  const [value] = await evaluate([softplus(x)], { x: [1000, -1000, 0] });
  expectClose(value, [1000, 0, Math.LN2], 1e-6);
  expectClose(await slope(softplus, [1000, -1000, 0]), [1, 0, 0.5], 1e-6);
});

test('the log-sigmoid of −1000 is −1000, with slope 1', async () => {
  const [value] = await evaluate([logSigmoid(x)], { x: [-1000, 1000, 0] });
  expectClose(value, [-1000, 0, -Math.LN2], 1e-6);
  expectClose(await slope(logSigmoid, [-1000, 1000, 0]), [1, 0, 0.5], 1e-6);
});

test('binary cross-entropy at logits of ±100 is finite and linear in the logit', async () => {
  const logits = input('logits', [4]);
  const target = input('target', [4]);
  const loss = binaryCrossEntropy(logits, target);
  const feeds = { logits: [100, 100, -100, -100], target: [1, 0, 1, 0] };
  const [value, slopes] = await evaluate([loss, ...grad(loss.sum(), [logits])], feeds);
  expectClose(value, [0, 100, 100, 0], 1e-6);
  expectClose(slopes, [0, 1, -1, 0], 1e-6);
});

test('logSumExp of huge, tiny and −∞ entries neither overflows nor loses the largest', async () => {
  const rows = input('rows', [5, 2]);
  const minus = Number.NEGATIVE_INFINITY;
  const feeds = { rows: [1e38, 1e38, -1e38, -1e38, minus, 3, 1e4, -1e4, -3e38, 3e38] };
  const value = logSumExp(rows, 1);
  const [values, slopes] = await evaluate([value, ...grad(value.sum(), [rows])], feeds);
  expectClose(values, [1e38, -1e38, 3, 1e4, 3e38], 1e-6);
  expectClose(slopes, [0.5, 0.5, 0.5, 0.5, 0, 1, 1, 0, 0, 1], 1e-6);
});

test('logSumExp of nothing but −∞ is −∞, and with +∞ it is +∞', async () => {
  const rows = input('rows', [2, 2]);
  const [value] = await evaluate([logSumExp(rows, 1)], { rows: [-Infinity, -Infinity, 1, Infinity] });
  expect([...value]).toEqual([-Infinity, Infinity]);
});

test('softmax and logSoftmax of logits 10,000 apart are finite', async () => {
  const [p, logP] = await evaluate([softmax(x), logSoftmax(x)], { x: [10_000, 0, 10_000] });
  expectClose(p, [0.5, 0, 0.5], 1e-6);
  expectClose(logP, [-Math.LN2, -10_000 - Math.LN2, -Math.LN2], 1e-6);
});

test('the slope of a sigmoid far out is zero, not NaN', async () => {
  expectClose(await slope(sigmoid, [-1000, 1000, 50]), [0, 0, 0], 1e-6);
});

test('the gradient of a joined tensor is cut in its parts', async () => {
  await checkGradient((a, b) => concat([a, b, a], 1).square(), [{ shape: [2, 1] }, { shape: [2, 3] }]);
});
