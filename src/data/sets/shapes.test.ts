import { expect, test } from 'vitest';
import { markedShapes, shapesDataset } from './shapes.ts';

const ink = (image: Float32Array) => image.reduce((sum, value) => sum + value, 0);
const factor = (data: ReturnType<typeof shapesDataset>, item: number, name: string) => {
  const { factors = [], values = [] } = data.factors ?? {};
  return values[item * factors.length + factors.findIndex((known) => known.name === name)];
};

test('all 3,072 combinations are there, no two alike, and the same each time', () => {
  const data = shapesDataset();
  expect(data.length).toBe(3 * 4 * 8 * 8 * 4);
  expect(data.fingerprint).toBe(shapesDataset().fingerprint);
  const images = data.gather(Array.from({ length: data.length }, (_, i) => i));
  const distinct = new Set(
    Array.from({ length: data.length }, (_, i) => images.subarray(i * 256, i * 256 + 256).join()),
  );
  expect(distinct.size).toBe(data.length);
});

test('ink follows its formula: a disc has π·r² times its brightness', () => {
  const data = shapesDataset();
  for (const scale of [0, 3]) {
    for (const brightness of [0, 3]) {
      const item = ((scale * 8 + 3) * 8 + 4) * 4 + brightness;
      const area = Math.PI * (2.4 + 0.6 * scale) ** 2;
      expect(ink(data.gather([item])) / (area * (0.3 + 0.15 * brightness))).toBeCloseTo(1, 1);
    }
  }
});

test('x and y move the centre of mass by one pixel a step', () => {
  const data = shapesDataset();
  const centre = (item: number) => {
    const image = data.gather([item]);
    return image.reduce((sum, value, i) => sum + value * ((i % 16) + 0.5), 0) / ink(image);
  };
  const at = (x: number) => (1 * 8 + x) * 32;
  for (let x = 0; x < 8; x++) expect(centre(at(x))).toBeCloseTo(4.5 + x, 1);
});

test('a larger picture shows the same thing', () => {
  const [small, large] = [shapesDataset(16).gather([1000]), shapesDataset(32).gather([1000])];
  expect(ink(large) / 4 / ink(small)).toBeCloseTo(1, 1);
});

test('marked shapes add a mark in one corner, and nothing else', () => {
  const plain = shapesDataset();
  const marked = markedShapes();
  const seen = [0, 0, 0, 0];
  for (let item = 0; item < marked.length; item += 13) {
    const corner = factor(marked, item, 'mark corner');
    seen[corner]++;
    expect(marked.labels?.values[item]).toBe(corner);
    const [a, b] = [plain.gather([item]), marked.gather([item])];
    const changed = [...a.keys()].filter((i) => a[i] !== b[i]);
    expect(changed.length).toBeGreaterThan(0);
    const isRight = corner % 2 === 1;
    const isLow = corner >= 2;
    expect(changed.every((i) => i % 16 >= 8 === isRight && i >= 128 === isLow)).toBe(true);
    const centre = (isLow ? 12 : 3) * 16 + (isRight ? 12 : 3);
    expect(b[centre]).toBeGreaterThan(0.75);
  }
  expect(Math.min(...seen)).toBeGreaterThan(30);
});

test('the seed decides the marks', () => {
  expect(markedShapes(16, 1).fingerprint).toBe(markedShapes(16, 1).fingerprint);
  expect(markedShapes(16, 1).fingerprint).not.toBe(markedShapes(16, 2).fingerprint);
});
