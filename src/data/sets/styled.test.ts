import { expect, test } from 'vitest';
import { styledMnist } from './styled.ts';

const opened = await styledMnist.open({});
if (opened.kind !== 'contrast') throw new Error('one set');
const { target, background } = opened;
const plane = 64 * 64;
const style = (item: number) => [...(target.factors?.values.subarray(item * 5, item * 5 + 5) ?? [])];
const scaleOf = (item: number) => 0.5 + style(item)[3] / 2;
const widthOf = (item: number) => 1 + 9 * style(item)[4];
const first = Array.from({ length: 60 }, (_, i) => i * 1000);

test('there are 30,000 plain digits, 60,000 styled ones and two folds of 5,000', () => {
  expect(background.length).toBe(30_000);
  expect(target.length).toBe(70_000);
  const { train, validation, test: held } = target.split ?? {};
  expect([train?.length, validation?.length, held?.length]).toEqual([60_000, 5000, 5000]);
  expect([validation?.[0], held?.[0], held?.[4999]]).toEqual([60_000, 65_000, 69_999]);
  expect(target.factors?.factors.map(({ name }) => name)).toEqual(['R', 'G', 'B', 'scale', 'width']);
});

test('each digit of one half is styled twice, differently, and the folds are MNIST’s test part', () => {
  const labels = target.labels?.values ?? new Uint16Array();
  for (let i = 0; i < 30_000; i += 97) expect(labels[i]).toBe(labels[30_000 + i]);
  expect(style(0)).not.toEqual(style(30_000));
  const counts = new Array(10).fill(0);
  for (const label of labels.subarray(60_000)) counts[label]++;
  expect(counts).toEqual([980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]);
});

test('styles are drawn as the paper says: colours sum to one, scales and the ten widths are as likely each', () => {
  const values = target.factors?.values ?? new Float32Array();
  const seen = new Map<number, number>();
  let scales = 0;
  for (let i = 0; i < target.length; i++) {
    const [r, g, b, scale, width] = values.subarray(i * 5, i * 5 + 5);
    expect(Math.abs(r + g + b - 1)).toBeLessThan(1e-6);
    expect(scale >= 0 && scale <= 1).toBe(true);
    scales += scale / target.length;
    const pixels = Math.round(1 + 9 * width);
    seen.set(pixels, (seen.get(pixels) ?? 0) + 1);
  }
  expect([...seen.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const count of seen.values()) expect(Math.abs(count - 7000)).toBeLessThan(400);
  expect(scales).toBeCloseTo(0.5, 2);
});

test('the guess of each factor’s mean errs by 0.192 over all factors, as much as the paper’s probes of z', () => {
  const values = target.factors?.values ?? new Float32Array();
  const errors = Array.from({ length: 5 }, (_, k) => {
    const column = Array.from({ length: 5000 }, (_, i) => values[(60_000 + i) * 5 + k]);
    const centre = column.reduce((sum, value) => sum + value / column.length, 0);
    return column.reduce((sum, value) => sum + Math.abs(value - centre) / column.length, 0);
  });
  expect(errors.reduce((sum, error) => sum + error / 5, 0)).toBeCloseTo(0.192, 2);
});

test('strokes of a digit’s thinnest style are one pixel wide, those of the widest ten', () => {
  // Rows through the middle of a one, whose boundary is two lines: the runs of ink there.
  const runsOf = (wanted: number) => {
    const runs: number[] = [];
    for (let item = 0; item < 60_000 && runs.length < 200; item++) {
      if (Math.round(widthOf(item)) !== wanted || scaleOf(item) < 0.98) continue;
      const image = target.gather([item]);
      const brightest = Math.max(...image.subarray(0, plane));
      for (let y = 8; y < 56; y++) {
        let run = 0;
        for (let x = 0; x < 64; x++) {
          if (image[64 * y + x] > -1 + (brightest + 1) / 2) run++;
          else if (run > 0) run = runs.push(run) * 0;
        }
      }
    }
    return runs;
  };
  const thin = runsOf(1);
  expect(thin.filter((run) => run <= 2).length / thin.length).toBeGreaterThan(0.6);
  expect(Math.min(...runsOf(10))).toBeGreaterThanOrEqual(8);
}, 20_000);

test('the brightest pixel of each channel is the colour, in [−1, 1]', () => {
  let checked = 0;
  for (const item of first) {
    const [r, g, b] = style(item);
    if (widthOf(item) < 7 || scaleOf(item) < 0.6) continue;
    const image = target.gather([item]);
    for (const [c, part] of [r, g, b].entries()) {
      const brightest = Math.max(...image.subarray(c * plane, (c + 1) * plane));
      expect(brightest).toBeCloseTo(2 * part - 1, 2);
    }
    checked++;
  }
  expect(checked).toBeGreaterThan(10);
});

test('nothing is drawn outside of the square that the scale leaves', () => {
  for (const item of first) {
    const image = target.gather([item]);
    const margin = Math.floor(32 * (1 - scaleOf(item)));
    for (let i = 0; i < plane; i++) {
      const [y, x] = [Math.floor(i / 64), i % 64];
      if (Math.min(y, x, 63 - y, 63 - x) < margin) expect(image[i]).toBe(-1);
    }
  }
});

test('plain digits are white outlines three pixels wide on black', () => {
  for (const item of [17, 170, 1700]) {
    const image = background.gather([item]);
    expect(new Set(image)).toEqual(new Set([-1, 1]));
    expect(image.subarray(0, plane)).toEqual(image.subarray(2 * plane));
    const isInk = (y: number, x: number) => image[64 * y + x] === 1;
    let ink = 0;
    for (let y = 1; y < 63; y++) {
      for (let x = 1; x < 63; x++) {
        if (!isInk(y, x)) continue;
        ink++;
        // Every pixel of a line is in a square of 3 × 3 that is all line.
        const isWide = around.some(([dy, dx]) => around.every(([ey, ex]) => isInk(y + dy + ey, x + dx + ex)));
        expect(isWide).toBe(true);
      }
    }
    expect(ink).toBeGreaterThan(150);
    expect(ink).toBeLessThan(1200);
  }
});

test('plain digits may be drawn as their bare boundary, on the same styles', async () => {
  const bare = await styledMnist.open({ part: 'outline-1' });
  if (bare.kind !== 'contrast') throw new Error('one set');
  const inkOf = (image: Float32Array) => image.subarray(0, plane).filter((value) => value === 1).length;
  for (const item of [17, 170, 1700]) {
    const [thin, thick] = [inkOf(bare.background.gather([item])), inkOf(background.gather([item]))];
    expect(thick / thin).toBeGreaterThan(1.8);
    expect(thick / thin).toBeLessThan(5);
  }
  expect(bare.target.fingerprint).toBe(target.fingerprint);
  expect(bare.background.fingerprint).not.toBe(background.fingerprint);
  await expect(styledMnist.open({ part: 'outline-2' })).rejects.toThrow('outline-2');
});

const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dy, dx]));

test('the seed decides halves and styles', async () => {
  const again = await styledMnist.open({ seed: 0 });
  const other = await styledMnist.open({ seed: 1 });
  if (again.kind !== 'contrast' || other.kind !== 'contrast') throw new Error('one set');
  expect(again.target.fingerprint).toBe(target.fingerprint);
  expect(other.target.fingerprint).not.toBe(target.fingerprint);
  expect(other.background.fingerprint).not.toBe(background.fingerprint);
});
