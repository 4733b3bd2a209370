import { expect, test } from 'vitest';
import { migSampled, mixtureEntropy } from './mig-sampled.ts';
import { duplicated, flipped, identityTable, padded, permuted, type Table, zeroed } from './testing/data.ts';

/** Posteriors around the codes, as narrow as told. */
const around = ({ codes, factors }: Table, logVariance = -8) => ({
  codes: { ...codes, logVariance: new Float64Array(codes.values.length).fill(logVariance) },
  factors,
});
const score = (table: Table, logVariance?: number) => migSampled.score(around(table, logVariance)).score;

test('the entropy of equal standard-normal posteriors is ½ ln 2πe', () => {
  const n = 4000;
  const table = around(zeroed(identityTable(n, [2])), 0);
  const { parts } = migSampled.score({ ...table, factors: identityTable(n, [2]).factors });
  expect((parts.matrix as number[][])[0][0]).toBeLessThan(0.05);
  const grid = Float64Array.from({ length: 2001 }, (_, i) => inverseNormal((i + 0.5) / 2001));
  const posteriors = { mean: new Float64Array(2001), precision: new Float64Array(2001).fill(1), sample: grid };
  const everybody = Uint32Array.from(grid.keys());
  expect(mixtureEntropy(posteriors, everybody, 2001)).toBeCloseTo(0.5 * Math.log(2 * Math.PI * Math.E), 2);
});

test('posteriors far apart add the entropy of the choice between them', () => {
  const eps = [0.3, -1.1, 0.7, -0.2];
  const near = (mean: number[]) => ({
    mean: Float64Array.from(mean),
    precision: new Float64Array(4).fill(1),
    sample: Float64Array.from(mean, (mu, i) => mu + eps[i]),
  });
  const all = Uint32Array.of(0, 1, 2, 3);
  const apart = mixtureEntropy(near([0, 100, 200, 300]), all, 4);
  const alone = mixtureEntropy(near([0, 0, 0, 0]), all, 4);
  expect(apart - alone).toBeCloseTo(Math.log(4), 9);
});

test('identity codes with narrow posteriors have a gap near 1, wide posteriors a smaller one', () => {
  const table = identityTable(1200, [3, 4]);
  expect(score(table)).toBeGreaterThan(0.98);
  expect(score(table, 0)).toBeLessThan(0.5);
});

test('zeros and doubled codes have next to no gap; order, sign and a dead dimension do not matter', () => {
  const table = identityTable(1000, [3, 4]);
  expect(score(zeroed(table))).toBeLessThan(0.02);
  expect(score(duplicated(table))).toBeLessThan(0.02);
  expect(score(permuted(table))).toBeGreaterThan(0.98);
  expect(score(flipped(table))).toBeGreaterThan(0.98);
  expect(score(padded(table))).toBeGreaterThan(0.9);
});

/** The quantile of the standard normal by bisection of its distribution, integrated by Simpson's rule. */
function inverseNormal(p: number): number {
  const below = (x: number) => {
    const steps = 200;
    const density = (t: number) => Math.exp(-0.5 * t * t) / Math.sqrt(2 * Math.PI);
    let sum = density(0) + density(x);
    for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density((x * i) / steps);
    return 0.5 + (sum * x) / steps / 3;
  };
  let [low, high] = [-6, 6];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (below(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
