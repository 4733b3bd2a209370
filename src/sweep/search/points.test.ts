import { describe, expect, test } from 'vitest';
import { pointsOf } from './points.ts';
import { settingAt } from './space.ts';

describe('the points of a search', () => {
  test('a grid takes every combination, the last setting fastest', () => {
    expect(pointsOf({ beta: [1, 4], latents: { integers: [6, 8] } }, { kind: 'grid' })).toEqual([
      { beta: 1, latents: 6 },
      { beta: 1, latents: 7 },
      { beta: 1, latents: 8 },
      { beta: 4, latents: 6 },
      { beta: 4, latents: 7 },
      { beta: 4, latents: 8 },
    ]);
  });

  test('a grid takes levels of an interval, both ends with them', () => {
    const space = { learningRate: { log: [1e-4, 1e-2] as [number, number], levels: 3 } };
    expect(pointsOf(space, { kind: 'grid' }).map(({ learningRate }) => learningRate)).toEqual([1e-4, 1e-3, 1e-2]);
  });

  test('a grid over an interval without levels says what would be right', () => {
    expect(() => pointsOf({ beta: { range: [1, 16] } }, { kind: 'grid' })).toThrow(
      "A grid can't take all of “beta”, which is an interval.",
    );
  });

  test('a search without settings is one point', () => {
    expect(pointsOf({}, { kind: 'grid' })).toEqual([{}]);
  });

  test('random and Sobol points lie in their intervals, are the same for the same seed, and never come twice', () => {
    for (const kind of ['random', 'sobol'] as const) {
      const space = {
        beta: { log: [1, 16] as [number, number] },
        latents: { integers: [6, 20] as [number, number] },
        warm: [true, false],
      };
      const points = pointsOf(space, { kind, trials: 200, seed: 3 });
      expect(points).toEqual(pointsOf(space, { kind, trials: 200, seed: 3 }));
      expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(points.length);
      expect(
        points.every(({ beta, latents }) => Number(beta) >= 1 && Number(beta) <= 16 && Number.isInteger(latents)),
      ).toBe(true);
      expect(new Set(points.map(({ latents }) => latents))).toEqual(
        new Set(Array.from({ length: 15 }, (_, i) => i + 6)),
      );
    }
  });

  test('two draws of the same settings are one point', () => {
    expect(pointsOf({ warm: [true, false] }, { kind: 'random', trials: 50, seed: 1 })).toHaveLength(2);
  });
});

describe('a place in a dimension', () => {
  test('is a choice, an integer, or a number with four digits', () => {
    expect(settingAt(['a', 'b', 'c'], 0.99)).toBe('c');
    expect(settingAt({ integers: [6, 20] }, 0)).toBe(6);
    expect(settingAt({ integers: [6, 20] }, 0.9999)).toBe(20);
    expect(settingAt({ range: [0, 3] }, 1 / 3)).toBe(1);
    expect(settingAt({ log: [1e-4, 1e-2] }, 0.5)).toBe(1e-3);
    expect(settingAt({ log: [1, 16] }, 0.123456)).toBe(1.408);
  });
});
