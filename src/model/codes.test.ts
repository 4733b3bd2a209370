import { expect, test } from 'vitest';
import { type Codes, priorOf, randomCodes, startingCodes, withChosenClasses, withClass, withValue } from './codes.ts';
import { blocks, c, s, u } from './testing/blocks.ts';

test('codes start at the first class, its prior’s mean, and neutral codes', () => {
  const codes = startingCodes(blocks);
  expect(codes).toEqual({ c: Float32Array.of(1, 0), u: Float32Array.of(1), s: Float32Array.of(0.5, 0) });
});

test('another class takes codes along: they keep their place in the prior', () => {
  // One deviation above the mean of the first class is one deviation (2) above that of the second (−3).
  const codes: Codes = { ...startingCodes(blocks), u: Float32Array.of(2) };
  const other = withClass(codes, c, 1, blocks);
  expect(other.u[0]).toBeCloseTo(-1, 6);
  expect(other.c).toEqual(Float32Array.of(0, 1));
  expect(other.s).toBe(codes.s);
});

test('random codes follow their prior: the mean of many lies near that of the class', () => {
  const many = Array.from({ length: 2000 }, (_, seed) => randomCodes(blocks, seed));
  const second = many.filter(({ c: [first] }) => first === 0);
  expect(Math.abs(second.length - 1000)).toBeLessThan(4 * Math.sqrt(500));
  const mean = second.reduce((sum, { u: [value] }) => sum + value / second.length, 0);
  expect(Math.abs(mean + 3)).toBeLessThan((4 * 2) / Math.sqrt(second.length));
});

test('the prior of a row is that of its likeliest class; N(0, I) where none was learned', () => {
  const codes: Codes = { c: Float32Array.of(0.9, 0.1, 0.3, 0.7), u: new Float32Array(2), s: new Float32Array(4) };
  expect(priorOf(u, codes)).toEqual({ mean: [1], logVariance: [0] });
  expect(priorOf(u, codes, 1)).toEqual({ mean: [-3], logVariance: [Math.log(4)] });
  expect(priorOf(s, codes, 1)).toEqual({ mean: [0, 0], logVariance: [0, 0] });
});

test('the likeliest class takes the place of probabilities, and a value stands in every row', () => {
  const codes: Codes = { c: Float32Array.of(0.9, 0.1, 0.3, 0.7), s: Float32Array.of(1, 2, 3, 4) };
  expect(withChosenClasses(codes, [c, s])).toEqual({ c: Float32Array.of(1, 0, 0, 1), s: codes.s });
  expect(withValue(codes, s, 1, 9).s).toEqual(Float32Array.of(1, 9, 3, 9));
});
