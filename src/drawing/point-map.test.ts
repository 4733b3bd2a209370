import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { extent } from './drawing.ts';
import { categoryColour, scaleColour } from './palette.ts';
import { pointMap } from './point-map.ts';
import { toSvg } from './svg.ts';
import { cutTexts, shapesOf, textsOf, xmlElements } from './testing/pictures.ts';

const corners = [0, 0, 10, 0, 0, 5, 10, 5];

test('distances are the same both ways, and up is up', () => {
  const discs = shapesOf(pointMap({ points: corners }), 'disc');
  const spans = (axis: 'x' | 'y') =>
    Math.max(...discs.map((disc) => disc[axis])) - Math.min(...discs.map((disc) => disc[axis]));
  expect(discs).toHaveLength(4);
  expect(spans('x')).toBeCloseTo(2 * spans('y'), 9);
  const labelled = pointMap({ points: [0, 0, 0, 5], colour: { kind: 'factor', name: 'y', values: [0, 1] } });
  const [low, high] = [0, 1].map(
    (value) => shapesOf(labelled, 'disc').find(({ fill }) => fill === scaleColour(value))!,
  );
  expect(high.y).toBeLessThan(low.y);
});

test('labels have colours, a legend and their names over their points', () => {
  const drawing = pointMap({
    points: corners,
    colour: { kind: 'label', names: ['cat', 'dog'], values: [0, 0, 1, 1] },
  });
  expect(shapesOf(drawing, 'disc').filter(({ fill }) => fill === categoryColour(1))).toHaveLength(3);
  expect(textsOf(drawing).filter((text) => text === 'cat')).toHaveLength(2);
  expect(cutTexts(drawing)).toEqual([]);
});

test('names stand beside their points where there is room', () => {
  const noise = stream(3, 'clouds');
  const n = 400;
  const points = Float64Array.from({ length: 2 * n }, (_, e) => noise.normal() * 0.6 + (e < n ? 0 : 8));
  const values = Array.from({ length: n }, (_, i) => (i < n / 2 ? 0 : 1));
  const drawing = pointMap({ points, colour: { kind: 'label', names: ['ill', 'well'], values } });
  const discs = shapesOf(drawing, 'disc').slice(0, n);
  for (const text of shapesOf(drawing, 'text').filter(({ halo }) => halo !== undefined)) {
    const { left, right, top, bottom } = extent(text);
    expect(discs.filter(({ x, y }) => x > left && x < right && y > top && y < bottom).length).toBeLessThan(6);
  }
});

test('more labels than colours differ in form, and a long list of names stays on the page', () => {
  const names = Array.from({ length: 200 }, (_, i) => `class number ${i}`);
  const points = stream(1, 'points').uniforms(400);
  const drawing = pointMap({ points, colour: { kind: 'label', names, values: names.map((_, i) => i) } });
  expect(shapesOf(drawing, 'polygon').length).toBeGreaterThan(100);
  expect(textsOf(drawing).at(-1)).toMatch(/^… and \d+ more$/);
  expect(cutTexts(drawing)).toEqual([]);
});

test('a factor has a scale with its name and ticks, and a missing value is grey', () => {
  const drawing = pointMap({
    points: corners,
    colour: { kind: 'factor', name: 'slant', values: [0, 1, 2, Number.NaN] },
  });
  const fills = shapesOf(drawing, 'disc').map(({ fill }) => fill);
  expect(fills).toContain(scaleColour(0.5));
  expect(fills).toContain('#dcdcdc');
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['slant', '0', '1.0', '2.0']));
});

test('thousands of points are drawn in an order that no label decides', () => {
  const points = stream(2, 'points').normals(10_000);
  const values = Array.from({ length: 5000 }, (_, i) => (i < 2500 ? 0 : 1));
  const drawing = pointMap({ points, colour: { kind: 'label', names: ['first', 'second'], values } });
  const discs = shapesOf(drawing, 'disc').slice(0, 5000);
  const early = discs.slice(0, 2500).filter(({ fill }) => fill === categoryColour(0)).length;
  expect(early).toBeGreaterThan(1100);
  expect(early).toBeLessThan(1400);
  expect(xmlElements(toSvg(drawing)).filter((name) => name === 'circle')).toHaveLength(5002);
});

test('one point is shown, places that are not finite are counted in the caption', () => {
  expect(shapesOf(pointMap({ points: [3, 4] }), 'disc')).toHaveLength(1);
  const drawing = pointMap({ points: [...corners, Number.NaN, 1], caption: 'UMAP.' });
  expect(shapesOf(drawing, 'disc')).toHaveLength(4);
  expect(textsOf(drawing).join(' ')).toContain('UMAP. 1 of 5 items have no finite place and are left out.');
});

test('odd numbers, unequal lengths and labels without a name are refused', () => {
  expect(() => pointMap({ points: [1, 2, 3] })).toThrow('3 numbers are not points');
  expect(() => pointMap({ points: [] })).toThrow('0 numbers are not points');
  expect(() => pointMap({ points: corners, colour: { kind: 'factor', name: 'x', values: [1] } })).toThrow(
    '1 values were given to colour 4 points',
  );
  expect(() => pointMap({ points: [1, 2], colour: { kind: 'label', names: ['a'], values: [1] } })).toThrow(
    'the label 1; there are 1 names',
  );
});
