import { expect, test } from 'vitest';
import { priorOf, startingCodes, traversed } from '../../src/model/index.ts';
import { blocks, s } from '../../src/model/testing/blocks.ts';
import { codesOfQuery, codesQuery, dimensionsByKl, traversalValues } from './codes.ts';

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
  const values = traversalValues(priorOf(s, codes), 1, 3);
  expect(values.map((value) => Number(value.toFixed(4)))).toEqual([-2.3263, 0, 2.3263]);
  const rows = traversed(codes, s, 1, values);
  expect([...rows.s].map((value) => Number(value.toFixed(4)))).toEqual([0.5, -2.3263, 0.5, 0, 0.5, 2.3263]);
  expect(rows.u).toEqual(Float32Array.of(1, 1, 1));
});

test('dimensions stand in the order of what they carry', () => {
  expect(dimensionsByKl(s)).toEqual([1, 0]);
});
