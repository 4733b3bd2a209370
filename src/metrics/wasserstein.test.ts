import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import golden from './fixtures/golden.json' with { type: 'json' };
import sklearn from './fixtures/sklearn.json' with { type: 'json' };
import type { CodeTable } from './metric.ts';
import { fixtureC } from './testing/data.ts';
import { normalFloor, wasserstein } from './wasserstein.ts';

const normal = (n: number, d: number, seed: number, shift = 0): CodeTable => ({
  values: Float64Array.from(stream(seed, 'w2').normals(n * d), (value) => value + shift),
  n,
  d,
});

test('fixture C: W2² between its first and last four samples is the golden one', () => {
  const { samples } = fixtureC();
  const half = (from: number) => ({ values: samples.slice(from * 3, (from + 4) * 3), n: 4, d: 3 });
  const { score } = wasserstein.score({ codes: half(0), background: half(4) }, { batch: 4, batches: 1 });
  expect(score).toBeCloseTo(golden.C['w2sq(z[0:4],z[4:8])'], 9);
});

test.each(sklearn.w2Floors)('the floor of two batches of 128 in $d dimensions is scipy’s', ({ d, mean, deviation }) => {
  const floors = Array.from({ length: 40 }, (_, step) => normalFloor(128, 128, d, 1, step));
  const ours = floors.reduce((sum, value) => sum + value, 0) / 40;
  // Three standard errors of a mean of 40.
  expect(Math.abs(ours - mean)).toBeLessThan((3 * deviation) / Math.sqrt(40));
});

test('a set has distance 0 to itself, sets of one distribution are at the floor, shifted ones above it', () => {
  const a = normal(128, 4, 1);
  expect(wasserstein.score({ codes: a, background: a }, { batches: 1 }).score).toBeCloseTo(0, 12);
  const same = wasserstein.score({ codes: normal(1000, 4, 1), background: normal(1000, 4, 2) });
  expect(Math.abs(same.score - (same.parts.floor as number))).toBeLessThan(0.15);
  expect(Math.abs(same.score - (same.parts.withinTarget as number))).toBeLessThan(0.15);
  const apart = wasserstein.score({ codes: normal(1000, 4, 1), background: normal(1000, 4, 2, 1) });
  expect(apart.score).toBeGreaterThan(4 * 0.9 + 0.5);
});

test('order and sign of dimensions do not matter if they are the same in both sets', () => {
  const score = (change: (values: CodeTable) => CodeTable) =>
    wasserstein.score({ codes: change(normal(60, 3, 1)), background: change(normal(80, 3, 2, 0.5)) }).score;
  const plain = score((codes) => codes);
  const turned = score((codes) => ({
    ...codes,
    values: Float64Array.from(codes.values, (_, at) => -codes.values[at - (at % 3) + 2 - (at % 3)]),
  }));
  expect(turned).toBeCloseTo(plain, 9);
});

test('the shared block is compared unless another is named, and unequal small sets are taken whole', () => {
  const blocks = [
    { name: 's', role: 'salient' as const, start: 0, size: 1 },
    { name: 'z', role: 'shared' as const, start: 1, size: 2 },
  ];
  const codes = { ...normal(50, 3, 1), blocks };
  const { parts, notes } = wasserstein.score({ codes, background: normal(40, 3, 2) }, { batches: 2 });
  expect([parts.block, parts.d, parts.n, parts.m]).toEqual(['z', 2, 50, 40]);
  expect(notes[0]).toBe('Batches are 50 and 40 rows: one set has no more.');
  expect(wasserstein.score({ codes, background: normal(40, 3, 2) }, { block: 's' }).parts.d).toBe(1);
  expect(() => wasserstein.score({ codes, background: normal(40, 3, 2) }, { block: 'q' })).toThrow('no block “q”');
});

test('samples of the posteriors are compared, so that a z at its prior is at the floor and not at 0', () => {
  // The encoder tells nothing of an item: means 0 and variances 1 in 8 dimensions.
  const empty = (n: number): CodeTable => ({
    values: new Float64Array(n * 8),
    logVariance: new Float64Array(n * 8),
    n,
    d: 8,
  });
  const inputs = { codes: empty(1000), background: empty(1000) };
  const samples = wasserstein.score(inputs);
  // The mean W2² of two batches of 128 standard-normal samples in 8 dimensions, by scipy (see the floors above).
  expect(Math.abs(samples.score - 4.43)).toBeLessThan(0.3);
  expect(Math.abs(Number(samples.parts.floor) - 4.43)).toBeLessThan(0.3);
  expect(samples.parts.of).toBe('samples');
  const means = wasserstein.score(inputs, { of: 'means' });
  expect([means.score, means.parts.floor, means.parts.of]).toEqual([0, 0, 'means']);
});

test('the floor of means, and of codes without variances, is that of normal codes that vary as they do', () => {
  const half = (seed: number): CodeTable => ({
    ...normal(2000, 4, seed),
    values: normal(2000, 4, seed).values.map((value) => value / 2),
  });
  const { parts, notes } = wasserstein.score({ codes: half(1), background: half(2) });
  const unit = wasserstein.score({ codes: normal(2000, 4, 1), background: normal(2000, 4, 2) }).parts;
  expect(Number(parts.floor) / Number(unit.floor)).toBeCloseTo(0.25, 2);
  expect(Math.abs(Number(parts.floor) - Number(parts.withinTarget))).toBeLessThan(0.05);
  expect(notes[0]).toBe('The codes have no variances, so they are compared as they are.');
});
