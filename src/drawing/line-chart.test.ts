import { expect, test } from 'vitest';
import { lineChart, spread } from './line-chart.ts';
import { toSvg } from './svg.ts';
import { cutTexts, shapesOf, textsOf, xmlElements } from './testing/pictures.ts';

const axes = { x: { label: 'step' }, y: { label: 'loss', unit: 'nats' } };
const steps = Array.from({ length: 50 }, (_, i) => i * 100);
const falling = steps.map((step) => 100 * Math.exp(-step / 1000) + 1);

/** The curves: lines with more than two points. */
const curves = (drawing: ReturnType<typeof lineChart>) =>
  shapesOf(drawing, 'line').filter(({ points }) => points.length > 4);

test('a curve runs from left to right and falls where its values fall', () => {
  const [{ points }] = curves(lineChart({ series: [{ name: 'loss', x: steps, y: falling }], ...axes }));
  const xs = points.filter((_, i) => i % 2 === 0);
  const ys = points.filter((_, i) => i % 2 === 1);
  expect(points).toHaveLength(100);
  expect(xs).toEqual([...xs].sort((a, b) => a - b));
  expect(ys).toEqual([...ys].sort((a, b) => a - b));
});

test('every curve is named at its end, and names do not overlap', () => {
  const series = ['loss', 'reconstruction', 'KL', 'a long name for a term'].map((name, i) => ({
    name,
    x: steps,
    y: falling.map((y) => y + i / 10),
  }));
  const drawing = lineChart({ series, ...axes, title: 'Terms', caption: 'All of them.' });
  const places = shapesOf(drawing, 'text').filter(({ text }) => series.some(({ name }) => name === text));
  expect(places).toHaveLength(4);
  const ys = places.map(({ y }) => y).sort((a, b) => a - b);
  for (let i = 1; i < 4; i++) expect(ys[i] - ys[i - 1]).toBeGreaterThan(11.5);
  expect(cutTexts(drawing)).toEqual([]);
  expect(xmlElements(toSvg(drawing))).toContain('polyline');
});

test('a curve is broken where it has no finite value, and a lone value is a dot', () => {
  const y = falling.map((value, i) => (i === 20 ? Number.NaN : value));
  expect(curves(lineChart({ series: [{ name: 'loss', x: steps, y }], ...axes }))).toHaveLength(2);
  expect(shapesOf(lineChart({ series: [{ name: 'loss', x: [1], y: [2] }], ...axes }), 'disc')).toHaveLength(2);
});

test('a logarithmic axis leaves out what is not positive, and says so', () => {
  const y = falling.map((value, i) => (i === 20 ? -1 : value));
  const drawing = lineChart({ series: [{ name: 'KL', x: steps, y }], x: axes.x, y: { label: 'loss', scale: 'log' } });
  expect(curves(drawing)).toHaveLength(2);
  expect(textsOf(drawing)).toContain('Values of KL that are not positive are left out.');
});

test('with smoothing the values themselves stay visible behind their mean', () => {
  const drawn = curves(lineChart({ series: [{ name: 'loss', x: steps, y: falling }], ...axes, smoothing: 0.8 }));
  expect(drawn.map(({ opacity }) => opacity)).toEqual([0.25, undefined]);
});

test('a curve of a hundred thousand values stays small and keeps its peaks', () => {
  const x = Float64Array.from({ length: 100_000 }, (_, i) => i);
  const y = x.map((i) => (i === 54_321 ? 100 : Math.sin(i)));
  const drawing = lineChart({ series: [{ name: 'loss', x, y }], ...axes });
  const [{ points }] = curves(drawing);
  expect(points.length).toBeLessThan(10_000);
  const small = lineChart({ series: [{ name: 'loss', x: [0, 54_321, 99_999], y: [-1, 100, 1] }], ...axes });
  const top = (values: number[]) => Math.min(...values.filter((_, i) => i % 2 === 1));
  expect(top(points)).toBeCloseTo(top(curves(small)[0].points), 1);
});

test('labels are moved apart and kept inside', () => {
  expect(spread([10, 11, 50], 10, 0, 100)).toEqual([10, 20, 50]);
  expect(spread([95, 96, 97], 10, 0, 100)).toEqual([80, 90, 100]);
  expect(spread([0, 1, 2], 10, 5, 100)).toEqual([5, 15, 25]);
  expect(spread([], 10, 0, 100)).toEqual([]);
});

test('no curve, unequal lengths and impossible smoothing are refused', () => {
  expect(() => lineChart({ series: [], ...axes })).toThrow('no curve');
  expect(() => lineChart({ series: [{ name: 'a', x: [1, 2], y: [1] }], ...axes })).toThrow('2 places and 1 values');
  expect(() => lineChart({ series: [{ name: 'a', x: [1], y: [1] }], ...axes, smoothing: 1 })).toThrow(
    'Smoothing was 1',
  );
});
