import { expect, test } from 'vitest';
import { layOut, measure, wrap } from './font.ts';

test('a width grows with the size of type, and all digits are equally wide', () => {
  expect(measure('Traversal', 24)).toBeCloseTo(2 * measure('Traversal', 12), 9);
  const widths = new Set([...'0123456789'].map((digit) => measure(digit, 10)));
  expect(widths.size).toBe(1);
});

test('some pairs of letters stand nearer than others', () => {
  expect(measure('AV', 100)).toBeLessThan(measure('A', 100) + measure('V', 100));
  expect(measure('HH', 100)).toBeCloseTo(2 * measure('H', 100), 9);
});

test('Greek, sub- and superscripts, accents and Cyrillic have letters of their own', () => {
  for (const text of ['βλμσ', 'z₁₂', '10⁻³', 'Łódź', 'Ďábel', 'цифра', '→ ≤ ≥ × − ∞ …']) {
    const characters = layOut(text, 'regular').placed.map(({ character }) => character);
    expect(characters.join('')).toBe(text.replaceAll(' ', ''));
  }
});

test('a character that the typeface lacks becomes its plain letter or a box, and never vanishes', () => {
  const letters = (text: string) => layOut(text, 'bold').placed.map(({ character }) => character);
  expect(letters('ǎ')).toEqual(['a']);
  expect(letters('数字')).toEqual(['□', '□']);
  expect(letters('👍')).toEqual(['□']);
});

test('a text is broken at spaces into lines that fit', () => {
  const lines = wrap('What only the target has and the background lacks', 100, 12);
  expect(lines.join(' ')).toBe('What only the target has and the background lacks');
  expect(lines.length).toBeGreaterThan(2);
  expect(Math.max(...lines.map((line) => measure(line, 12)))).toBeLessThanOrEqual(100);
});

test('a word that is too wide is broken inside, and nothing of it is lost', () => {
  const word = 'Donaudampfschifffahrtsgesellschaft';
  const lines = wrap(`a ${word} b`, 60, 12);
  expect(lines.join('').replaceAll(' ', '')).toBe(`a${word}b`);
  expect(Math.max(...lines.map((line) => measure(line, 12)))).toBeLessThanOrEqual(60);
  expect(wrap('', 60, 12)).toEqual([]);
});
