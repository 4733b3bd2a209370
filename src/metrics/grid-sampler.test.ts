import { expect, test } from 'vitest';
import { mt19937 } from '../random/mt19937.ts';
import golden from './fixtures/golden.json' with { type: 'json' };
import { generateCodes, gridSampler, sampleGrid } from './grid-sampler.ts';
import { dummyGrid } from './testing/data.ts';

test('the dummy grid draws numpy’s numbers in disentanglement_lib’s order', () => {
  const { factors } = generateCodes(dummyGrid, 2, mt19937(0), 1);
  expect(Array.from(factors.values)).toEqual(golden.AB['B.first20']);
  const rows = new Float64Array(20);
  gridSampler(dummyGrid, mt19937(0)).random(2, rows);
  expect(Array.from(rows)).toEqual(golden.AB['B.first20']);
});

test('a grid’s own factors are drawn factor by factor', () => {
  const drawn = sampleGrid([10, 10], 3, mt19937(0));
  const inOrder = golden.AB['B.first20'].slice(0, 6).map((value) => value - 1);
  expect(Array.from(drawn)).toEqual([0, 3, 1, 4, 2, 5].map((at) => inOrder[at]));
});
