import { describe, expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { grad } from './grad.ts';
import { binaryCrossEntropy, logSoftmax, softmax, tanh } from './ops/activation.ts';
import { conv2d } from './ops/conv.ts';
import { add, divide, exp, greater, multiply, negate, subtract, where } from './ops/elementwise.ts';
import { concat, expand, gather, pad, reshape, slice, transpose } from './ops/layout.ts';
import { input, parameter } from './ops/leaf.ts';
import { matmul, product } from './ops/matmul.ts';
import { logSumExp, max, sum } from './ops/reduce.ts';
import { allSum, asPart, rowsInput, stackRows, wholeBatch } from './ops/rows.ts';
import type { Tensor } from './tensor.ts';

const batch = { size: 8, workers: 2 };
const rows = rowsInput('codes', [3], batch);
const others = rowsInput('others', [3], batch);
const images = rowsInput('images', [1, 6, 6], batch);
const all = wholeBatch(rows);
const table = input('table', [4, 3]);
const part = asPart(parameter('p', [4, 3]), 2).named('summand');
const places = rowsInput('places', [], batch, 'int64');

const isRows = { kind: 'rows', total: 8, workers: 2 };
const isPart = { kind: 'part', workers: 2 };
const isWhole = { kind: 'whole' };

function thrown(make: () => Tensor): UntangleError {
  try {
    make();
  } catch (error) {
    if (error instanceof UntangleError) return error;
    throw error;
  }
  return expect.fail('nothing was thrown');
}

describe('a formula in which rows of the batch meet unnoticed is refused, with the word to use', () => {
  const meetings: Record<string, () => Tensor> = {
    'a product of the batch with itself': () => product(rows, others, { transposeB: true }),
    'a product of a transposed batch with a transposed batch': () =>
      product(rowsInput('square', [4], batch), rowsInput('square', [4], batch), { transposeA: true, transposeB: true }),
    'a product that sums over one operand’s rows': () => product(rows, input('m', [4, 2]), { transposeA: true }),
    'a matrix of all against rows': () => matmul(input('m', [3, 4]), rows),
    'the largest of a batch': () => max(rows, 0),
    'the largest of everything': () => max(rows),
    'logSumExp over the batch': () => logSumExp(rows, 0),
    'softmax over the batch': () => softmax(rows, 0),
    'logSoftmax over the batch': () => logSoftmax(rows, 0),
    'a transposed batch': () => transpose(rows),
    'a cut through the batch': () => slice(rows, 0, 0, 2),
    'a padded batch': () => pad(rows, { 0: [0, 1] }),
    'rows joined under one another': () => concat([rows, others], 0),
    'rows picked by index': () => gather(rows, input('places', [2], { type: 'int64' }), 0),
    'columns picked by an index of each row': () => gather(all, places, 1),
    'rows against a tensor with an axis before theirs': () => rows.minus(input('stack', [2, 4, 3])),
    'rows as the columns of a matrix': () => rowsInput('numbers', [], batch).plus(input('m', [2, 4])),
    'rows reshaped across their borders': () => reshape(rows, [3, 4]),
    'rows repeated to a whole tensor': () => expand(rows, input('stack', [2, 4, 3])),
    'a filter of each row’s own': () => conv2d(input('x', [4, 1, 6, 6]), images),
  };
  test.each(Object.entries(meetings))('%s', (_, make) => {
    const error = thrown(make);
    expect(error.message).toMatch(/^\w+: the rows of the batch meet in “[\w ]+” \[4.*\]\.$/);
    expect(error.hint).toContain('Take wholeBatch(x) first');
  });
});

describe('a whole tensor can’t stand beside rows as if its axis 0 were theirs', () => {
  const mixtures: Record<string, () => Tensor> = {
    add: () => add(rows, table),
    subtract: () => subtract(table, rows),
    concat: () => concat([rows, table], 1),
    where: () => where(greater(table, 0), rows, 0),
    binaryCrossEntropy: () => binaryCrossEntropy(rows, table),
    matmul: () => matmul(reshape(rows, [4, 3, 1]), input('table', [4, 1, 2])),
    expand: () => expand(input('table', [4, 1]), rows),
  };
  test.each(Object.entries(mixtures))('%s', (name, make) => {
    const error = thrown(make);
    expect(error.message).toMatch(new RegExp(`^${name}: (“table”|greater) \\[4.*\\] holds the same on every worker`));
    expect(error.hint).toContain('ownRows');
  });
});

describe('a worker’s summand is not the sum', () => {
  const uses: Record<string, () => Tensor> = {
    'a square of a summand': () => multiply(part, part),
    'an exponential of a summand': () => exp(part),
    'a division by a summand': () => divide(table, part),
    'a summand plus what all hold': () => add(part, table),
    'a summand less a number': () => subtract(part, 1),
    'a summand times rows': () => multiply(part, rows),
    'a summand joined with what all hold': () => concat([part, table], 0),
    'a product of two summands': () => product(part, part, { transposeB: true }),
    'a product of rows with a summand': () => product(rows, part, { transposeB: true }),
    'the largest of a summand': () => max(part),
    'a summand repeated to rows': () => expand(part.sum(0, { keepDimensions: true }), rows),
    'a summand as a filter for rows': () => conv2d(images, reshape(part, [4, 1, 3, 1])),
    'a bias on a product of a summand': () => product(part, input('m', [3, 2]), { bias: parameter('b', [2]) }),
    'a choice among summands': () => where(greater(table, 0), part, 0),
  };
  test.each(Object.entries(uses))('%s is refused', (_, make) => {
    const error = thrown(make);
    expect(error.message).toContain('is a worker’s summand, not yet the sum over the batch.');
    expect(error.hint).toBe('Take allSum(x) first.');
  });

  test('linear formulas of a summand are summands', () => {
    for (const linear of [
      negate(part),
      add(part, part),
      multiply(part, 3),
      multiply(part, table),
      divide(part, table),
      sum(part, 0),
      part.mean(),
      reshape(part, [12]),
      transpose(part),
      slice(part, 0, 1, 3),
      pad(part, { 0: [0, 1] }),
      concat([part, part], 1),
      product(part, input('m', [3, 2])),
      product(input('m', [2, 4]), part),
      conv2d(input('x', [1, 1, 6, 6]), reshape(part, [4, 1, 3, 1])),
      gather(part, input('i', [2], { type: 'int64' }), 0),
      expand(part.sum(0), table),
    ])
      expect(linear.spread).toEqual(isPart);
  });
});

test('what is computed row by row stays rows', () => {
  for (const kept of [
    rows.plus(others),
    rows.times(2),
    rows.times(parameter('w', [3])),
    rows.minus(rows.mean(0)),
    rows.over(input('row', [1, 3])),
    tanh(rows),
    sum(rows, 1),
    rows.mean(-1),
    max(rows, 1),
    softmax(rows, 1),
    logSumExp(rows, 1),
    product(rows, parameter('w', [3, 2]), { bias: parameter('b', [2]) }),
    matmul(reshape(rows, [4, 1, 3]), parameter('w', [3, 2])),
    conv2d(images, parameter('f', [2, 1, 3, 3])),
    concat([rows, others], 1),
    slice(rows, 1, 0, 2),
    pad(rows, { 1: [1, 1] }),
    expand(parameter('w', [3]), rows),
    gather(all, places, 0),
    gather(rows, input('columns', [2], { type: 'int64' }), 1),
    where(greater(rows, 0), rows, others),
  ])
    expect(kept.spread).toEqual(isRows);
});

test('sum and mean over the batch are of the whole batch', () => {
  for (const reduced of [rows.sum(), rows.sum(0), rows.mean(0), rows.mean(), images.mean([0, 2, 3])])
    expect(reduced.spread).toEqual(isWhole);
  expect(rows.sum(0).shape).toEqual([3]);
  expect(images.mean([0, 2, 3], { keepDimensions: true }).shape).toEqual([1, 1, 1, 1]);
});

test('after wholeBatch any formula is allowed, on every worker', () => {
  expect(all.shape).toEqual([8, 3]);
  for (const free of [product(all, all, { transposeB: true }), max(all, 0), transpose(all), slice(all, 0, 0, 2)])
    expect(free.spread).toEqual(isWhole);
  expect(wholeBatch(all)).toBe(all);
});

test('a product over the rows of both factors is each worker’s summand, and allSum makes it whole', () => {
  const covariance = product(rows, others, { transposeA: true });
  expect(covariance.spread).toEqual(isPart);
  expect(allSum(covariance).spread).toEqual(isWhole);
});

test('rows may be grouped and split, and the batch counts along', () => {
  expect(reshape(rows, [12]).spread).toEqual({ kind: 'rows', total: 24, workers: 2 });
  expect(reshape(rows, [2, 6]).spread).toEqual({ kind: 'rows', total: 4, workers: 2 });
  const many = rowsInput('many', [2], { size: 98, workers: 2 });
  expect(reshape(many, [1, 98]).spread).toEqual({ kind: 'rows', total: 2, workers: 2 });
});

test('a stack of two batches has the rows of both', () => {
  expect(stackRows([rows, others]).spread).toEqual({ kind: 'rows', total: 16, workers: 2 });
  expect(stackRows([rows, others]).shape).toEqual([8, 3]);
});

test('rows of two batches of different size can’t be computed with one another', () => {
  const single = rowsInput('single', [1], { size: 2, workers: 2 });
  expect(thrown(() => rows.plus(single)).message).toBe(
    'add: “single” [1, 1] has rows of another batch than the other operand.',
  );
});

test('a loss must be one number for the batch', () => {
  const one = rowsInput('loss', [], { size: 2, workers: 2 });
  const error = thrown(() => grad(one, [rows])[0]);
  expect(error.message).toBe('grad: “loss” [1] still belongs to one row.');
  expect(error.hint).toBe('Take its mean over the batch.');
});
