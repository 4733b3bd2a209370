import { describe, expect, test } from 'vitest';
import { stream } from '../../random/index.ts';
import { grad } from '../grad.ts';
import { inOrder } from '../passes/order.ts';
import { sizeOf } from '../shape.ts';
import type { Tensor } from '../tensor.ts';
import { evaluate, expectClose, type Feeds } from '../testing/evaluate.ts';
import { evaluateOverWorkers } from '../testing/workers.ts';
import { binaryCrossEntropy, leakyRelu, relu, sigmoid, softmax, softplus, tanh } from './activation.ts';
import { conv2d, convTranspose2d } from './conv.ts';
import { exp, greater, log, maximum, where } from './elementwise.ts';
import { concat, expand, gather, oneHot, pad } from './layout.ts';
import { constant, input, isInput, isParameter, parameter } from './leaf.ts';
import { matmul, product } from './matmul.ts';
import { averagePool, upsample } from './pool.ts';
import { logSumExp, max } from './reduce.ts';
import { allSum, type Batch, ownRows, rowsInput, stackRows, unstackRows, wholeBatch } from './rows.ts';

const size = 8;
const w = parameter('w', [3, 2]);
const v = parameter('v', [2]);
const filters = parameter('filters', [2, 1, 3, 3]);
const upFilters = parameter('up filters', [2, 1, 4, 4]);
const bias = parameter('bias', [2]);

const codes = (batch: Batch) => rowsInput('codes', [3], batch);
const images = (batch: Batch) => rowsInput('images', [1, 6, 6], batch);
const layer = (x: Tensor) => tanh(product(x, w, { bias: v }));

