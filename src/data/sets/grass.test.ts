import { expect, test } from 'vitest';
import { grassPatches } from './grass.ts';

const patches = await grassPatches(400, { seed: 0, grey: false });
const plane = 784;

/** The value of a factor for a patch. */
const factor = (patch: number, name: string) => {
  const { factors, values } = patches.factors;
  return values[patch * factors.length + factors.findIndex((known) => known.name === name)];
};
const mean = (patch: number, select: (i: number) => boolean = () => true) => {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < 3 * plane; i++) {
    if (!select(i)) continue;
    sum += patches.pixels[patch * 3 * plane + i];
    count++;
  }
  return sum / count;
};
function correlation(a: number[], b: number[]): number {
  const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [average(a), average(b)];
  const covariance = average(a.map((value, i) => (value - ma) * (b[i] - mb)));
  return covariance / Math.sqrt(average(a.map((v) => (v - ma) ** 2)) * average(b.map((v) => (v - mb) ** 2)));
}
const all = Array.from({ length: 400 }, (_, i) => i);

test('the same seed gives the same patches, the first ones too when more are drawn', async () => {
  const fewer = await grassPatches(3, { seed: 0, grey: false });
  expect(Buffer.compare(fewer.pixels, patches.pixels.subarray(0, 3 * 3 * plane))).toBe(0);
  const others = await grassPatches(3, { seed: 1, grey: false });
  expect(Buffer.compare(fewer.pixels, others.pixels)).not.toBe(0);
});

test('patches vary slowly and by their factors: brightness, slope of light and warmth show in the pixels', () => {
  const shown = (select: (i: number) => boolean, other: (i: number) => boolean) =>
    all.map((patch) => Math.log((mean(patch, select) + 1) / (mean(patch, other) + 1)));
  const known = (name: string) => all.map((patch) => factor(patch, name));
  expect(
    correlation(
      all.map((patch) => Math.log(mean(patch))),
      known('brightness'),
    ),
  ).toBeGreaterThan(0.7);
  const isRight = (i: number) => i % 28 >= 14;
  expect(
    correlation(
      shown(isRight, (i) => !isRight(i)),
      known('slope of light x'),
    ),
  ).toBeGreaterThan(0.7);
  const isLow = (i: number) => i % plane >= plane / 2;
  expect(
    correlation(
      shown(isLow, (i) => !isLow(i)),
      known('slope of light y'),
    ),
  ).toBeGreaterThan(0.7);
  const [isRed, isBlue] = [(i: number) => i < plane, (i: number) => i >= 2 * plane];
  expect(correlation(shown(isRed, isBlue), known('warmth'))).toBeGreaterThan(0.9);
});

test('crops go from 28 pixels to the whole picture', () => {
  const zooms = all.map((patch) => factor(patch, 'zoom'));
  expect(Math.min(...zooms)).toBeLessThan(0.1);
  expect(Math.max(...zooms)).toBeGreaterThan(4.1);
});

test('a grey patch is the luma of the coloured one where that is not clipped', async () => {
  const grey = await grassPatches(20, { seed: 0, grey: true });
  for (let i = 0; i < 20 * plane; i++) {
    const at = Math.floor(i / plane) * 3 * plane + (i % plane);
    const [r, g, b] = [0, plane, 2 * plane].map((offset) => patches.pixels[at + offset]);
    if (Math.max(r, g, b) < 255) {
      expect(Math.abs(grey.pixels[i] - (0.299 * r + 0.587 * g + 0.114 * b))).toBeLessThan(1.5);
    }
  }
});

test('about three in four pixels are above the threshold of the non-linear set, and few are clipped', () => {
  const share = (select: (value: number) => boolean) => patches.pixels.filter(select).length / patches.pixels.length;
  expect(share((value) => value > 0.3 * 255)).toBeGreaterThan(0.65);
  expect(share((value) => value > 0.3 * 255)).toBeLessThan(0.85);
  expect(share((value) => value === 255)).toBeLessThan(0.05);
});
