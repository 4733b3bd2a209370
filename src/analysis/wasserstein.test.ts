import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import fixture from './fixtures/wasserstein.json' with { type: 'json' };
import { matchPoints, squaredDistances, w2Squared } from './wasserstein.ts';

/** The 8 × 3 codes z = mu + exp(logvar / 2) · eps that the reference values of the objective terms are computed on. */
const z = Float64Array.from({ length: 24 }, (_, e) => {
  const [r, c] = [Math.floor(e / 3), e % 3];
  const mu = Math.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c);
  return mu + Math.exp((-1 + 0.1 * r + 0.05 * c) / 2) * Math.sin(7 * r + 3 * c + 1);
});

test('W2² of two batches, its matching and its gradient are the reference’s', () => {
  const [x, y] = [z.slice(0, 12), z.slice(12)];
  const { w2Squared: value, partners } = matchPoints(x, y, 4, 3);
  expect(value).toBeCloseTo(fixture.formula.w2Squared, 12);
  expect(Array.from(partners)).toEqual(fixture.formula.partners);
  fixture.formula.gradientOfFirst.forEach((expected, k) => {
    expect((2 * (x[k] - y[partners[0] * 3 + k])) / 4).toBeCloseTo(expected, 12);
  });
});

test('W2² of two batches of 128 codes is scipy’s', () => {
  const { x, y, w2Squared: expected } = fixture.batch;
  expect(w2Squared(Float64Array.from(x), 128, Float64Array.from(y), 128, 16)).toBeCloseTo(expected, 9);
});

test('W2² of sets of unequal sizes is POT’s, both ways round', () => {
  const [x, y] = [Float64Array.from(fixture.unequal.x), Float64Array.from(fixture.unequal.y)];
  expect(w2Squared(x, 15, y, 22, 2)).toBeCloseTo(fixture.unequal.w2Squared, 9);
  expect(w2Squared(y, 22, x, 15, 2)).toBeCloseTo(fixture.unequal.w2Squared, 9);
});

test('moving a set by v costs ‖v‖², and repeating every point of a set costs nothing', () => {
  const moved = z.map((value, e) => value + [3, -1, 2][e % 3]);
  expect(w2Squared(z, 8, moved, 8, 3)).toBeCloseTo(14, 12);
  expect(w2Squared(z, 8, Float64Array.of(...z, ...z), 16, 3)).toBeCloseTo(0, 12);
});

test('distances are symmetric, right for odd shapes, and taken of single-precision codes too', () => {
  const distances = squaredDistances(Float32Array.of(0, 0, 3, 4, 1, 1), 3, Float64Array.of(0, 0), 1, 2);
  expect(Array.from(distances)).toEqual([0, 25, 2]);
  expect(squaredDistances(z, 8, z, 8, 3)[1 * 8 + 5]).toBe(squaredDistances(z, 8, z, 8, 3)[5 * 8 + 1]);
});

test('codes that are no numbers, or not as many as said, are refused in words', () => {
  expect(() => w2Squared(Float64Array.of(1, Number.NaN), 2, Float64Array.of(1, 2), 2, 1)).toThrow(UntangleError);
  expect(() => w2Squared(z, 8, z, 7, 3)).toThrow('came with 24 numbers');
  expect(() => w2Squared(new Float64Array(0), 0, z, 8, 3)).toThrow('number of points is 0');
});
