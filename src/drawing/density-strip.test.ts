import { expect, test } from 'vitest';
import { densityStrip } from './density-strip.ts';
import { cutTexts, greys, gridOf, shapesOf, textsOf } from './testing/pictures.ts';

const axis = Array.from({ length: 81 }, (_, i) => -4 + i / 10);
const bell = (mean: number) => axis.map((u) => Math.exp(-((u - mean) ** 2) / 2) / Math.sqrt(2 * Math.PI));
const options = {
  dimension: 'u 0, hair colour',
  axis,
  densities: [
    { name: 'blond', values: bell(-1.5) },
    { name: 'black', values: bell(1.5) },
  ],
  positions: [-3, -1.5, 0, 1.5, 3],
  images: greys(10),
};

test('each class has its density, highest over its mean', () => {
  const drawing = densityStrip(options);
  const curves = shapesOf(drawing, 'line').filter(({ points }) => points.length === 2 * axis.length);
  const peaks = curves.map(({ points }) => {
    const ys = points.filter((_, i) => i % 2 === 1);
    return axis[ys.indexOf(Math.min(...ys))];
  });
  expect(peaks).toEqual([-1.5, 1.5]);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['blond', 'black', 'density over u 0, hair colour']));
});

test('a line leads from each place to the middle of its column of images', () => {
  const drawing = densityStrip({ ...options, rowLabels: ['a face', 'another face'] });
  const { columns, rows } = gridOf(drawing);
  expect([columns.length, rows.length]).toEqual([5, 2]);
  const leads = shapesOf(drawing, 'line').filter(({ points, dash }) => dash && points[0] !== points[2]);
  const upright = shapesOf(drawing, 'line').filter(({ points, dash }) => dash && points[0] === points[2]);
  expect(leads.length + upright.length).toBe(10);
  for (const { points } of leads) expect(columns.map((x) => x + 32)).toContainEqual(expect.closeTo(points[2], 6));
  expect(cutTexts(drawing)).toEqual([]);
});

test('values and images that do not fit are refused', () => {
  expect(() => densityStrip({ ...options, images: greys(7) })).toThrow('7 images were given for 5 places');
  expect(() => densityStrip({ ...options, densities: [{ name: 'blond', values: [1] }] })).toThrow(
    '“blond” has 1 values at 81 places',
  );
});
