import { expect, test } from 'vitest';
import { reconstruction } from './reconstruction.ts';
import { cutTexts, greys, gridOf, picturesOf, textsOf } from './testing/pictures.ts';

test('each reconstruction stands right under its original', () => {
  const drawing = reconstruction({
    sets: [{ originals: greys(6), reconstructions: greys(6, 4, (i) => i / 6 + 0.05) }],
    columns: 3,
  });
  const pictures = picturesOf(drawing);
  const { rows, columns } = gridOf(drawing);
  expect([rows.length, columns.length]).toEqual([4, 3]);
  for (const picture of pictures.filter(({ y }) => y === rows[0] || y === rows[2])) {
    const below = pictures.find((other) => other.x === picture.x && other.y === rows[rows.indexOf(picture.y) + 1])!;
    expect(below.raster.data[0] - picture.raster.data[0]).toBeCloseTo(0.05 * 255, -0.5);
  }
  // Pairs stand closer to each other than to the next pair.
  expect(rows[1] - rows[0]).toBeLessThan(rows[2] - rows[1]);
});

test('sets such as background and target follow each other with their names', () => {
  const set = { originals: greys(2), reconstructions: greys(2) };
  const drawing = reconstruction({
    sets: [
      { ...set, name: 'background' },
      { ...set, name: 'target', captions: ['0.1', '0.2'] },
    ],
  });
  expect(textsOf(drawing).filter((text) => text !== 'reconstruction')).toEqual(['background', 'target', '0.1', '0.2']);
  expect(cutTexts(drawing)).toEqual([]);
});

test('one item is enough, and unequal numbers are refused', () => {
  expect(picturesOf(reconstruction({ sets: [{ originals: greys(1), reconstructions: greys(1) }] }))).toHaveLength(2);
  expect(() => reconstruction({ sets: [{ originals: greys(2), reconstructions: greys(3) }] })).toThrow(
    '2 originals and 3 reconstructions',
  );
  expect(() => reconstruction({ sets: [] })).toThrow('no image to show');
});
