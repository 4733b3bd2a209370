import { expect, test } from 'vitest';
import { extent } from './drawing.ts';
import { scatterChart } from './scatter-chart.ts';
import { cutTexts, shapesOf, textsOf } from './testing/pictures.ts';

const axes = { x: { label: 'reconstruction error' }, y: { label: 'SAP score' } };
const points = [1, 4, 16, 60].map((beta, i) => ({ x: 10 + 5 * i, y: 0.1 + 0.02 * i, label: String(beta) }));

test('marks stand where their values are, and methods differ in form and colour', () => {
  const series = [
    { name: 'β-VAE', points },
    { name: 'DIP-VAE', points: points.map((point) => ({ ...point, y: point.y + 0.1 })) },
  ];
  const drawing = scatterChart({ series, ...axes });
  const discs = shapesOf(drawing, 'disc');
  // Four marks and one in the legend.
  expect(discs).toHaveLength(5);
  expect(shapesOf(drawing, 'polygon')).toHaveLength(5);
  expect(discs[1].x - discs[0].x).toBeCloseTo(discs[2].x - discs[1].x, 6);
  expect(discs[0].y).toBeGreaterThan(discs[1].y);
  expect(textsOf(drawing)).toEqual(
    expect.arrayContaining(['β-VAE', 'DIP-VAE', '60', 'SAP score', 'reconstruction error']),
  );
  expect(cutTexts(drawing)).toEqual([]);
});

test('a method’s marks are joined in their order, and deviations are thin lines', () => {
  const drawing = scatterChart({
    series: [{ name: 'β-VAE', joined: true, points: points.map((point) => ({ ...point, yDeviation: 0.01 })) }],
    ...axes,
  });
  const lines = shapesOf(drawing, 'line');
  expect(lines.map((line) => line.points.length)).toEqual([8, 4, 4, 4, 4]);
  const [x0, y0, x1, y1] = lines[1].points;
  expect(x0).toBe(x1);
  expect(y0).toBeGreaterThan(y1);
});

test('labels do not cover each other or other marks', () => {
  const crowd = Array.from({ length: 9 }, (_, i) => ({ x: (i % 3) * 10, y: Math.floor(i / 3), label: `λ ${i}` }));
  const drawing = scatterChart({ series: [{ name: 'one', points: [...crowd, { x: 100, y: 30 }] }], ...axes });
  const boxes = shapesOf(drawing, 'text')
    .filter(({ text }) => text.startsWith('λ'))
    .map(extent);
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(0, i))
      expect(a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3).toBe(false);
});

test('one point is a chart, a point that is not finite is left out, and none are refused', () => {
  expect(shapesOf(scatterChart({ series: [{ name: 'one', points: [points[0]] }], ...axes }), 'disc')).toHaveLength(1);
  const series = [{ name: 'one', points: [...points, { x: Number.NaN, y: 1 }] }];
  expect(shapesOf(scatterChart({ series, ...axes }), 'disc')).toHaveLength(4);
  expect(() => scatterChart({ series: [{ name: 'one', points: [] }], ...axes })).toThrow('no point');
});
