import { expect, test } from 'vitest';
import { compile } from '../runtime/index.ts';
import { nodeBackend } from '../runtime/node/index.ts';
import { constant, input, type Tensor } from '../tensor/index.ts';
import { klToStandardNormal, sample } from './gaussian.ts';
import { reconstruction } from './likelihood.ts';
import { aggregateCovariance, covariance, distanceToIdentity, thirdCentralMoments } from './moments.ts';

// Fixture C of the metrics' definitions: μ = sin(1.3r + .7c)(1 + .5c), lv = −1 + .1r + .05c, ε = sin(7r + 3c + 1), 8 × 3.
const [rows, columns] = [8, 3];
const grid = (f: (r: number, c: number) => number) =>
  constant(
    Float32Array.from({ length: rows * columns }, (_, i) => f(Math.floor(i / columns), i % columns)),
    [rows, columns],
  );
const meanAt = (r: number, c: number) => Math.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c);
const logVarianceAt = (r: number, c: number) => -1 + 0.1 * r + 0.05 * c;
const mean = grid(meanAt);
const logVariance = grid(logVarianceAt);
const noise = grid((r, c) => Math.sin(7 * r + 3 * c + 1));

async function evaluate(outputs: Record<string, Tensor>): Promise<Record<string, Float32Array>> {
  const program = await compile({ parameters: [], functions: { f: outputs } }, { backend: await nodeBackend() });
  const result = await program.run('f', {});
  await program.close();
  return result;
}

test('KL, sample and DIP terms have the golden values of fixture C', async () => {
  const one = distanceToIdentity(covariance(mean));
  const two = distanceToIdentity(aggregateCovariance({ mean, logVariance }));
  const { kl, z, dipI, dipII } = await evaluate({
    kl: klToStandardNormal({ mean, logVariance }).sum(1).mean(),
    z: sample({ mean, logVariance }, noise),
    dipI: one.offDiagonal.times(10).plus(one.diagonal.times(100)),
    dipII: two.offDiagonal.times(5).plus(two.diagonal.times(5)),
  });
  expect(kl[0]).toBeCloseTo(2.088445351728522, 5);
  expect(z[0]).toBeCloseTo(0.5103779515445728, 6);
  expect(z[23]).toBeCloseTo(-2.231310382045729, 5);
  expect(dipI[0] / 198.24084730332063).toBeCloseTo(1, 5);
  expect(dipII[0] / 32.37071303750911).toBeCloseTo(1, 5);
});

test('third central moments are those of the mixture of all posteriors', async () => {
  const { moments } = await evaluate({ moments: thirdCentralMoments({ mean, logVariance }) });
  // Three nodes of Gauss and Hermite in each dimension integrate polynomials up to degree five exactly.
  const nodes = [
    { x: -Math.sqrt(3), weight: 1 / 6 },
    { x: 0, weight: 2 / 3 },
    { x: Math.sqrt(3), weight: 1 / 6 },
  ];
  const points = Array.from({ length: rows }, (_, r) =>
    nodes.flatMap((a) =>
      nodes.flatMap((b) =>
        nodes.map((c) => ({
          z: [a, b, c].map(({ x }, i) => meanAt(r, i) + Math.exp(0.5 * logVarianceAt(r, i)) * x),
          weight: (a.weight * b.weight * c.weight) / rows,
        })),
      ),
    ),
  ).flat();
  const expectation = (f: (z: number[]) => number) => points.reduce((sum, { z, weight }) => sum + weight * f(z), 0);
  const centre = [0, 1, 2].map((i) => expectation((z) => z[i]));
  for (let place = 0; place < columns ** 3; place++) {
    const indices = [Math.floor(place / 9), Math.floor(place / 3) % 3, place % 3];
    const exact = expectation((z) => indices.reduce((product, i) => product * (z[i] - centre[i]), 1));
    expect(moments[place]).toBeCloseTo(exact, 5);
  }
});

test('the distance to the identity has exact values on hand-made matrices', async () => {
  const matrix = (f: (i: number, j: number) => number) =>
    constant(
      Array.from({ length: 100 }, (_, at) => f(Math.floor(at / 10), at % 10)),
      [10, 10],
    );
  const total = (m: Tensor) => {
    const { offDiagonal, diagonal } = distanceToIdentity(m);
    return offDiagonal.plus(diagonal);
  };
  const result = await evaluate({
    ones: total(matrix(() => 1)),
    zeros: total(matrix(() => 0)),
    unit: total(matrix((i, j) => (i === j ? 1 : 0))),
    double: total(matrix((i, j) => (i === j ? 2 : 0))),
  });
  expect([result.ones[0], result.zeros[0], result.unit[0], result.double[0]]).toEqual([90, 10, 0, 10]);
});

test('likelihoods are summed over pixels, and their mean is that of the batch', async () => {
  const x = constant([0, 1, 1, 0], [2, 1, 1, 2]);
  const output = constant([0, 0, 2, -1], [2, 1, 1, 2]);
  const { bernoulli, gaussian, laplace } = await evaluate({
    bernoulli: reconstruction(output, x, 'bernoulli').mean(),
    gaussian: reconstruction(output, x, 'gaussian', 0.5).mean(),
    laplace: reconstruction(output, x, 'laplace', 0.01).mean(),
  });
  const byHand = (2 * Math.LN2 + Math.log1p(Math.exp(-2)) + Math.log1p(Math.exp(-1))) / 2;
  expect(bernoulli[0]).toBeCloseTo(byHand, 5);
  expect(gaussian[0]).toBe(((0 + 1 + 1 + 1) * 2) / 2);
  expect(laplace[0]).toBeCloseTo((0 + 1 + 1 + 1) / 0.01 / 2, 4);
});

test('feeds keep their shape through the terms', () => {
  const x = input('x', [4, 1, 2, 2]);
  expect(reconstruction(x, x, 'gaussian').shape).toEqual([4]);
});
