import { describe, expect, test } from 'vitest';
import fixture from '../fixtures/sobol.json' with { type: 'json' };
import { sobol } from './sobol.ts';

describe('Sobol’s sequence', () => {
  test('is SciPy’s to the last bit where it is not scrambled', () => {
    const points = sobol(64, 32);
    expect(points.map((point) => fixture.shown.map((dimension) => point[dimension]))).toEqual(fixture.points);
  });

  test('scrambled, puts one point into each of 2^m intervals of every dimension, as the unscrambled one does', () => {
    for (const dimension of [0, 5, 12, 31]) {
      const cells = sobol(128, 32, 7).map((point) => Math.floor(point[dimension] * 128));
      expect(new Set(cells).size).toBe(128);
    }
  });

  test('scrambled, puts one point into each elementary rectangle of its first two dimensions', () => {
    const points = sobol(64, 2, 3);
    for (let split = 0; split <= 6; split++) {
      const cells = points.map(([x, y]) => `${Math.floor(x * 2 ** split)} ${Math.floor(y * 2 ** (6 - split))}`);
      expect(new Set(cells).size).toBe(64);
    }
  });

  test('depends on the seed, and a longer sequence begins with the shorter one', () => {
    expect(sobol(20, 3, 1)).toEqual(sobol(50, 3, 1).slice(0, 20));
    expect(sobol(20, 3, 1)).not.toEqual(sobol(20, 3, 2));
  });

  test('integrates a smooth function better than random points: the mean of a product of ones', () => {
    const errors = [1, 2, 3, 4, 5].map((seed) => {
      const values = sobol(1024, 4, seed).map((point) => point.reduce((all, x) => all * (0.5 + x), 1));
      return Math.abs(values.reduce((sum, value) => sum + value, 0) / 1024 - 1);
    });
    // Random points of that number have a standard error of 0.019 here.
    expect(Math.max(...errors)).toBeLessThan(0.001);
  });

  test('says how many dimensions there are at most', () => {
    expect(() => sobol(4, 33)).toThrow('A Sobol search has at most 32 dimensions; this one would have 33.');
  });
});
