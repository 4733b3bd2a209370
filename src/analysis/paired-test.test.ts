import { describe, expect, test } from 'vitest';
import fixture from './fixtures/paired-test.json' with { type: 'json' };
import { pairedTest } from './paired-test.ts';

describe('Student’s paired test', () => {
  test('gives SciPy’s interval and probability', () => {
    for (const { values, mean, low, high, p } of fixture.cases) {
      const found = pairedTest(values);
      expect(found.mean).toBeCloseTo(mean, 12);
      // SciPy's quantile of the distribution has nine digits.
      expect(found.low).toBeCloseTo(low, 8);
      expect(found.high).toBeCloseTo(high, 8);
      expect(found.p / p).toBeCloseTo(1, 11);
    }
  });

  test('of one pair has no interval, and of pairs without spread no doubt', () => {
    expect(pairedTest([0.3])).toEqual({ mean: 0.3, low: Number.NaN, high: Number.NaN, p: Number.NaN });
    expect(pairedTest([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5, p: 0 });
    expect(pairedTest([0, 0])).toEqual({ mean: 0, low: 0, high: 0, p: 1 });
  });
});
