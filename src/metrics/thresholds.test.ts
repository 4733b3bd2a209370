import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ascending, thresholdAccuracy } from './thresholds.ts';

const accuracy = (values: number[], classes: number[], size: number) => {
  const column = Float64Array.from(values);
  return thresholdAccuracy(column, ascending(column), Int32Array.from(classes), size);
};

/** The same number by trying every pair of cuts and every assignment of three intervals to three classes. */
function byTrial(values: number[], classes: number[]): number {
  const cuts = [Number.NEGATIVE_INFINITY, ...new Set(values)];
  const counts = [0, 1, 2].map((c) => classes.filter((other) => other === c).length);
  const present = counts.filter((count) => count > 0).length;
  let most = 0;
  for (const low of cuts)
    for (const high of cuts)
      for (let code = 0; code < 27; code++) {
        const owner = [code % 3, Math.floor(code / 3) % 3, Math.floor(code / 9)];
        let sum = 0;
        values.forEach((value, i) => {
          const interval = value <= low ? 0 : value <= high ? 1 : 2;
          if (owner[interval] === classes[i]) sum += 1 / counts[classes[i]];
        });
        most = Math.max(most, sum / present);
      }
  return most;
}

test('one threshold separates two classes whichever of them lies above', () => {
  expect(accuracy([1, 2, 3, 4], [0, 0, 1, 1], 2)).toBe(1);
  expect(accuracy([1, 2, 3, 4], [1, 1, 0, 0], 2)).toBe(1);
});

test('two classes take one threshold, so alternating items reach 3/4 of balanced accuracy and not 1', () => {
  expect(accuracy([1, 2, 3, 4], [0, 1, 0, 1], 2)).toBe(0.75);
});

test('a constant latent is at chance, one over the number of classes', () => {
  expect(accuracy([7, 7, 7, 7, 7, 7], [0, 1, 2, 0, 0, 0], 3)).toBeCloseTo(1 / 3, 12);
});

test('accuracy is balanced: a rare class weighs as much as a frequent one', () => {
  expect(accuracy([0, 1, 2, 3, 4, 5, 6, 7, 8, 4.5], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 2)).toBeCloseTo(
    (5 / 9 + 1) / 2,
    12,
  );
});

test('three classes in any order along the line are told apart by two thresholds', () => {
  expect(accuracy([1, 1.5, 2, 2.5, 3, 3.5], [2, 2, 0, 0, 1, 1], 3)).toBe(1);
});

test('no choice of two cuts and owners does better, over random items with ties', () => {
  const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 2 })), {
    minLength: 2,
    maxLength: 12,
  });
  fc.assert(
    fc.property(items, (pairs) => {
      const values = pairs.map(([value]) => value);
      const classes = pairs.map(([, c]) => c);
      expect(accuracy(values, classes, 3)).toBeCloseTo(byTrial(values, classes), 12);
    }),
    { numRuns: 200, seed: 1 },
  );
});
