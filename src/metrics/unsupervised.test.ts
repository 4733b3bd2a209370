import { expect, test } from 'vitest';
import golden from './fixtures/golden.json' with { type: 'json' };
import { duplicated, fixtureA, flipped, identityTable, padded, permuted, zeroed } from './testing/data.ts';
import { gaussianTotalCorrelation, gaussianWassersteinCorrelation, unsupervised } from './unsupervised.ts';

const known = golden.AB;
const identity = Float64Array.from({ length: 25 }, (_, at) => (at % 6 === 0 ? 1 : 0));
const correlated = Float64Array.of(1, 0.9, 0.9, 1);

test('independent Gaussians score 0 in both', () => {
  expect(gaussianTotalCorrelation(identity, 5)).toBe(0);
  expect(gaussianWassersteinCorrelation(identity, 5).distance).toBeCloseTo(0, 12);
});

test('a correlation of 0.9 gives −½ ln 0.19 and the golden Wasserstein correlation', () => {
  expect(gaussianTotalCorrelation(correlated, 2)).toBeCloseTo(-0.5 * Math.log(0.19), 12);
  expect(gaussianTotalCorrelation(correlated, 2)).toBeCloseTo(known['gtc[[1,.9],[.9,1]]'], 9);
  expect(gaussianWassersteinCorrelation(correlated, 2).distance).toBeCloseTo(known['gwc[[1,.9],[.9,1]]'], 9);
});

test('fixture A has the golden scores', () => {
  const { score, parts } = unsupervised.score(fixtureA());
  expect(score).toBeCloseTo(known['A.gtc'], 9);
  expect(parts.wassersteinCorrelation).toBeCloseTo(known['A.gwc'], 9);
  expect(parts.normalisedWassersteinCorrelation).toBeCloseTo(known['A.gwc_norm'], 9);
  expect(parts.mutualInformation).toBeCloseTo(known['A.mutual_info_score'], 9);
});

test('independent codes score near 0 in all three, in any order and with any sign', () => {
  const table = identityTable(10000, [4, 5, 6]);
  const { score, parts } = unsupervised.score(table);
  expect(score).toBeLessThan(0.001);
  expect(parts.wassersteinCorrelation).toBeLessThan(0.01);
  expect(parts.mutualInformation).toBeLessThan(0.01);
  expect(unsupervised.score(permuted(table)).score).toBeCloseTo(score, 12);
  expect(unsupervised.score(flipped(table)).score).toBeCloseTo(score, 12);
});

test('doubled codes have an infinite total correlation, and a sentence says why', () => {
  const { score, notes } = unsupervised.score(duplicated(identityTable(1000, [4, 5])));
  expect(score).toBe(Number.POSITIVE_INFINITY);
  expect(notes).toEqual(['Some dimensions follow exactly from others, so the total correlation is infinite.']);
});

test('constant dimensions change nothing; zeros and a single dimension score 0', () => {
  const table = identityTable(1000, [4, 5]);
  const noted = unsupervised.score(padded(table));
  expect(noted.notes).toEqual(['1 of 4 dimensions are constant, hence independent of all others.']);
  expect(noted.score).toBeLessThan(0.01);
  expect(unsupervised.score(zeroed(table)).score).toBe(0);
  expect(unsupervised.score({ codes: identityTable(100, [5]).codes }).parts.mutualInformation).toBe(0);
});
