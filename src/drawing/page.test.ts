import { expect, test } from 'vitest';
import { measure } from './font.ts';
import { label, page, sizes } from './page.ts';
import { cutTexts, textsOf } from './testing/pictures.ts';

const content = (...texts: ReturnType<typeof label>[]) => ({ width: 100, height: 40, shapes: texts });

test('a page without words is its content with a margin', () => {
  const drawing = page(content(), {}, 'a name');
  expect([drawing.width, drawing.height, drawing.title]).toEqual([132, 72, 'a name']);
});

test('a title stands above the content and a caption below, in as many lines as they need', () => {
  const title = 'A title that is far too long for one line of a picture that is only a hundred pixels wide';
  const caption = `${'The caption goes on. '.repeat(10)}End.`;
  const drawing = page(content(label('inside', 0, 20)), { title, caption }, 'a name');
  expect(drawing.title).toBe(title);
  expect(textsOf(drawing).join(' ')).toBe(`${title} inside ${caption}`);
  expect(cutTexts(drawing)).toEqual([]);
});

test('a label that is wider than its picture widens the page on either side', () => {
  const long = 'a label that is much wider than the content is';
  const drawing = page(content(label(long, 50, 20), label(long, 50, 35, { anchor: 'end' })), {}, 'a name');
  expect(cutTexts(drawing)).toEqual([]);
  expect(Math.abs(drawing.width - (32 + 2 * measure(long, sizes.label)))).toBeLessThan(2);
});
