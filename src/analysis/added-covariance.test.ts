import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { addedCovariance } from './added-covariance.ts';

/** Two columns share a nuisance in both sets; a factor of the target alone moves the first by 2 and the third by −1. */
function sets(seed: number, n: number) {
  const noise = stream(seed, 'two sets');
  const rows = (factor: number) => {
    const x = Float64Array.from({ length: n }, () => 0).reduce<number[]>((all) => {
      const [shared, own] = [noise.normal(), factor * noise.normal()];
      return [...all, 2 * own + shared + noise.normal(), shared + noise.normal(), noise.normal() - own];
    }, []);
    // A score that sees the factor, the nuisance and noise.
    const scores = Float64Array.from({ length: n }, (_, i) => 0.7 * x[3 * i] + 0.4 * x[3 * i + 1]);
    return { x: Float64Array.from(x), n, d: 3, scores };
  };
  return { target: rows(1), background: rows(0) };
}

test('what both sets share drops out, and the added loadings are those that were planted', () => {
  const { target, background } = sets(1, 4000);
  const { values, errors, ofScores } = addedCovariance(target, background, 1);
  const loadings = Array.from(values, (value) => value / Math.sqrt(ofScores[0]));
  expect(loadings[0]).toBeCloseTo(2, 0);
  expect(Math.abs(values[1])).toBeLessThan(3 * errors[1]);
  expect(loadings[2]).toBeCloseTo(-1, 0);
});

test('standard errors are what estimates scatter by, also where rows are repeated', () => {
  const drawn = Array.from({ length: 200 }, (_, seed) => {
    const { target, background } = sets(seed, 60);
    return addedCovariance(target, background, 1);
  });
  for (const j of [0, 1, 2]) {
    const mean = drawn.reduce((sum, { values }) => sum + values[j], 0) / 200;
    const scatter = Math.sqrt(drawn.reduce((sum, { values }) => sum + (values[j] - mean) ** 2, 0) / 199);
    const said = drawn.reduce((sum, { errors }) => sum + errors[j], 0) / 200;
    expect(said / scatter).toBeGreaterThan(0.8);
    expect(said / scatter).toBeLessThan(1.25);
  }
  const { target, background } = sets(1, 60);
  const twice = ({ x, n, d, scores }: typeof target) => ({
    ...{ x: Float64Array.of(...x, ...x), n: 2 * n, d, scores: Float64Array.of(...scores, ...scores) },
    units: Array.from({ length: 2 * n }, (_, i) => i % n),
  });
  const once = addedCovariance(target, background, 1).errors[0];
  expect(addedCovariance(twice(target), twice(background), 1).errors[0]).toBeCloseTo(once, 8);
});