/** Losses in which rows are alone, and losses in which they meet, each for a batch over some number of workers. */
const losses: Record<string, (batch: Batch) => Tensor> = {
  'the mean of a row’s loss': (batch) => layer(codes(batch)).square().sum(1).mean(0),
  'the mean over rows and columns at once': (batch) => layer(codes(batch)).square().mean(),
  'a sum over the batch': (batch) => exp(layer(codes(batch))).sum(),
  'a mean that meets the rows again, as in batch normalisation': (batch) => {
    const x = layer(codes(batch));
    const centred = x.minus(x.mean(0, { keepDimensions: true }));
    const deviation = centred.square().mean(0).plus(0.1).sqrt();
    return softplus(centred.over(deviation).times(v)).sum(1).mean(0);
  },
  'batch normalisation of images': (batch) => {
    const x = conv2d(images(batch), filters, { padding: 1 }, bias);
    const centred = x.minus(x.mean([0, 2, 3], { keepDimensions: true }));
    const variance = centred.square().mean([0, 2, 3], { keepDimensions: true });
    return relu(centred.over(variance.plus(0.1).sqrt()))
      .square()
      .mean();
  },
  'a covariance of the whole batch': (batch) => {
    const x = wholeBatch(layer(codes(batch)));
    const centred = x.minus(x.mean(0));
    return product(centred, centred, { transposeA: true }).over(size).square().sum();
  },
  'a covariance as a product over the rows of both factors': (batch) => {
    const x = layer(codes(batch));
    return allSum(product(x, x, { transposeA: true }))
      .square()
      .sum();
  },
  'pairs of a worker’s rows with all rows, as in total correlation': (batch) => {
    const z = layer(codes(batch));
    const own = z.reshape([z.shape[0], 1, 2]);
    const all = wholeBatch(z).reshape([1, size, 2]);
    return logSumExp(own.minus(all).square().negate().sum(2), 1).mean(0);
  },
  'rows matched by a permutation': (batch) => {
    const z = layer(codes(batch));
    const other = gather(wholeBatch(z), rowsInput('partners', [], batch, 'int64'), 0);
    return z.minus(other).square().sum(1).mean(0).plus(z.times(other.stopGradient()).sum());
  },
  'a batch’s own rows of what all of it made': (batch) => {
    const z = layer(codes(batch));
    const normal = softmax(wholeBatch(z).times(v), 0);
    return z.times(ownRows(normal, z)).sum(1).mean(0);
  },
  'the entropy of the mean class': (batch) => {
    const share = softmax(layer(codes(batch)), 1).mean(0);
    return share.times(log(share)).sum();
  },
  'two batches through one network in one go': (batch) => {
    const target = codes(batch);
    const background = rowsInput('background', [3], batch);
    const [a, b] = unstackRows(layer(stackRows([target, background])), [target, background]);
    return a
      .square()
      .sum(1)
      .mean(0)
      .plus(b.power(3).sum())
      .plus(wholeBatch(a).max(0).times(b.mean(0)).sum());
  },
  'convolution, pooling, transposed convolution and cross-entropy': (batch) => {
    const hidden = leakyRelu(conv2d(images(batch), filters, { stride: 2, padding: 1 }, bias), 0.2);
    const logits = convTranspose2d(upsample(averagePool(hidden, 3), 3), upFilters, { stride: 2, padding: 1 });
    return binaryCrossEntropy(logits, sigmoid(images(batch)))
      .sum([1, 2, 3])
      .mean(0);
  },
  'an image that all workers share': (batch) => {
    const pattern = conv2d(parameter('pattern', [1, 1, 6, 6]), filters, { padding: 1 });
    return conv2d(images(batch), filters, { padding: 1 }).times(pattern).square().mean();
  },
  'cuts, joins, padding and repetition inside a row': (batch) => {
    const z = layer(codes(batch));
    const both = concat([z.slice(1, 0, 1), pad(z, { 1: [1, 2] }), codes(batch)], 1);
    return both
      .times(expand(max(z, 1, { keepDimensions: true }), both))
      .slice(1, 0, 9, 2)
      .square()
      .sum(1)
      .mean(0);
  },
  'choices and classes of a row': (batch) => {
    const z = layer(codes(batch));
    const classes = oneHot(rowsInput('classes', [], batch, 'int64'), 2);
    return where(greater(z, 0), z.times(classes), maximum(z, v.times(2)))
      .square()
      .sum(1)
      .mean(0);
  },
  'stacks of matrices': (batch) => {
    const z = layer(codes(batch));
    const outer = matmul(z.reshape([z.shape[0], 2, 1]), z.reshape([z.shape[0], 1, 2]));
    return matmul(outer, w.transpose())
      .plus(matmul(outer.transpose([0, 2, 1]), w.transpose()))
      .square()
      .mean();
  },
  'rows that split in two and join again': (batch) => {
    const z = layer(codes(batch));
    return tanh(z.reshape([Number(z.shape[0]) * 2, 1]))
      .reshape(z.shape)
      .times(z)
      .sum(1)
      .mean(0);
  },
  'a gradient in the rows, as in a gradient penalty': (batch) => {
    const x = codes(batch);
    const [slope] = grad(softplus(layer(x)).sum(), [x]);
    return slope.square().sum(1).sqrt().minus(1).square().mean(0);
  },
  'a gradient in a filter, summed over workers': (batch) => {
    const y = tanh(conv2d(images(batch), filters, { stride: 2, padding: 1 })).sum();
    return allSum(grad(y, [filters])[0])
      .square()
      .sum()
      .times(0.01);
  },
  'a gradient in a matrix, summed over workers': (batch) => {
    const [slope] = grad(layer(codes(batch)).square().mean(), [w]);
    return allSum(slope.times(3).slice(0, 1, 3).reshape([4]).negate())
      .square()
      .sum();
  },
  'gathered parameters': (batch) => {
    const rows = gather(w, rowsInput('classes', [], batch, 'int64'), 0);
    return rows
      .times(layer(codes(batch)))
      .sum(1)
      .square()
      .mean(0);
  },
  'a loss that no row takes part in': () => w.square().sum().plus(v.sum()),
  'a loss of rows with a penalty on parameters': (batch) => layer(codes(batch)).square().mean().plus(w.square().sum()),
};

/** Feeds for all inputs of a loss, the same for any number of workers. */
function feedsFor(loss: Tensor, workers: number): Feeds {
  const feeds: Feeds = {};
  for (const { op, shape, type, spread } of inOrder([loss])) {
    const name = isInput(op) ? op.input : isParameter(op) ? op.parameter : undefined;
    if (name === undefined) continue;
    const count = sizeOf(shape) * (spread.kind === 'rows' ? workers : 1);
    const random = stream(5, name);
    if (type === 'float32') feeds[name] = random.normals(count);
    else if (name === 'partners') feeds[name] = BigInt64Array.from(random.permutation(count), BigInt);
    else feeds[name] = BigInt64Array.from({ length: count }, () => BigInt(random.integer(2)));
  }
  return feeds;
}

