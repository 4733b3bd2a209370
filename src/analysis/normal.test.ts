import { expect, test } from 'vitest';
import { normalQuantile, normalShare } from './normal.ts';

test('normal quantiles and shares are those of the tables', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 12);
  expect(normalShare(1)).toBeCloseTo(0.8413447460685429, 14);
  expect(normalQuantile(normalShare(-3.2))).toBeCloseTo(-3.2, 9);
});
