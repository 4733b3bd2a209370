import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import fixture from './fixtures/two-sample.json' with { type: 'json' };
import { twoSampleTest } from './two-sample.ts';

const normals = (seed: number, n: number, d: number, shift = 0) =>
  stream(seed, 'sample')
    .normals(n * d)
    .map((value) => value + shift);

test('the statistic is scipy’s energy distance, squared', () => {
  for (const [{ x, y, energy }, d] of [
    [fixture.line, 1],
    [fixture.space, 3],
  ] as const) {
    const sets = { x: Float64Array.from(x), n: x.length / d, y: Float64Array.from(y), m: y.length / d, d };
    expect(twoSampleTest({ ...sets, seed: 0, permutations: 1 }).statistic).toBeCloseTo(energy, 10);
    const swapped = { x: sets.y, n: sets.m, y: sets.x, m: sets.n, d };
    expect(twoSampleTest({ ...swapped, seed: 0, permutations: 1 }).statistic).toBeCloseTo(energy, 10);
  }
});

test('for equal distributions p-values are spread evenly over 0 to 1', () => {
  const runs = 200;
  const values = Array.from({ length: runs }, (_, seed) =>
    twoSampleTest({
      x: normals(2 * seed, 20, 2),
      n: 20,
      y: normals(2 * seed + 1, 25, 2),
      m: 25,
      d: 2,
      seed,
      permutations: 99,
    }),
  )
    .map(({ pValue }) => pValue)
    .sort((a, b) => a - b);
  // Kolmogorov and Smirnov's distance from the uniform distribution: 1.63 / √runs is its 1 % point.
  const distance = Math.max(
    ...values.map((value, i) => Math.max(Math.abs(value - i / runs), Math.abs(value - (i + 1) / runs))),
  );
  expect(distance).toBeLessThan(1.63 / Math.sqrt(runs));
});

test('a shifted distribution has the smallest p-value there is', () => {
  const sets = { x: normals(1, 60, 3), n: 60, y: normals(2, 50, 3, 1.5), m: 50, d: 3 };
  expect(twoSampleTest({ ...sets, seed: 1, permutations: 199 }).pValue).toBe(1 / 200);
});

test('a wider distribution with the same mean is told apart', () => {
  const wide = normals(2, 150, 2).map((value) => 2.5 * value);
  expect(twoSampleTest({ x: normals(1, 150, 2), n: 150, y: wide, m: 150, d: 2, seed: 1 }).pValue).toBe(1 / 1000);
});

test('equal points cannot be told apart', () => {
  const points = new Float64Array(10).fill(4);
  expect(twoSampleTest({ x: points, n: 10, y: points, m: 10, d: 1, seed: 1 })).toMatchObject({
    statistic: 0,
    pValue: 1,
  });
  const around = twoSampleTest({ x: points, n: 10, y: points, m: 10, d: 1, seed: 1, centre: [0] });
  expect(around).toMatchObject({ pValue: 1, parts: { energy: 1, spread: 1 } });
});

test('large sets are sampled, by the seed', () => {
  const sets = { x: normals(1, 400, 1), n: 400, y: normals(2, 300, 1, 2), m: 300, d: 1, permutations: 49, sample: 80 };
  const first = twoSampleTest({ ...sets, seed: 1 });
  expect(first).toEqual(twoSampleTest({ ...sets, seed: 1 }));
  expect(first.statistic).not.toBe(twoSampleTest({ ...sets, seed: 2 }).statistic);
  expect(first.pValue).toBe(1 / 50);
});

test('single points and missing numbers are refused in words', () => {
  const pair = Float64Array.of(1, 2);
  expect(() => twoSampleTest({ x: pair, n: 2, y: Float64Array.of(1), m: 1, d: 1, seed: 0 })).toThrow(
    'number of points is 1',
  );
  expect(() => twoSampleTest({ x: pair, n: 2, y: Float64Array.of(1, Number.NaN), m: 2, d: 1, seed: 0 })).toThrow(
    UntangleError,
  );
  expect(() => twoSampleTest({ x: pair, n: 2, y: pair, m: 2, d: 1, seed: 0, permutations: 0 })).toThrow(UntangleError);
});

/** Codes of a block that hardly carries anything for either set, and somewhat more of the target's. */
function aroundZero(seed: number, wider: number) {
  return {
    ...{ x: normals(seed, 62, 4).map((value, e) => value * (e % 4 === 0 ? wider : 1)), n: 62 },
    ...{ y: normals(seed + 1000, 32, 4), m: 32, d: 4, seed, permutations: 499, centre: [0, 0, 0, 0] },
  };
}

test('codes that lie more widely around a centre are told apart where energy distance alone would not', () => {
  const found = Array.from({ length: 20 }, (_, seed) => twoSampleTest(aroundZero(seed, 2.2)));
  const share = (p: (one: (typeof found)[number]) => number | undefined) =>
    found.filter((one) => (p(one) ?? 1) < 0.01).length;
  expect(share(({ pValue }) => pValue)).toBeGreaterThan(share(({ parts }) => parts?.energy) + 3);
});

test('that two statistics are looked at is made up for: equal sets are called different as often as the level says', () => {
  const values = Array.from(
    { length: 150 },
    (_, seed) => twoSampleTest({ ...aroundZero(seed, 1), permutations: 99 }).pValue,
  );
  expect(values.filter((value) => value <= 0.05).length).toBeLessThanOrEqual(15);
  expect(values.filter((value) => value <= 0.2).length).toBeGreaterThan(15);
});

test('ten rows of each of six equal subjects are no sixty rows: whole subjects are relabelled', () => {
  const noise = stream(3, 'subjects');
  const rows = (count: number) => {
    const own = noise.normals(count);
    return Float64Array.from({ length: 10 * count }, (_, row) => own[Math.floor(row / 10)] + 0.1 * noise.normal());
  };
  const sets = { x: rows(6), n: 60, y: rows(6), m: 60, d: 1, seed: 1 };
  expect(twoSampleTest(sets).pValue).toBeLessThan(0.01);
  const units = Array.from({ length: 120 }, (_, row) => Math.floor(row / 10));
  const test = twoSampleTest({ ...sets, design: { units } });
  expect(test.pValue).toBeGreaterThan(0.05);
  expect(test.labellings).toBeCloseTo(924, 6);
});
