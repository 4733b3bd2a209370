import { expect, test } from 'vitest';
import { lowerBound, upperBound } from './search.ts';

test('the bounds enclose the run of equal values, also when there is none', () => {
  const sorted = [1, 2, 2, 2, 5];
  for (const value of [0, 1, 2, 3, 5, 6]) {
    expect(lowerBound(sorted, value)).toBe(sorted.filter((v) => v < value).length);
    expect(upperBound(sorted, value)).toBe(sorted.filter((v) => v <= value).length);
  }
});

test('a search inside a part stays inside it', () => {
  const sorted = [1, 2, 2, 2, 5];
  expect(lowerBound(sorted, 0, 2, 4)).toBe(2);
  expect(upperBound(sorted, 9, 2, 4)).toBe(4);
});
