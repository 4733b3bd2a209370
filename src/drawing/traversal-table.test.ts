import { expect, test } from 'vitest';
import { rasterise } from './rasterise.ts';
import { cutTexts, greys, gridOf, picturesOf, shapesOf, textsOf } from './testing/pictures.ts';
import { type TraversalTable, traversalFrames, traversalTable } from './traversal-table.ts';

const quantiles = [0.025, 0.5, 0.975];
const two: TraversalTable = {
  dimensions: [
    { block: 'shared', index: 4, kl: 2.414 },
    { block: 'salient', index: 0, kl: 0.5 },
  ],
  quantiles,
  images: greys(6),
};

test('each dimension is a row with its block, its index and its divergence, in the order given', () => {
  const drawing = traversalTable(two);
  const texts = shapesOf(drawing, 'text');
  const rowsOf = (text: string) => texts.find((one) => one.text === text)!.y;
  expect(gridOf(drawing).rows).toHaveLength(2);
  expect(rowsOf('shared 4')).toBeLessThan(rowsOf('salient 0'));
  expect(Math.abs(rowsOf('2.41') - rowsOf('shared 4'))).toBeLessThan(1);
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['0.50', 'KL', '2.5%', '50%', '97.5%']));
  expect(picturesOf(drawing).map(({ raster }) => raster.data[0])).toEqual([0, 43, 85, 128, 170, 212]);
});

test('the image that it starts from stands before its row, the same for all or one for each', () => {
  const one = traversalTable({ ...two, start: greys(1, 4, () => 1) });
  const each = traversalTable({ ...two, start: greys(2, 4, (i) => 1 - i) });
  const firsts = (drawing: ReturnType<typeof traversalTable>) => {
    const left = gridOf(drawing).columns[0];
    return picturesOf(drawing)
      .filter(({ x }) => x === left)
      .map(({ raster }) => raster.data[0]);
  };
  expect(firsts(one)).toEqual([255, 255]);
  expect(firsts(each)).toEqual([255, 0]);
  expect(textsOf(one)).toContain('start');
});

test('rows may be about classes, and divergences may be unknown', () => {
  const drawing = traversalTable({
    ...two,
    dimensions: [
      { block: 'class-related', index: 1, of: 'seven' },
      { block: 'class-related', index: 1, of: 'two' },
    ],
  });
  expect(textsOf(drawing)).toEqual(expect.arrayContaining(['seven, class-related 1', 'two, class-related 1']));
  expect(textsOf(drawing)).not.toContain('KL');
});

test('a gap parts classes of several rows, also where one ends with the dimension that the next begins with', () => {
  const gaps = (...rows: [of: string, index: number][]) => {
    const dimensions = rows.map(([of, index]) => ({ block: 'z_c', index, of }));
    const tops = gridOf(traversalTable({ dimensions, quantiles: [0.5], images: greys(rows.length) })).rows;
    const steps = tops.slice(1).map((top, i) => top - tops[i]);
    return steps.map((step) => step > Math.min(...steps));
  };
  const four = gaps(['two', 0], ['two', 3], ['seven', 3], ['seven', 1]);
  expect(four).toEqual([false, true, false]);
  expect(gaps(['two', 0], ['two', 3], ['seven', 1], ['nine', 1])).toEqual([false, true, true]);
  expect(gaps(['two', 0], ['seven', 0], ['nine', 0])).toEqual([false, false]);
});

test('one dimension at one quantile and a hundred dimensions are traversals too', () => {
  const one = traversalTable({ dimensions: [{ block: 'shared', index: 0 }], quantiles: [0.5], images: greys(1) });
  expect(picturesOf(one)).toHaveLength(1);
  expect(cutTexts(one)).toEqual([]);
  const dimensions = Array.from({ length: 100 }, (_, index) => ({ block: 'shared', index, kl: 1 }));
  const many = traversalTable({ dimensions, quantiles, images: greys(300) });
  expect(gridOf(many).rows).toHaveLength(100);
  expect(cutTexts(many)).toEqual([]);
});

test('an animation goes there and back, all frames of one size, each dimension under its name', () => {
  const frames = traversalFrames({ ...two, quantiles: [0.1, 0.4, 0.6, 0.9], images: greys(8) });
  const first = frames.map((frame) => picturesOf(frame)[0].raster.data[0]);
  expect(first).toEqual([0, 32, 64, 96, 64, 32]);
  expect(new Set(frames.map(({ width, height }) => `${width} ${height}`)).size).toBe(1);
  expect(textsOf(frames[0]).join(' ')).toContain('shared 4 KL 2.41');
  expect(rasterise(frames[0], 1).width).toBe(frames[0].width);
  expect(traversalFrames({ ...two, quantiles: [0.5], images: greys(2) })).toHaveLength(1);
});

test('a number of images that does not fit is refused with the numbers', () => {
  expect(() => traversalTable({ ...two, images: greys(5) })).toThrow(
    '5 images were given for 2 dimensions at 3 quantiles',
  );
  expect(() => traversalTable({ ...two, start: greys(3) })).toThrow('3 starting images were given for 2 rows');
  expect(() => traversalTable({ ...two, quantiles: [], images: greys(0) })).toThrow('at 0 quantiles');
});
