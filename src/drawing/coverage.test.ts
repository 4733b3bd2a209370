import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { fillCoverage, strokeCoverage } from './coverage.ts';

const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0);

test('a square that covers half of a pixel column gives one half there and one inside', () => {
  const { left, top, width, values } = fillCoverage([[1.5, 1, 4, 1, 4, 3, 1.5, 3]], 10, 10);
  const at = (x: number, y: number) => values[(y - top) * width + x - left];
  expect([at(1, 1), at(2, 1), at(3, 2), at(4, 1), at(2, 3)]).toEqual([0.5, 1, 1, 0, 0]);
});

test('the coverage of any triangle adds up to its area', () => {
  const random = stream(5, 'triangles');
  for (let i = 0; i < 50; i++) {
    const [ax, ay, bx, by, cx, cy] = random.uniforms(6).map((part) => 2 + 36 * part);
    const area = Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
    expect(sum(fillCoverage([[ax, ay, bx, by, cx, cy]], 40, 40).values)).toBeCloseTo(area, 3);
  }
});

test('a contour that runs the other way cuts a hole', () => {
  const outer = [0, 0, 8, 0, 8, 8, 0, 8];
  const inner = [2, 2, 2, 6, 6, 6, 6, 2];
  expect(sum(fillCoverage([outer, inner], 10, 10).values)).toBeCloseTo(64 - 16, 4);
});

test('what lies left of the page still fills the pixels to its right, and nothing is written outside', () => {
  const { values } = fillCoverage([[-5, 0, 3, 0, 3, 2, -5, 2]], 4, 4);
  expect(sum(values)).toBeCloseTo(6, 4);
  expect(fillCoverage([[50, 50, 60, 50, 60, 60]], 10, 10).values.length).toBe(0);
});

test('a stroke has its thickness, and a lone point is a disc', () => {
  const line = strokeCoverage([5, 10, 25, 10], 4, 40, 20);
  const disc = strokeCoverage([10, 10], 8, 20, 20);
  expect(sum(line.values)).toBeGreaterThan(20 * 4);
  expect(sum(line.values)).toBeLessThan(20 * 4 + Math.PI * 4 + 3);
  expect(sum(disc.values)).toBeCloseTo(Math.PI * 16, 0);
});
