import { expect, test } from 'vitest';
import { elbo } from './elbo.ts';

const original = Float32Array.of(1, 0, 1, 0);
const made = Float32Array.of(0.75, 0.25, 0.5, 0);
const reconstructions = { original, reconstruction: made, n: 2, size: 2 };
const crossEntropy = -(2 * Math.log(0.75) + Math.log(0.5));

test('the ELBO is the log likelihood less the KL, for each likelihood', () => {
  const codes = { values: Float64Array.of(1, -1), n: 2, d: 1, logVariance: new Float64Array(2) };
  const score = (options: object) => elbo.score({ codes, reconstructions }, { ...options });
  expect(score({}).score).toBeCloseTo(-crossEntropy / 2 - 0.5, 12);
  expect(score({ likelihood: 'gaussian' }).parts.logLikelihood).toBeCloseTo(-0.375 / 4 - Math.log(2 * Math.PI), 12);
  expect(score({ likelihood: 'laplace', scale: 0.5 }).parts.logLikelihood).toBeCloseTo(-1, 12);
});

test('where only the first items are reconstructed, the ELBO is theirs', () => {
  const codes = { values: Float64Array.of(1, -1, 5), n: 3, d: 1, logVariance: new Float64Array(3) };
  expect(elbo.score({ codes, reconstructions }).score).toBeCloseTo(-crossEntropy / 2 - 0.5, 12);
  const more = { ...reconstructions, original: new Float32Array(8), reconstruction: new Float32Array(8), n: 4 };
  expect(() => elbo.score({ codes, reconstructions: more })).toThrow('4 reconstructions for 3 rows of codes');
});

test('a Bernoulli likelihood of values outside 0 … 1 is refused with a sentence', () => {
  const codes = { values: Float64Array.of(1, -1), n: 2, d: 1, logVariance: new Float64Array(2) };
  const outside = { ...reconstructions, original: Float32Array.of(-1, 0, 1, 0) };
  expect(() => elbo.score({ codes, reconstructions: outside })).toThrow('values in 0 … 1');
});
