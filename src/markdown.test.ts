import { expect, test } from 'vitest';
import { plainMarkdown } from './markdown.ts';

test('a name from elsewhere is shown as it is, and is neither a link nor a heading nor HTML', () => {
  expect(plainMarkdown('mnist-fg_2 (a)')).toBe('mnist-fg_2 (a)');
  expect(plainMarkdown('a\n# b <img src=x> [c](http://d) `e` *f*')).toBe(
    'a # b \\<img src=x\\> \\[c\\](http://d) \\`e\\` \\*f\\*',
  );
});