describe('the number of workers changes neither a loss nor its gradients', () => {
  test.each(Object.entries(losses))('%s', async (_, lossOf) => {
    const reference: Float32Array[] = [];
    for (const workers of [1, 2, 4]) {
      const loss = lossOf({ size, workers });
      const sources = inOrder([loss]).filter(({ op, type }) => (isInput(op) || isParameter(op)) && type === 'float32');
      sources.sort((a, b) => (`${a.label}` < `${b.label}` ? -1 : 1));
      const gradients = grad(loss, sources);
      const values = await evaluateOverWorkers([loss, ...gradients], feedsFor(loss, workers), workers);
      if (workers === 1) reference.push(...values);
      else
        values.forEach((value, i) => {
          expectClose(value, reference[i], 1e-5, i === 0 ? 'loss' : `gradient in ${sources[i - 1].label}`);
        });
    }
    expect(reference.flatMap((value) => [...value]).some((number) => number !== 0)).toBe(true);
  });
});

test('with one row on each worker, parameters with an axis for rows still get the whole gradient', async () => {
  const scale = parameter('scale', [1, 3]);
  const gradientFor = (workers: number) => grad(exp(codes({ size: 2, workers }).times(scale)).sum(), [scale])[0];
  const feeds = { codes: [1, 2, 3, -1, 0, 1], scale: [0.1, 0.2, 0.3] };
  const [alone] = await evaluateOverWorkers([gradientFor(1)], feeds, 1);
  const [together] = await evaluateOverWorkers([gradientFor(2)], feeds, 2);
  expectClose(together, alone, 1e-6);
  expect(gradientFor(2).spread).toEqual({ kind: 'part', workers: 2 });
});

test('a parameter’s gradient is each worker’s summand, a row’s its own', () => {
  const loss = losses['the mean of a row’s loss']({ size, workers: 2 });
  const x = inOrder([loss]).find(({ label }) => label === 'codes');
  const [dw, dx] = grad(loss, [w, x!]);
  expect(dw.spread).toEqual({ kind: 'part', workers: 2 });
  expect(dx.spread).toEqual({ kind: 'rows', total: size, workers: 2 });
});

test('the gradient in a masked weight is a summand all the way, and not exchanged before the parameter’s own', () => {
  const mask = constant([1, 0, 1, 1, 0, 1], [3, 2]);
  const [dw] = grad(product(codes({ size, workers: 2 }), w.times(mask)).mean(), [w]);
  expect(dw.spread).toEqual({ kind: 'part', workers: 2 });
  expect(inOrder([dw]).filter(({ op }) => op.name === 'allSum')).toEqual([]);
});

test('with one worker, exchanges cost no node', async () => {
  const x = codes({ size: 2, workers: 1 });
  const [all, own, total] = await evaluate([wholeBatch(x), ownRows(wholeBatch(x), x), x.sum(0)], {
    codes: [1, 2, 3, 4, 5, 6],
  });
  expect([...all]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...own]).toEqual([1, 2, 3, 4, 5, 6]);
  expect([...total]).toEqual([5, 7, 9]);
});

test('an exchange can’t be hidden inside one worker’s graph', async () => {
  const x = codes({ size, workers: 2 }).named('codes');
  await expect(evaluate([wholeBatch(x)], { codes: [] }, { workers: 2 })).rejects.toThrow(
    '“codes of the batch” [8, 3] is exchanged between workers',
  );
});

test('a batch that does not divide among the workers is refused', () => {
  expect(() => rowsInput('x', [3], { size: 9, workers: 2 })).toThrow('A batch of 9 does not divide among 2 workers.');
});

test('ownRows, stackRows and unstackRows name what does not fit', () => {
  const batch = { size, workers: 2 };
  const x = codes(batch);
  expect(() => ownRows(constant(new Float32Array(12), [4, 3]).named('table'), x)).toThrow(
    'ownRows: “table” [4, 3] does not hold 8 rows, as many as the batch of “codes” [4, 3].',
  );
  expect(() => ownRows(x, x)).toThrow('ownRows: “codes” [4, 3] must hold the whole batch');
  expect(() => stackRows([x, rowsInput('wide', [5], batch)])).toThrow(
    'stackRows: “wide” [4, 5] does not hold rows like those of “codes” [4, 3].',
  );
  expect(() => stackRows([x, input('whole', [4, 3])])).toThrow('stackRows: “whole” [4, 3] does not hold rows');
  expect(() => unstackRows(x, [x, x])).toThrow(
    'unstackRows: “codes” [4, 3] is not made of the rows of “codes” [4, 3] and “codes” [4, 3].',
  );
  expect(() => unstackRows(wholeBatch(x), [x, x])).toThrow('is not made of the rows of');
});
