import { expect, test } from 'vitest';
import { greys, gridOf, picturesOf, textsOf } from './testing/pictures.ts';
import { transfer } from './transfer.ts';

const keep = { items: greys(2, 4, () => 0), block: 'shared' };

test('what is kept stands at the left, what is taken above, and each pair where they meet', () => {
  const drawing = transfer({
    keep,
    take: { items: greys(3, 4, () => 1), block: 'salient' },
    images: greys(6, 4, (i) => (i + 1) / 10),
  });
  const { rows, columns } = gridOf(drawing);
  const at = (r: number, c: number) =>
    picturesOf(drawing).find(({ x, y }) => x === columns[c] && y === rows[r])?.raster.data[0];
  expect(at(0, 0)).toBeUndefined();
  expect([at(0, 1), at(0, 2), at(0, 3)]).toEqual([255, 255, 255]);
  expect([at(1, 0), at(2, 0)]).toEqual([0, 0]);
  expect([at(1, 1), at(1, 3), at(2, 1), at(2, 3)]).toEqual([26, 77, 102, 153]);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['salient from →', 'shared from']));
});

test('without items above, columns share codes drawn at random', () => {
  const drawing = transfer({ keep, take: { block: 'salient' }, images: greys(8) });
  expect([gridOf(drawing).rows.length, gridOf(drawing).columns.length]).toEqual([2, 5]);
  expect(textsOf(drawing)).toContain('salient, drawn at random →');
});

test('results that do not fit the items are refused', () => {
  expect(() => transfer({ keep, take: { items: greys(3), block: 'salient' }, images: greys(5) })).toThrow(
    '5 results were given for 2 items at the left and 3 above',
  );
  expect(() => transfer({ keep, take: { block: 'salient' }, images: greys(5) })).toThrow('5 results');
});
