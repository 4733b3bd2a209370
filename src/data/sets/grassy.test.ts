import { expect, test } from 'vitest';
import type { Opened } from '../dataset.ts';
import { grassyMnist, grassyMnistNonlinear } from './grassy.ts';

const pair = (opened: Opened) => {
  if (opened.kind !== 'contrast') throw new Error('one set');
  return opened;
};
const linear = pair(await grassyMnist.open({}));
const nonlinear = pair(await grassyMnistNonlinear.open({}));

test('there are 4,986 backgrounds and 4,986 targets of each digit', () => {
  expect(linear.background.length).toBe(4986);
  const counts = new Array(10).fill(0);
  for (const label of linear.target.labels?.values ?? []) counts[label]++;
  expect(counts).toEqual(new Array(10).fill(4986));
  expect(linear.target.shape).toEqual({ kind: 'image', channels: 3, height: 28, width: 28 });
  expect(linear.target.shape).toEqual(linear.background.shape);
});

/** The patch that lies under a target, found by its factors. */
function patchUnder(item: number, { target, background }: typeof linear): Float32Array {
  const width = target.factors?.factors.length ?? 0;
  const known = target.factors?.values.subarray(item * width, (item + 1) * width) ?? new Float32Array();
  const values = background.factors?.values ?? new Float32Array();
  for (let patch = 0; patch < background.length; patch++) {
    if (known.every((value, k) => value === values[patch * width + k])) return background.gather([patch]);
  }
  throw new Error('no such patch');
}

test('a target is half its grass and half its digit (Eq. 10), the digit the same in each channel', () => {
  for (const item of [0, 1234, 49_859]) {
    const x = linear.target.gather([item]);
    const y = patchUnder(item, linear);
    const digit = Float32Array.from(x, (value, i) => 2 * value - y[i]);
    for (let i = 0; i < 784; i++) {
      expect(digit[i]).toBeCloseTo(digit[784 + i], 5);
      expect(digit[i]).toBeCloseTo(digit[1568 + i], 5);
      expect(digit[i]).toBeGreaterThan(-1e-5);
      expect(digit[i]).toBeLessThan(1 + 1e-5);
    }
    expect([digit[0], digit[27]].map((corner) => Math.abs(corner) < 1e-6)).toEqual([true, true]);
  }
});

test('the non-linear target is the same where the grass is brighter than 0.3, and black elsewhere (Eq. 11)', () => {
  for (const item of [5, 4321]) {
    const x = linear.target.gather([item]);
    const thresholded = nonlinear.target.gather([item]);
    const y = patchUnder(item, linear);
    let dark = 0;
    for (let i = 0; i < x.length; i++) {
      if (y[i] <= 0.3) dark++;
      expect(thresholded[i]).toBe(y[i] > 0.3 ? x[i] : 0);
    }
    expect(dark).toBeGreaterThan(0);
  }
});

test('grey sets have one channel, and the seed decides everything', async () => {
  const grey = pair(await grassyMnist.open({ grey: true }));
  expect(grey.target.shape).toEqual({ kind: 'image', channels: 1, height: 28, width: 28 });
  expect(grey.target.gather([7]).length).toBe(784);
  const again = pair(await grassyMnist.open({ seed: 0 }));
  expect([again.target.fingerprint, again.background.fingerprint]).toEqual([
    linear.target.fingerprint,
    linear.background.fingerprint,
  ]);
  expect(pair(await grassyMnist.open({ seed: 1 })).target.fingerprint).not.toBe(linear.target.fingerprint);
});
