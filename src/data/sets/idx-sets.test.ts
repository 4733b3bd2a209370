import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Dataset, Opened } from '../dataset.ts';
import { idxBytes } from '../testing/idx-bytes.ts';
import { emnist, fashionMnist, kmnist } from './idx-sets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'untangle-idx-sets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const pixels = (count: number) => Uint8Array.from({ length: count * 784 }, (_, i) => (i * 31) % 256);

function write(folder: string, prefix: string, count: number, labels: number[], packed = true) {
  mkdirSync(join(dataDir, folder), { recursive: true });
  const put = (name: string, bytes: Buffer) =>
    writeFileSync(join(dataDir, folder, packed ? `${name}.gz` : name), packed ? gzipSync(bytes) : bytes);
  put(`${prefix}-images-idx3-ubyte`, idxBytes(8, [count, 28, 28], pixels(count)));
  put(`${prefix}-labels-idx1-ubyte`, idxBytes(8, [labels.length], Uint8Array.from(labels)));
}

const single = (opened: Opened): Dataset => {
  if (opened.kind !== 'single') throw new Error('two sets');
  return opened.data;
};

test('Fashion-MNIST opens from its four packed files', async () => {
  write('fashion-mnist', 'train', 3, [9, 0, 4]);
  write('fashion-mnist', 't10k', 2, [1, 1]);
  const data = single(await fashionMnist.open({ dataDir }));
  expect(data.length).toBe(5);
  expect([...(data.split?.train ?? [])]).toEqual([0, 1, 2]);
  expect([...(data.split?.test ?? [])]).toEqual([3, 4]);
  expect(data.labels?.names[data.labels.values[0]]).toBe('Ankle boot');
  expect(data.gather([4])[5]).toBeCloseTo(pixels(2)[784 + 5] / 255, 6);
});

test('KMNIST opens unpacked, and from the folder that torchvision makes', async () => {
  write('KMNIST/raw', 'train', 2, [0, 5], false);
  write('KMNIST/raw', 't10k', 1, [9], false);
  expect([...(single(await kmnist.open({ dataDir })).labels?.values ?? [])]).toEqual([0, 5, 9]);
});

test('EMNIST’s pictures are turned upright and its letters counted from A', async () => {
  write('emnist', 'emnist-letters-train', 2, [1, 26]);
  write('emnist', 'emnist-letters-test', 1, [2]);
  const data = single(await emnist.open({ dataDir, part: 'letters' }));
  expect(Array.from(data.labels?.values ?? [], (k) => data.labels?.names[k])).toEqual(['A', 'Z', 'B']);
  expect(data.gather([1])[3 * 28 + 7]).toBeCloseTo(pixels(2)[784 + 7 * 28 + 3] / 255, 6);
});

test('the parts of EMNIST have as many classes as its paper says', async () => {
  for (const [part, count] of [
    ['balanced', 47],
    ['byclass', 62],
    ['bymerge', 47],
    ['letters', 26],
    ['digits', 10],
    ['mnist', 10],
  ] as const) {
    write('emnist', `emnist-${part}-train`, 1, [1]);
    write('emnist', `emnist-${part}-test`, 1, [1]);
    expect(single(await emnist.open({ dataDir, part })).labels?.names.length).toBe(count);
  }
  await expect(emnist.open({ dataDir, part: 'leters' })).rejects.toMatchObject({
    hint: expect.stringContaining('“letters”'),
  });
});

test('what is missing, and what does not fit, is said', async () => {
  await expect(fashionMnist.open({ dataDir })).rejects.toThrow(
    `there is no ${join(dataDir, 'fashion-mnist/train-images-idx3-ubyte.gz')}`,
  );
  write('fashion-mnist', 'train', 3, [0, 1]);
  write('fashion-mnist', 't10k', 1, [0]);
  await expect(fashionMnist.open({ dataDir })).rejects.toThrow('holds 3 pictures');
  write('fashion-mnist', 'train', 2, [0, 77]);
  await expect(fashionMnist.open({ dataDir })).rejects.toThrow('holds the label 77; Fashion-MNIST has 10 classes');
  writeFileSync(
    join(dataDir, 'fashion-mnist', 'train-images-idx3-ubyte.gz'),
    gzipSync(idxBytes(8, [2], Uint8Array.of(1, 2))),
  );
  await expect(fashionMnist.open({ dataDir })).rejects.toThrow('are another shape');
});
