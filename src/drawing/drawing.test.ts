import { expect, test } from 'vitest';
import { checkSize, drawing, extent, frame, moved } from './drawing.ts';
import { measure } from './font.ts';
import { label } from './page.ts';

test('a page has whole pixels', () => {
  expect([drawing(10.2, 20.9, 'x').width, drawing(10.2, 20.9, 'x').height]).toEqual([11, 21]);
});

test('shapes move with all of their points', () => {
  const line = moved({ kind: 'line', points: [1, 2, 3, 4], stroke: '#000000', thickness: 1 }, 10, 20);
  expect(line.points).toEqual([11, 22, 13, 24]);
  const disc = moved({ kind: 'disc', x: 1, y: 2, radius: 3, fill: '#000000' }, 10, 20);
  expect([disc.x, disc.y]).toEqual([11, 22]);
});

test('a text takes up its width from its anchor, and its height when it is turned', () => {
  const width = measure('some text', 10);
  const level = extent(label('some text', 50, 50, { size: 10, anchor: 'end' }));
  expect([level.left, level.right]).toEqual([50 - width, 50]);
  const upright = extent(label('some text', 50, 50, { size: 10, turn: -90 }));
  expect(upright.top).toBeCloseTo(50 - width, 9);
  expect(upright.right - upright.left).toBeCloseTo(10, 9);
});

test('a frame lies inside its rectangle', () => {
  const sides = frame(0, 0, 10, 8, '#000000', 2);
  expect(sides.reduce((area, side) => area + side.width * side.height, 0)).toBe(10 * 8 - 6 * 4);
});

test('sizes that are too large, or no sizes at all, are refused', () => {
  expect(() => checkSize(8000, 8000)).not.toThrow();
  expect(() => checkSize(8001, 8000)).toThrow('the limit is 64 million');
  expect(() => checkSize(Number.NaN, 5)).toThrow('NaN × 5');
});
