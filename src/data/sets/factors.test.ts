import { expect, test } from 'vitest';
import { allCombinations } from './factors.ts';

test('every combination comes once, the last factor fastest', () => {
  const { factors, values } = allCombinations(['a', 'b'], [2, 3]);
  expect([...values]).toEqual([0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2]);
  expect(factors).toEqual([
    { name: 'a', kind: 'discrete', size: 2 },
    { name: 'b', kind: 'discrete', size: 3 },
  ]);
});
