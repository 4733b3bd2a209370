import { expect, test } from 'vitest';
import { boostedDecision, fitBoostedTrees, predictBoostedTrees } from './boosted-trees.ts';
import { expectNear, fixture } from './testing/tables.ts';

interface Case {
  name: string;
  n: number;
  d: number;
  classes: number;
  x: number[];
  y: number[];
}

interface Exact extends Case {
  importances: number[];
  decision: number[];
  predictions: number[];
}

interface Spread extends Case {
  /** For each of scikit-learn's seeds. */
  importances: number[][];
  accuracy: number[];
}

const exact: Exact[] = fixture('boosted-trees').exact;
const spread: Spread[] = fixture('boosted-trees').spread;

test.each(exact)('importances and decisions are scikit-learn’s on “$name”', (given) => {
  const { x, n, d, y, classes } = given;
  const model = fitBoostedTrees({ x, n, d, y, classes });
  expectNear(model.importances, given.importances, 1e-9);
  expectNear(boostedDecision(model, x, n, d).subarray(0, given.decision.length), given.decision, 1e-9);
  expect(Array.from(predictBoostedTrees(model, x, n, d))).toEqual(given.predictions);
});

test.each(spread)('where splits tie on “$name”, importances lie where scikit-learn’s seeds lie', (given) => {
  const { x, n, d, y, classes } = given;
  const fits = [0, 1, 2, 3].map((seed) => fitBoostedTrees({ x, n, d, y, classes, seed }));
  for (let j = 0; j < d; j++) {
    const theirs = given.importances.map((row) => row[j]);
    const low = Math.min(...theirs);
    const high = Math.max(...theirs);
    for (const { importances } of fits) {
      expect(importances[j]).toBeGreaterThan(low - (high - low));
      expect(importances[j]).toBeLessThan(high + (high - low));
    }
  }
  for (const model of fits) {
    const right = predictBoostedTrees(model, x, n, d).filter((label, i) => label === y[i]).length / n;
    expect(right).toBeGreaterThanOrEqual(Math.min(...given.accuracy) - 0.01);
    expect(right).toBeLessThanOrEqual(Math.max(...given.accuracy) + 0.01);
  }
});

test('the same seed grows the same trees', () => {
  const { x, n, d, y, classes } = spread[1];
  const fitted = () => fitBoostedTrees({ x, n, d, y, classes, seed: 5 });
  expect(Array.from(fitted().importances)).toEqual(Array.from(fitted().importances));
});

test('labels without rows change nothing but the names', () => {
  const { x, n, d, y } = exact[0];
  const apart = fitBoostedTrees({ x, n, d, y: y.map((label) => 3 * label + 1), classes: 9 });
  expect(apart.classes).toEqual([1, 4]);
  expectNear(apart.importances, exact[0].importances, 1e-9);
  expect(Array.from(predictBoostedTrees(apart, x, n, d))).toEqual(exact[0].predictions.map((label) => 3 * label + 1));
});

test('a single class is predicted everywhere, and no column matters', () => {
  const model = fitBoostedTrees({ x: [1, 2, 3, 4], n: 2, d: 2, y: [1, 1], classes: 2 });
  expect(Array.from(model.importances)).toEqual([0, 0]);
  expect(Array.from(predictBoostedTrees(model, [5, 6], 1, 2))).toEqual([1]);
});

test('columns without spread leave the class frequencies', () => {
  const model = fitBoostedTrees({ x: [7, 7, 7, 7], n: 4, d: 1, y: [0, 2, 2, 2], classes: 3 });
  expect(Array.from(model.importances)).toEqual([0]);
  expect(Array.from(predictBoostedTrees(model, [7], 1, 1))).toEqual([2]);
  expectNear(boostedDecision(model, [7], 1, 1), [Math.log(3)], 1e-12);
});

test('progress goes up to 1', () => {
  const { x, n, d, y, classes } = exact[4];
  const seen: number[] = [];
  fitBoostedTrees({ x, n, d, y, classes, onProgress: (fraction) => seen.push(fraction) });
  expect(seen.length).toBe(100);
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('bad input is refused in a sentence that names the column', () => {
  const fitted = (x: number[]) => fitBoostedTrees({ x, n: 2, d: 2, y: [0, 1], classes: 2 });
  expect(() => fitted([1, Number.NaN, 3, 4])).toThrow('Column 1 holds NaN in row 0.');
  expect(() => fitted([1, 2, 1e39, 4])).toThrow('Column 0 holds a number too large for trees in row 1.');
  const model = fitted([1, 2, 3, 4]);
  expect(() => predictBoostedTrees(model, [1], 1, 1)).toThrow('A model of 2 columns was given rows of 1.');
});
