import { expect, test } from 'vitest';
import type { DrawnShape } from './drawing.ts';
import { namesLegend, scaleLegend } from './legend.ts';
import { scaleColour } from './palette.ts';

const dot = (_: number, x: number, y: number): DrawnShape => ({ kind: 'disc', x, y, radius: 2, fill: '#000000' });
const named = (count: number) => Array.from({ length: count }, (_, i) => `name ${i}`);
const texts = (shapes: DrawnShape[]) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));

test('each name stands behind its mark, in as many columns as the height asks for', () => {
  const legend = namesLegend(named(10), dot, 0, 0, 100);
  const marks = legend.shapes.flatMap((shape) => (shape.kind === 'disc' ? [shape] : []));
  expect(texts(legend.shapes)).toEqual(named(10));
  expect(new Set(marks.map(({ x }) => x)).size).toBe(2);
  expect(Math.max(...marks.map(({ y }) => y))).toBeLessThan(100);
});

test('a list that is too long ends with how many more there are', () => {
  const shown = texts(namesLegend(named(1000), dot, 0, 0, 100).shapes);
  expect(shown).toHaveLength(20);
  expect(shown.at(-1)).toBe('… and 981 more');
});

test('a scale has its highest colour at the top, its lowest at the foot, and ticks beside it', () => {
  const legend = scaleLegend('slant', [0, 10], 0, 0, 200);
  const slices = legend.shapes.flatMap((shape) => (shape.kind === 'rectangle' ? [shape] : []));
  expect(slices[0].fill).toBe(scaleColour(1 - 0.5 / slices.length));
  expect(slices.at(-1)?.fill).toBe(scaleColour(0.5 / slices.length));
  expect(slices.at(-1)!.y + slices.at(-1)!.height).toBeCloseTo(200, 6);
  expect(texts(legend.shapes)).toEqual(['slant', '0', '2', '4', '6', '8', '10']);
});
