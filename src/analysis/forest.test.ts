import { describe, expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { fitForest } from './forest.ts';

const n = 300;
const draws = stream(1, 'rows');
const x = Float64Array.from({ length: n * 4 }, () => draws.uniform());
const noise = draws.normals(n);

describe('a random forest', () => {
  test('finds which columns matter, in their order, and that others do not', () => {
    const y = Float64Array.from({ length: n }, (_, i) => 10 * x[4 * i] + Math.sin(6 * x[4 * i + 2]) + 0.05 * noise[i]);
    const { importance, explained, predict } = fitForest(x, y, n, 4);
    expect(importance[0]).toBeGreaterThan(0.8);
    expect(importance[2]).toBeGreaterThan(0.02);
    expect(importance[0]).toBeGreaterThan(5 * importance[2]);
    for (const j of [1, 3]) expect(Math.abs(importance[j])).toBeLessThan(0.02);
    expect(explained).toBeGreaterThan(0.9);
    expect(Math.abs(predict([0.5, 0.5, 0.5, 0.5]) - (5 + Math.sin(3)))).toBeLessThan(0.6);
  });

  test('says that nothing is explained where there is only noise', () => {
    const { explained, importance } = fitForest(x, noise, n, 4);
    expect(explained).toBeLessThan(0.1);
    expect(Math.max(...importance)).toBeLessThan(0.2);
  });

  test('of a constant gives zeros', () => {
    const { importance, explained } = fitForest(x, new Float64Array(n).fill(3), n, 4);
    expect([...importance]).toEqual([0, 0, 0, 0]);
    expect(explained).toBe(0);
  });
});
