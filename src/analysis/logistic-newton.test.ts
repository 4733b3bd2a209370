import { expect, test } from 'vitest';
import { sigmoid, softmax, solveLogistic } from './logistic-newton.ts';

test('probabilities of extreme logits neither overflow nor vanish into NaN', () => {
  expect([sigmoid(1000), sigmoid(-1000), sigmoid(0)]).toEqual([1, 0, 0.5]);
  const logits = Float64Array.of(1000, 1000, -1000);
  expect(softmax(logits)).toBeCloseTo(1000 + Math.LN2, 12);
  expect(Array.from(logits)).toEqual([0.5, 0.5, 0]);
});

test('without a penalty on the intercept the mean probability is the class frequency', () => {
  const x = Float64Array.of(0.3, -1, 2, 0.5, 1.5, -0.2);
  const target = Int32Array.of(0, 0, 1, 1, 1, 0);
  const [w, b] = solveLogistic({ x, n: 6, d: 1, c: 1, penaliseIntercept: false, rows: 1, target });
  const mean = x.reduce((sum, value) => sum + sigmoid(w * value + b), 0) / 6;
  expect(mean).toBeCloseTo(0.5, 12);
});

test('targets that a column tells apart by far are solved all the same', () => {
  const x = Float64Array.of(-1e6, -2e6, 1e6, 2e6);
  const target = Int32Array.of(0, 0, 1, 1);
  const w = solveLogistic({ x, n: 4, d: 1, c: 1, penaliseIntercept: false, rows: 1, target });
  expect(w[0]).toBeGreaterThan(0);
  expect(w.every(Number.isFinite)).toBe(true);
});
