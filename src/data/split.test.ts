import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import type { Labels } from '../model/index.ts';
import { type Dataset, range } from './dataset.ts';
import { heldOut, splitIndices, splitOf, subset, takeLabels } from './split.ts';

test('a split puts every item in exactly one part, the same for the same seed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 9 }), (length, seed) => {
      const parts = splitIndices(length, { seed, validation: 0.2, test: 0.3 });
      const all = [...parts.train, ...parts.validation, ...parts.test].sort((a, b) => a - b);
      expect(all).toEqual([...range(0, length)]);
      expect(parts.test.length).toBe(Math.round(length * 0.3));
      expect(splitIndices(length, { seed, validation: 0.2, test: 0.3 })).toEqual(parts);
    }),
  );
});

test('another seed gives another split', () => {
  expect(splitIndices(100, { seed: 1 }).test).not.toEqual(splitIndices(100, { seed: 2 }).test);
});

test('shares that leave nothing to train on are refused', () => {
  expect(() => splitIndices(10, { seed: 0, validation: 0.5, test: 0.5 })).toThrow(UntangleError);
  expect(() => splitIndices(10, { seed: 0, validation: Number.NaN })).toThrow(UntangleError);
});

const data: Dataset = {
  name: 'numbers',
  title: 'Numbers',
  shape: { kind: 'table', columns: ['a', 'b'] },
  range: 'real',
  length: 200,
  gather: (indices) => Float32Array.from([...Array.from(indices)].flatMap((index) => [index, -index])),
  fingerprint: 'f',
  labels: { names: ['even', 'odd'], values: Uint16Array.from({ length: 200 }, (_, i) => i % 2) },
  factors: {
    factors: [{ name: 'half', kind: 'continuous', size: 0 }],
    values: Float32Array.from({ length: 200 }, (_, i) => i / 2),
  },
};

test('a subset shows the chosen items with their labels and factors', () => {
  const some = subset(data, [4, 3]);
  expect(some.length).toBe(2);
  expect([...some.gather([1, 0])]).toEqual([3, -3, 4, -4]);
  expect([...(some.labels?.values ?? [])]).toEqual([0, 1]);
  expect([...(some.factors?.values ?? [])]).toEqual([2, 1.5]);
  expect(some.fingerprint).not.toBe(subset(data, [3, 4]).fingerprint);
  expect(() => some.gather([2])).toThrow('Item 2 of numbers was asked for; it has 2 items.');
  expect(() => subset(data, [200])).toThrow('it has 200 items');
});

test('the paper’s split is kept, and its validation part comes out of its training part', () => {
  const split = { train: range(100, 200), test: range(0, 100) };
  const parts = splitOf({ ...data, split }, { seed: 3, validation: 0.1 });
  expect(parts.test).toBe(split.test);
  expect(parts.validation.length).toBe(10);
  expect([...parts.train, ...parts.validation].sort((a, b) => a - b)).toEqual([...split.train]);
  const held = heldOut(parts);
  expect([...held]).toEqual([...parts.test, ...parts.validation]);
  expect([...parts.train, ...held].length).toBe(200);
});

const counted = (...counts: number[]): Labels => ({
  names: counts.map(String),
  values: Uint16Array.from(counts.flatMap((count, k) => new Array(count).fill(k))),
});
const perClass = (labels: Labels, taken: Uint32Array) =>
  labels.names.map((_, k) => taken.filter((index) => labels.values[index] === k).length);

test('stratified labels come from every class in proportion to its size, and at least one from each', () => {
  const labels = counted(600, 300, 100);
  expect(perClass(labels, takeLabels(labels, 10, { how: 'stratified', seed: 1 }))).toEqual([6, 3, 1]);
  const rare = counted(990, 8, 2);
  expect(perClass(rare, takeLabels(rare, 10, { how: 'stratified', seed: 1 }))).toEqual([8, 1, 1]);
});

test('as many labels are taken as were asked for, each once, and only among those allowed', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.double({ min: 0.01, max: 1, noNaN: true }), (counts, share) => {
      const labels = counted(...counts);
      const among = range(0, labels.values.length).filter((i) => i % 3 !== 1);
      const count = Math.max(1, Math.floor(among.length * share));
      const taken = takeLabels(labels, count, { how: 'stratified', seed: 5, among });
      expect(new Set(taken).size).toBe(count);
      expect(taken.every((index) => among.includes(index))).toBe(true);
    }),
  );
});

test('the first labels are the first ones among those allowed', () => {
  expect([...takeLabels(counted(5, 5), 3, { how: 'first', seed: 0, among: range(4, 9) })]).toEqual([4, 5, 6]);
});

test('more labels than there are is a plain error', () => {
  expect(() => takeLabels(counted(5), 6, { how: 'first', seed: 0 })).toThrow('between 1 and 5 can be taken');
});
