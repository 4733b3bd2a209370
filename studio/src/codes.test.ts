import { expect, test } from 'vitest';
import type { ModelBlock } from '../../src/runs/index.ts';
import {
  byKl,
  codesOfQuery,
  codesQuery,
  priorOf,
  randomCodes,
  startingCodes,
  traversal,
  traversalValues,
  withClass,
} from './codes.ts';
import type { Codes } from './model.ts';

const c: ModelBlock = { name: 'c', size: 2, kind: 'categorical', role: 'class' };
const u: ModelBlock = {
  name: 'u',
  size: 1,
  kind: 'gaussian',
  role: 'class-related',
  prior: { mean: [[1], [-3]], logVariance: [[0], [Math.log(4)]] },
};
const s: ModelBlock = { name: 's', size: 2, kind: 'gaussian', role: 'salient', neutral: [0.5, 0], kl: [0.1, 0.7] };
const blocks = [c, u, s];

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

test('a link gives back the codes that it was made of, to three digits', () => {
  const codes = { c: Float32Array.of(0, 1), u: Float32Array.of(-1.23456), s: Float32Array.of(0.25, 2) };
  const query = codesQuery(codes, blocks);
  expect(query).toBe('c=1&u=-1.235&s=0.25,2');
  expect(codesOfQuery(new URLSearchParams(query), blocks).u[0]).toBeCloseTo(-1.235, 6);
});

test('a link that does not fit the model leaves the codes at their start', () => {
  const start = startingCodes(blocks);
  for (const query of ['c=7&u=1,2&s=x,1', 'c=-1&s=', 'z=1', 'c=0.5'])
    expect(codesOfQuery(new URLSearchParams(query), blocks)).toEqual(start);
});

test('a traversal moves one dimension over the prior’s reach and nothing else', () => {
  const codes = startingCodes(blocks);
  const values = traversalValues(priorOf(s, blocks, codes), 1, 3);
  expect(values.map((value) => Number(value.toFixed(4)))).toEqual([-2.3263, 0, 2.3263]);
  const rows = traversal(codes, 's', 1, values);
  expect([...rows.s].map((value) => Number(value.toFixed(4)))).toEqual([0.5, -2.3263, 0.5, 0, 0.5, 2.3263]);
  expect(rows.u).toEqual(Float32Array.of(1, 1, 1));
});

test('random codes follow their prior: the mean of many lies near that of the class', () => {
  const many = Array.from({ length: 2000 }, (_, seed) => randomCodes(blocks, seed));
  const second = many.filter(({ c: [first] }) => first === 0);
  expect(Math.abs(second.length - 1000)).toBeLessThan(4 * Math.sqrt(500));
  const mean = second.reduce((sum, { u: [value] }) => sum + value / second.length, 0);
  expect(Math.abs(mean + 3)).toBeLessThan((4 * 2) / Math.sqrt(second.length));
});

test('dimensions stand in the order of what they carry', () => {
  expect(byKl(s)).toEqual([1, 0]);
});
