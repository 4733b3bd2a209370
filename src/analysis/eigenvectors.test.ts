import { expect, test } from 'vitest';
import { leadingEigenvectors } from './eigenvectors.ts';

test('a matrix of known eigenvectors gives them back, the largest eigenvalue first', () => {
  // 3 (1, 1)/√2 and 1 (1, −1)/√2.
  const { values, vectors } = leadingEigenvectors(Float64Array.of(2, 1, 1, 2), 2, 2);
  expect(values[0]).toBeCloseTo(3, 12);
  expect(values[1]).toBeCloseTo(1, 12);
  expect(Math.abs(vectors[0] + vectors[1])).toBeCloseTo(Math.SQRT2, 12);
  expect(Math.abs(vectors[2] - vectors[3])).toBeCloseTo(Math.SQRT2, 12);
});
