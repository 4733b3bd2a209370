import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { distanceBlock, squaredDistance } from './distances.ts';

test('a block holds the distance of every pair, for odd and even shapes and from any first point', () => {
  const d = 5;
  const x = Float64Array.from(stream(1, 'x').normals(12 * d));
  const y = Float64Array.from(stream(2, 'y').normals(9 * d));
  for (const [firstX, rows, firstY, columns] of [
    [0, 1, 0, 1],
    [2, 3, 1, 4],
    [0, 12, 0, 9],
    [5, 6, 2, 7],
  ]) {
    const block = new Float64Array(rows * columns);
    distanceBlock(block, x, firstX, rows, y, firstY, columns, d);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++)
        expect(block[i * columns + j]).toBe(squaredDistance(x, (firstX + i) * d, y, (firstY + j) * d, d));
  }
});

test('near points far from the origin keep their distance', () => {
  const x = Float64Array.of(1e8, 1e8 + 0.5);
  expect(squaredDistance(x, 0, x, 1, 1)).toBe(0.25);
  expect(squaredDistance(Float64Array.of(0, 3, 0), 0, Float64Array.of(4, 0, 0), 0, 3)).toBe(25);
});
