import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { dip, dipTest } from './dip.ts';
import fixture from './fixtures/dip.json' with { type: 'json' };

test.each(fixture.cases)(
  'the dip $dip is that of the nearest unimodal distribution, found as a linear programme',
  (one) => {
    expect(dip(one.values)).toBeCloseTo(one.dip, 8);
  },
);

test('two humps dip more than uniform samples do, a skewed hump does not, equal numbers have no dip', () => {
  const noise = stream(1, 'humps');
  const humps = Float64Array.from({ length: 80 }, (_, i) => noise.normal() + (i % 2 === 0 ? 2.5 : -2.5));
  expect(dipTest(humps, 1)).toBe(1 / 500);
  expect(
    dipTest(
      noise.normals(80).map((value) => Math.exp(value)),
      1,
    ),
  ).toBeGreaterThan(0.3);
  expect(dipTest(new Float64Array(10), 1)).toBe(1);
});
