import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Dataset, Opened } from '../dataset.ts';
import { writeNpz } from '../formats/npz.ts';
import { sharedData } from '../testing/shared-data.ts';
import { medmnist } from './medmnist.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'untangle-medmnist-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const single = (opened: Opened): Dataset => {
  if (opened.kind !== 'single') throw new Error('two sets');
  return opened.data;
};
const pixels = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31) % 256);

async function write(name: string, channels: number, columns: number, label: (i: number) => number) {
  const part = (count: number) => ({
    images: { shape: channels === 1 ? [count, 28, 28] : [count, 28, 28, 3], data: pixels(count * 784 * channels) },
    labels: { shape: [count, columns], data: Uint8Array.from({ length: count * columns }, (_, i) => label(i)) },
  });
  const [train, val, test] = [part(4), part(2), part(3)];
  await writeNpz(join(dataDir, 'medmnist', `${name}.npz`), {
    train_images: train.images,
    val_images: val.images,
    test_images: test.images,
    train_labels: train.labels,
    val_labels: val.labels,
    test_labels: test.labels,
  });
}

test.skipIf(!sharedData('pneumoniamnist'))('PneumoniaMNIST opens with its three parts', async () => {
  const data = single(await medmnist('pneumoniamnist').open({ dataDir: dirname(sharedData('pneumoniamnist') ?? '') }));
  expect(data.shape).toEqual({ kind: 'image', channels: 1, height: 28, width: 28 });
  expect([data.split?.train.length, data.split?.validation?.length, data.split?.test.length]).toEqual([4708, 524, 624]);
  const sick = data.labels?.values.filter((label) => label === 1).length;
  expect([data.labels?.names[1], sick]).toEqual(['pneumonia', 3494 + 389 + 390]);
});

test('a colour set comes in planes of red, green and blue', async () => {
  await write('bloodmnist', 3, 1, (i) => i % 8);
  const data = single(await medmnist('bloodmnist').open({ dataDir }));
  expect(data.shape).toEqual({ kind: 'image', channels: 3, height: 28, width: 28 });
  const image = data.gather([2]);
  for (const c of [0, 1, 2]) expect(image[c * 784 + 9]).toBeCloseTo(pixels(9999)[2 * 2352 + 27 + c] / 255, 6);
  expect([...(data.labels?.values ?? [])]).toEqual([0, 1, 2, 3, 0, 1, 0, 1, 2]);
});

test('the findings of ChestMNIST are factors, since a picture may have several', async () => {
  await write('chestmnist', 1, 14, (i) => i % 2);
  const data = single(await medmnist('chestmnist').open({ dataDir }));
  expect(data.labels).toBeUndefined();
  expect(data.factors?.factors.length).toBe(14);
  expect([...(data.factors?.values.subarray(14, 17) ?? [])]).toEqual([0, 1, 0]);
});

test('a file that is another set is a sentence', async () => {
  await write('bloodmnist', 1, 2, () => 0);
  await expect(medmnist('bloodmnist').open({ dataDir })).rejects.toThrow('is not bloodmnist');
  await write('bloodmnist', 3, 1, () => 8);
  await expect(medmnist('bloodmnist').open({ dataDir })).rejects.toThrow('holds the label 8; bloodmnist has 8 classes');
  await expect(medmnist('octmnist').open({ dataDir })).rejects.toThrow(join(dataDir, 'medmnist/octmnist.npz'));
});
