import { describe, expect, test } from 'vitest';
import { bootstrapMean } from './bootstrap.ts';
import fixture from './fixtures/bootstrap.json' with { type: 'json' };

describe('the bootstrap of a mean', () => {
  test('takes every resample of few values, as numpy’s quantiles of all of them', () => {
    for (const { values, low, high } of fixture.few) {
      const found = bootstrapMean(values);
      expect(found.low).toBeCloseTo(low, 12);
      expect(found.high).toBeCloseTo(high, 12);
    }
  });

  test('of many values agrees with SciPy’s but for the draws, and is the same for the same seed', () => {
    const { values, low, high } = fixture.many;
    const found = bootstrapMean(values, { resamples: 20_000 });
    expect(Math.abs(found.low - low)).toBeLessThan(0.01);
    expect(Math.abs(found.high - high)).toBeLessThan(0.01);
    expect(bootstrapMean(values, { resamples: 20_000 })).toEqual(found);
  });

  test('of one value has no interval', () => {
    expect(bootstrapMean([0.3])).toEqual({ mean: 0.3, low: Number.NaN, high: Number.NaN });
  });
});
