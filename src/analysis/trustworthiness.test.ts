import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import fixture from './fixtures/clustering.json' with { type: 'json' };
import { trustworthiness } from './trustworthiness.ts';

const x = Float64Array.from(fixture.silhouette.x);
const embedding = Float64Array.from(fixture.trustworthiness.embedding);

test('trustworthiness is scikit-learn’s', () => {
  expect(trustworthiness({ x, n: 120, d: 4, embedding })).toBeCloseTo(fixture.trustworthiness['5'], 12);
  expect(trustworthiness({ x, n: 120, d: 4, embedding, neighbours: 12 })).toBeCloseTo(
    fixture.trustworthiness['12'],
    12,
  );
});

test('the data is trusted wholly as its own picture, and noise about half', () => {
  expect(trustworthiness({ x, n: 120, d: 4, embedding: x, dimensions: 4 })).toBe(1);
  const noise = stream(1, 'noise').normals(240);
  expect(Math.abs(trustworthiness({ x, n: 120, d: 4, embedding: noise }) - 0.5)).toBeLessThan(0.1);
});

test('too many neighbours and missing numbers are refused in words', () => {
  expect(() => trustworthiness({ x, n: 120, d: 4, embedding, neighbours: 60 })).toThrow(
    '60 neighbours among 120 points',
  );
  expect(() => trustworthiness({ x, n: 120, d: 4, embedding: new Float64Array(240).fill(Number.NaN) })).toThrow(
    UntangleError,
  );
});
