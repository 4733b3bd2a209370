import { expect, test } from 'vitest';
import { elbo } from './elbo.ts';
import { reconstruction } from './reconstruction.ts';

const original = Float32Array.of(1, 0, 1, 0);
const made = Float32Array.of(0.75, 0.25, 0.5, 0);
const reconstructions = { original, reconstruction: made, n: 2, size: 2 };
const crossEntropy = -(2 * Math.log(0.75) + Math.log(0.5));

test('errors are sums over an image and means over a pixel', () => {
  const { score, parts } = reconstruction.score({ reconstructions });
  expect(score).toBeCloseTo((0.0625 + 0.0625 + 0.25) / 4, 12);
  expect(parts.squaredPerImage).toBeCloseTo(0.375 / 2, 12);
  expect(parts.absolutePerPixel).toBeCloseTo(1 / 4, 12);
  expect(parts.absolutePerImage).toBeCloseTo(1 / 2, 12);
  expect(parts.crossEntropyPerPixel).toBeCloseTo(crossEntropy / 4, 12);
});

test('a perfect reconstruction has no error, and a saturated wrong pixel a finite cross-entropy', () => {
  expect(reconstruction.score({ reconstructions: { ...reconstructions, reconstruction: original } }).score).toBe(0);
  const wrong = reconstruction.score({
    reconstructions: { ...reconstructions, reconstruction: original.map((v) => 1 - v) },
  });
  expect(wrong.parts.crossEntropyPerPixel).toBe(100);
});

test('values outside 0 … 1 have squared and absolute errors only', () => {
  const { parts, notes } = reconstruction.score({
    reconstructions: { ...reconstructions, original: Float32Array.of(-1, 0, 1, 0) },
  });
  expect(parts.crossEntropyPerPixel).toBeUndefined();
  expect(notes).toEqual(['Values outside 0 … 1 have no binary cross-entropy.']);
});

test('the ELBO is the log likelihood less the KL, for each likelihood', () => {
  const codes = { values: Float64Array.of(1, -1), n: 2, d: 1, logVariance: new Float64Array(2) };
  const score = (options: object) => elbo.score({ codes, reconstructions }, { ...options });
  expect(score({}).score).toBeCloseTo(-crossEntropy / 2 - 0.5, 12);
  expect(score({ likelihood: 'gaussian' }).parts.logLikelihood).toBeCloseTo(-0.375 / 4 - Math.log(2 * Math.PI), 12);
  expect(score({ likelihood: 'laplace', scale: 0.5 }).parts.logLikelihood).toBeCloseTo(-1, 12);
});

test('a Bernoulli likelihood of values outside 0 … 1 is refused with a sentence', () => {
  const codes = { values: Float64Array.of(1, -1), n: 2, d: 1, logVariance: new Float64Array(2) };
  const outside = { ...reconstructions, original: Float32Array.of(-1, 0, 1, 0) };
  expect(() => elbo.score({ codes, reconstructions: outside })).toThrow('values in 0 … 1');
});
