import { describe, expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { binaryCrossEntropy, logSoftmax, softmax } from './ops/activation.ts';
import { conv2d, convTranspose2d } from './ops/conv.ts';
import {
  add,
  cast,
  clip,
  divide,
  equal,
  exp,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  maximum,
  minimum,
  multiply,
  power,
  subtract,
  where,
} from './ops/elementwise.ts';
import { concat, expand, gather, oneHot, pad, reshape, slice, transpose } from './ops/layout.ts';
import { constant, input, parameter } from './ops/leaf.ts';
import { matmul, product } from './ops/matmul.ts';
import { averagePool, upsample } from './ops/pool.ts';
import { logSumExp, max, mean, sum } from './ops/reduce.ts';
import type { Tensor } from './tensor.ts';

const codes = input('codes', [2, 3]);
const table = input('table', [2, 4]);
const images = input('images', [2, 3, 8, 8]);
const filters = parameter('filters', [5, 4, 3, 3]);
const places = input('places', [2], { type: 'int64' });
const free = input('free', ['batch', 3]);
const truth = greater(codes, 0).named('truth');

/** A call that does not fit, and what its message must say: the op, then each tensor with its shape. */
const misfits: Record<string, [() => Tensor, string, ...string[]]> = {
  add: [() => add(codes, table), 'add', '“codes” [2, 3]', '“table” [2, 4]'],
  subtract: [() => subtract(codes, table), 'subtract', '“codes” [2, 3]', '“table” [2, 4]'],
  multiply: [() => multiply(codes, table), 'multiply', '“codes” [2, 3]', '“table” [2, 4]'],
  divide: [() => divide(codes, table), 'divide', '“codes” [2, 3]', '“table” [2, 4]'],
  power: [() => power(codes, table), 'power', '“codes” [2, 3]', '“table” [2, 4]'],
  minimum: [() => minimum(codes, table), 'minimum', '“codes” [2, 3]', '“table” [2, 4]'],
  maximum: [() => maximum(codes, table), 'maximum', '“codes” [2, 3]', '“table” [2, 4]'],
  greater: [() => greater(codes, table), 'greater', '“codes” [2, 3]', '“table” [2, 4]'],
  greaterOrEqual: [() => greaterOrEqual(codes, table), 'greaterOrEqual', '“codes” [2, 3]', '“table” [2, 4]'],
  less: [() => less(codes, table), 'less', '“codes” [2, 3]', '“table” [2, 4]'],
  lessOrEqual: [() => lessOrEqual(codes, table), 'lessOrEqual', '“codes” [2, 3]', '“table” [2, 4]'],
  equal: [() => equal(codes, table), 'equal', '“codes” [2, 3]', '“table” [2, 4]'],
  'add to a free batch': [() => add(free, input('five', [5, 3])), 'add', '“free” [batch, 3]', '“five” [5, 3]'],
  'where with branches that do not fit': [
    () => where(truth, codes, table),
    'where',
    '“codes” [2, 3]',
    '“table” [2, 4]',
  ],
  'where with a condition that does not fit': [
    () => where(truth, table, 0),
    'where',
    '“truth” [2, 3]',
    '“table” [2, 4]',
  ],
  'where with numbers for a condition': [() => where(codes, 1, 0), 'where', '“codes” [2, 3]', 'is not a comparison'],
  binaryCrossEntropy: [
    () => binaryCrossEntropy(codes, input('target', [2, 1])),
    'binaryCrossEntropy',
    '“target” [2, 1]',
    '“codes” [2, 3]',
  ],
  sum: [() => sum(codes, 2), 'sum', 'axis 2', '“codes” [2, 3]'],
  mean: [() => mean(codes, -3), 'mean', 'axis -3', '“codes” [2, 3]'],
  'mean over a free batch': [() => mean(free, 0), 'mean', '“free” [batch, 3]'],
  max: [() => max(codes, [0, 5]), 'max', 'axis 5', '“codes” [2, 3]'],
  logSumExp: [() => logSumExp(codes, 2), 'logSumExp', 'axis 2', '“codes” [2, 3]'],
  softmax: [() => softmax(codes, 2), 'softmax', 'axis 2', '“codes” [2, 3]'],
  logSoftmax: [() => logSoftmax(codes, 0.5), 'logSoftmax', 'axis 0.5', '“codes” [2, 3]'],
  reshape: [() => reshape(codes, [4, 2]), 'reshape', '“codes” [2, 3]', '[4, 2]'],
  'reshape to dimensions that are none': [() => reshape(codes, [-2, -3]), 'reshape', '[-2, -3] is not a shape'],
  'reshape of a free batch': [() => reshape(free, [6]), 'reshape', '“free” [batch, 3]', '[6]'],
  transpose: [() => transpose(codes, [0, 0]), 'transpose', '[0, 0]', '“codes” [2, 3]'],
  'transpose with too many axes': [() => transpose(codes, [0, 1, 1]), 'transpose', '[0, 1, 1]', '“codes” [2, 3]'],
  'transpose of an axis that is none': [() => transpose(codes, [0, 2]), 'transpose', 'axis 2', '“codes” [2, 3]'],
  concat: [() => concat([codes, table], 0), 'concat', 'axis 0', '“table” [2, 4]', '“codes” [2, 3]'],
  'concat of two types': [
    () => concat([codes, cast(codes, 'int64')], 0),
    'concat',
    'int64',
    '“codes” [2, 3]',
    'float32',
  ],
  'concat along a free batch': [() => concat([free, free], 0), 'concat', '“free” [batch, 3]'],
  'concat of nothing': [() => concat([], 0), 'concat', 'nothing to join'],
  slice: [() => slice(codes, 1, 1, 4), 'slice', '1 to 4', 'axis 1', '“codes” [2, 3]'],
  'slice of nothing': [() => slice(codes, 1, 2, 2), 'slice', '2 to 2', '“codes” [2, 3]'],
  'slice at half places': [() => slice(codes, 1, 0.5, 2), 'slice', '0.5 to 2', '“codes” [2, 3]'],
  'slice backwards': [() => slice(codes, 1, 0, 2, -1), 'slice', 'steps of -1', '“codes” [2, 3]'],
  'slice of a free batch': [() => slice(free, 0, 0, 2), 'slice', '“free” [batch, 3]'],
  pad: [() => pad(codes, { 1: [-1, 0] }), 'pad', '-1 and 0', '“codes” [2, 3]'],
  'pad along an axis that is none': [() => pad(codes, { 2: [1, 0] }), 'pad', 'axis 2', '“codes” [2, 3]'],
  'pad of a free batch': [() => pad(free, { 0: [1, 0] }), 'pad', '“free” [batch, 3]'],
  expand: [() => expand(codes, table), 'expand', '“codes” [2, 3]', '“table” [2, 4]'],
  'expand to fewer dimensions': [() => expand(images, codes), 'expand', '“images” [2, 3, 8, 8]', '“codes” [2, 3]'],
  gather: [() => gather(codes, codes), 'gather', '“codes” [2, 3]', 'int64'],
  'gather along an axis that is none': [() => gather(codes, places, 2), 'gather', 'axis 2', '“codes” [2, 3]'],
  oneHot: [() => oneHot(codes, 3), 'oneHot', '“codes” [2, 3]', 'int64'],
  'oneHot of no classes': [() => oneHot(places, 0), 'oneHot', '0 classes', '“places” [2]'],
  matmul: [() => matmul(images, input('m', [7, 2])), 'matmul', '“images” [2, 3, 8, 8]', '“m” [7, 2]'],
  'matmul of stacks that do not fit': [
    () => matmul(images, input('m', [5, 8, 2])),
    'matmul',
    '“images” [2, 3, 8, 8]',
    '“m” [5, 8, 2]',
  ],
  product: [() => product(codes, table), 'product', '“codes” [2, 3]', '“table” [2, 4]'],
  'product of transposed matrices': [
    () => product(codes, table, { transposeA: true, transposeB: true }),
    'product',
    '“codes” [2, 3] transposed',
    '“table” [2, 4] transposed',
  ],
  'product with a bias that does not fit': [
    () => product(codes, table, { transposeA: true, bias: parameter('offset', [3]) }),
    'product',
    '“offset” [3]',
    '4 columns',
    '“codes” [2, 3]',
    '“table” [2, 4]',
  ],
  conv2d: [() => conv2d(images, filters), 'conv2d', '“images” [2, 3, 8, 8]', '“filters” [5, 4, 3, 3]'],
  'conv2d of rows': [() => conv2d(codes, filters), 'conv2d', '“codes” [2, 3]', '“filters” [5, 4, 3, 3]'],
  'conv2d with a filter that is too large': [
    () => conv2d(images, parameter('wide', [1, 3, 9, 3])),
    'conv2d',
    '“wide” [1, 3, 9, 3]',
    '“images” [2, 3, 8, 8]',
  ],
  'conv2d with a bias that does not fit': [
    () => conv2d(images, parameter('fit', [5, 3, 3, 3]), {}, parameter('offset', [4])),
    'conv2d',
    '“offset” [4]',
    '“fit” [5, 3, 3, 3]',
  ],
  'conv2d without a stride': [
    () => conv2d(images, parameter('fit', [5, 3, 3, 3]), { stride: 0 }),
    'conv2d',
    'stride 0',
  ],
  'conv2d with half a pixel of padding': [
    () => conv2d(images, parameter('fit', [5, 3, 3, 3]), { padding: 0.5 }),
    'conv2d',
    'padding 0.5',
  ],
  convTranspose2d: [
    () => convTranspose2d(images, filters),
    'convTranspose2d',
    '“images” [2, 3, 8, 8]',
    '“filters” [5, 4',
  ],
  'convTranspose2d with a bias that does not fit': [
    () => convTranspose2d(images, parameter('fit', [3, 5, 3, 3]), {}, parameter('offset', [3])),
    'convTranspose2d',
    '“offset” [3]',
    '“fit” [3, 5, 3, 3]',
  ],
  'convTranspose2d with output padding of a stride': [
    () => convTranspose2d(images, parameter('fit', [3, 5, 3, 3]), { stride: 2, outputPadding: 2 }),
    'convTranspose2d',
    'output padding 2',
    '“images” [2, 3, 8, 8]',
  ],
  'convTranspose2d with more padding than there is': [
    () => convTranspose2d(images, parameter('fit', [3, 5, 3, 3]), { padding: 5 }),
    'convTranspose2d',
    '“images” [2, 3, 8, 8]',
    '“fit” [3, 5, 3, 3]',
  ],
  averagePool: [() => averagePool(images, 9), 'averagePool', '9', '“images” [2, 3, 8, 8]'],
  'averagePool of rows': [() => averagePool(codes, 2), 'averagePool', '“codes” [2, 3]'],
  'averagePool without a window': [() => averagePool(images, 0), 'averagePool', 'window 0', '“images” [2, 3, 8, 8]'],
  upsample: [() => upsample(codes, 2), 'upsample', '“codes” [2, 3]'],
  'upsample by half': [() => upsample(images, 0.5), 'upsample', '0.5', '“images” [2, 3, 8, 8]'],
  clip: [() => clip(codes, 1, -1), 'clip', '1', '-1'],
  'exp of whole numbers': [() => exp(places), 'exp', '“places” [2]', 'int64'],
  'a sum of truth values': [() => sum(truth), 'sum', '“truth” [2, 3]', 'truth values'],
  'arithmetic of truth values': [() => add(truth, truth), 'add', '“truth” [2, 3]', 'truth values'],
  'half of a whole number': [() => multiply(places, 0.5), 'multiply', '0.5', '“places” [2]', 'int64'],
  'whole numbers with floats': [() => add(places, codes), 'add', '“places” [2]', 'int64', '“codes” [2, 3]', 'float32'],
  'a constant that does not fill its shape': [() => constant([1, 2], [3]), 'constant', '2 values', '[3]'],
  'a constant of half a class': [() => constant([0.5], [1], 'int64'), 'constant', '0.5', 'int64'],
  'an input of no size': [() => input('x', [0, 3]), 'input “x”', '[0, 3]'],
  'a parameter of half a row': [() => parameter('w', [1.5, 3]), 'parameter “w”', '[1.5, 3]'],
};

describe('a call that does not fit gets a sentence with the op, the shapes and the names', () => {
  test.each(Object.entries(misfits))('%s', (_, [call, op, ...rest]) => {
    let message = '';
    try {
      call();
    } catch (error) {
      if (!(error instanceof UntangleError)) throw error;
      message = error.message;
    }
    expect(message).toMatch(new RegExp(`^(${op}|The ${op})( along axis \\d)?: .*\\.$`));
    for (const part of rest) expect(message).toContain(part);
  });
});

test('a tensor without a name is called by its op', () => {
  expect(() => exp(codes).plus(table)).toThrow('add: the shapes of exp [2, 3] and “table” [2, 4] do not fit together.');
});

test('the hint shows how broadcasting compares the shapes', () => {
  try {
    add(codes, table);
  } catch (error) {
    if (!(error instanceof UntangleError)) throw error;
    expect(error.hint).toBe('Dimensions must be equal or 1, counted from the last: [2, 3] against [2, 4].');
  }
  expect.assertions(1);
});
