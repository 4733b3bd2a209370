import { expect, test } from 'vitest';
import { z } from 'zod';
import { evaluate } from '../testing/evaluate.ts';
import { agreesWithTorch } from '../testing/torch.ts';
import {
  abs,
  add,
  cast,
  clip,
  cos,
  divide,
  equal,
  exp,
  greater,
  greaterOrEqual,
  less,
  lessOrEqual,
  log,
  maximum,
  minimum,
  multiply,
  negate,
  power,
  sign,
  sin,
  sqrt,
  square,
  subtract,
  where,
} from './elementwise.ts';
import { constant, input } from './leaf.ts';

const options = z.strictObject({
  number: z.number().default(0),
  exponent: z.number().default(0),
  low: z.number().default(0),
  high: z.number().default(0),
});

agreesWithTorch('elementwise', options, {
  add: ([a, b]) => add(a, b),
  subtract: ([a, b]) => subtract(a, b),
  multiply: ([a, b]) => multiply(a, b),
  divide: ([a, b]) => divide(a, b),
  power: ([a, b]) => power(a, b),
  powerOf: ([a], { exponent }) => power(a, exponent),
  numberToThe: ([a], { number }) => power(number, a),
  plusNumber: ([a], { number }) => add(a, number),
  timesNumber: ([a], { number }) => multiply(number, a),
  numberMinus: ([a], { number }) => subtract(number, a),
  numberOver: ([a], { number }) => divide(number, a),
  overNumber: ([a], { number }) => divide(a, number),
  minimum: ([a, b]) => minimum(a, b),
  maximum: ([a, b]) => maximum(a, b),
  negate: ([a]) => negate(a),
  square: ([a]) => square(a),
  sqrt: ([a]) => sqrt(a),
  exp: ([a]) => exp(a),
  log: ([a]) => log(a),
  abs: ([a]) => abs(a),
  sign: ([a]) => sign(a),
  sin: ([a]) => sin(a),
  cos: ([a]) => cos(a),
  clip: ([a], { low, high }) => clip(a, low, high),
  where: ([c, a, b]) => where(greater(c, 0), a, b),
  greater: ([a, b]) => cast(greater(a, b)),
  greaterOrEqual: ([a, b]) => cast(greaterOrEqual(a, b)),
  less: ([a, b]) => cast(less(a, b)),
  lessOrEqual: ([a, b]) => cast(lessOrEqual(a, b)),
  equal: ([a, b]) => cast(equal(a, b)),
  stopGradient: ([a]) => a.times(a.stopGradient()),
});

test('adding zero, multiplying and raising by one cost no node, unless they change the shape', () => {
  const x = input('x', [3]);
  expect([add(x, 0), add(0, x), subtract(x, 0), multiply(x, 1), multiply(1, x), power(x, 1)]).toEqual(Array(6).fill(x));
  const zero = constant([0], [1, 1]);
  const one = constant([1], [1, 1]);
  for (const wider of [
    add(x, zero),
    add(zero, x),
    subtract(x, zero),
    multiply(x, one),
    multiply(one, x),
    power(x, one),
  ])
    expect(wider.shape).toEqual([1, 3]);
});

test('a value that was repeated to the other’s shape gives the same numbers when broadcasting repeats it', async () => {
  const x = input('x', [2, 3]);
  const repeated = x.sum(1, { keepDimensions: true }).plus(x.times(0)).times(x);
  const [value] = await evaluate([repeated], { x: [1, 2, 3, 4, 5, 6] });
  expect([...value]).toEqual([6, 12, 18, 60, 75, 90]);
});

test('whole numbers are computed with as whole numbers', async () => {
  const labels = input('labels', [3], { type: 'int64' });
  const values = await evaluate([multiply(labels, 2), divide(labels, 2), subtract(5, labels), equal(labels, 4)], {
    labels: BigInt64Array.of(1n, 4n, 7n),
  });
  expect(values.map((value) => [...value])).toEqual([
    [2, 8, 14],
    [0, 2, 3],
    [4, 1, -2],
    [0, 1, 0],
  ]);
});
