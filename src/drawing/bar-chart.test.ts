import { expect, test } from 'vitest';
import { barChart } from './bar-chart.ts';
import { categoryColour } from './palette.ts';
import { toSvg } from './svg.ts';
import { cutTexts, shapesOf, textsOf, xmlElements } from './testing/pictures.ts';

const value = { label: 'KL', unit: 'nats' };
const indexed = (values: number[]) => values.map((one, i) => ({ label: String(i), value: one }));
const barsOf = (drawing: ReturnType<typeof barChart>, group: number) =>
  shapesOf(drawing, 'rectangle').filter(
    ({ fill, height, width }) => fill === categoryColour(group) && height !== 2 && width !== 10,
  );

test('bars are as high as their values are large, and stand on one line', () => {
  const bars = barsOf(barChart({ groups: [{ name: 'shared', bars: indexed([1, 2, 4]) }], value }), 0);
  expect(bars.map(({ height }) => height / bars[0].height)).toEqual([1, 2, 4].map((times) => expect.closeTo(times, 9)));
  expect(new Set(bars.map(({ y, height }) => (y + height).toFixed(6))).size).toBe(1);
});

test('each block has its colour and its name under its bars', () => {
  const drawing = barChart({
    groups: [
      { name: 'shared', bars: indexed([3, 2, 1]) },
      { name: 'salient', bars: indexed([1, 2]) },
    ],
    value,
  });
  expect([barsOf(drawing, 0).length, barsOf(drawing, 1).length]).toEqual([3, 2]);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['shared', 'salient', 'KL (nats)']));
  expect(cutTexts(drawing)).toEqual([]);
});

test('names that are wider than their bars go into a legend', () => {
  const drawing = barChart({
    groups: [
      { name: 'shared', bars: indexed([3, 2, 1]) },
      { name: 'class-related', bars: indexed([1]) },
    ],
    value,
  });
  const name = shapesOf(drawing, 'text').find(({ text }) => text === 'class-related')!;
  const last = barsOf(drawing, 1)[0];
  expect(name.x).toBeGreaterThan(last.x + last.width);
  expect(cutTexts(drawing)).toEqual([]);
});

test('named bars lie level, with their values beside them, to the left where these are negative', () => {
  const bars = [
    { label: 'pCAMKII_N', value: 1.1 },
    { label: 'BRAF_N', value: -0.31 },
  ];
  const drawing = barChart({
    groups: [{ name: 'salient 0', bars }],
    value: { label: 'a label that is very much longer than these bars are' },
  });
  const [up, down] = barsOf(drawing, 0);
  expect(up.width / down.width).toBeCloseTo(1.1 / 0.31, 6);
  expect(down.x + down.width).toBeCloseTo(up.x, 6);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['pCAMKII_N', 'BRAF_N', '1.1', '−0.31']));
  expect(cutTexts(drawing)).toEqual([]);
});

test('of many dimensions every so many are numbered, and no number covers another', () => {
  const drawing = barChart({
    groups: [{ name: 'shared', bars: indexed(Array.from({ length: 100 }, (_, i) => 100 - i)) }],
    value,
  });
  expect(barsOf(drawing, 0)).toHaveLength(100);
  const numbers = shapesOf(drawing, 'text').filter(({ text, anchor }) => /^\d+$/.test(text) && anchor === 'middle');
  expect(numbers.map(({ text }) => text).slice(0, 3)).toEqual(['0', '5', '10']);
  expect(xmlElements(toSvg(drawing))).toContain('rect');
});

test('one bar, all zeros and a value that is not a number are shown; no bars are refused', () => {
  expect(barsOf(barChart({ groups: [{ name: 'shared', bars: indexed([1]) }], value }), 0)).toHaveLength(1);
  expect(barsOf(barChart({ groups: [{ name: 'shared', bars: indexed([0, 0]) }], value }), 0)[0].height).toBe(0);
  const drawing = barChart({ groups: [{ name: 'shared', bars: indexed([1, Number.NaN]) }], value });
  expect(barsOf(drawing, 0)).toHaveLength(1);
  expect(textsOf(drawing)).toContain('–');
  expect(() => barChart({ groups: [{ name: 'shared', bars: [] }], value })).toThrow('no bar');
});
