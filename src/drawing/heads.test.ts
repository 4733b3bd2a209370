import { expect, test } from 'vitest';
import { type DrawnShape, extent, type Text } from './drawing.ts';
import { columnHeads, rowHeads } from './heads.ts';

const texts = (shapes: DrawnShape[]) => shapes.filter((shape): shape is Text => shape.kind === 'text');

test('labels alone stand at their images; beside figures they are flush left and the figures flush right', () => {
  const alone = texts(rowHeads([{ text: 'a' }, { text: 'longer' }]).row(0, 50));
  expect([alone[0].anchor, alone[0].x > 0]).toEqual(['end', true]);
  const heads = rowHeads(
    [
      { text: 'a', note: '1.00' },
      { text: 'longer', note: '12.00' },
    ],
    '',
    'KL',
  );
  const [text, note] = texts(heads.row(0, 50));
  expect([text.anchor, text.x, note.anchor]).toEqual(['start', 0, 'end']);
  expect(note.x).toBe(texts(heads.headings(0))[0].x);
});

test('a long label takes several lines, and its row grows with it', () => {
  const heads = rowHeads([{ text: 'short' }, { text: 'word '.repeat(60) }]);
  expect(texts(heads.row(1, 100)).length).toBeGreaterThan(3);
  expect(heads.height(1)).toBeGreaterThan(3 * heads.height(0));
  expect(rowHeads([]).width).toBe(0);
});

test('column labels are level where they fit, in lines where their words fit, and slanting otherwise', () => {
  const shapes = (label: string, width: number) => texts(columnHeads([label], width, 4).shapes([0], 100));
  expect(shapes('wide', 60).map(({ text, turn }) => [text, turn])).toEqual([['wide', undefined]]);
  expect(shapes('two words', 40).map(({ text }) => text)).toEqual(['two', 'words']);
  expect(shapes('hippopotamus', 30).map(({ text, turn }) => [text, turn])).toEqual([['hippopotamus', -45]]);
});

test('slanting labels stay between the top and the grid, and say how far right they reach', () => {
  const heads = columnHeads(['hippopotamus', 'rhinoceros'], 20, 4, 'animal');
  const drawn = texts(heads.shapes([0, 24], heads.height));
  for (const text of drawn) {
    expect(extent(text).top).toBeGreaterThan(-2);
    expect(extent(text).bottom).toBeLessThan(heads.height);
    expect(extent(text).right).toBeLessThanOrEqual(heads.right([0, 24]) + 1);
  }
});
