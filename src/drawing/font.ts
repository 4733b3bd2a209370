/**
 * Text as outlines, from a typeface of our own: a picture reads the same on a machine without fonts, in a browser and in
 * a paper, and every label's width is known before anything is drawn.
 */
import { bold, type Face, regular } from './glyphs.ts';

export type Weight = 'regular' | 'bold';

/** One letter of a laid-out line; `x` and the outline are in thousandths of the text's size, y down from the baseline. */
export interface Placed {
  character: string;
  x: number;
  outline: string;
}

interface Letters {
  glyphs: Map<string, { advance: number; outline: string }>;
  /** By the two characters of a pair. */
  kerning: Map<string, number>;
}

const letters: Record<Weight, Letters> = { regular: read(regular), bold: read(bold) };
const unknownCharacter = '□';

/** A line's letters with their places, and its length, in thousandths of the text's size. */
export function layOut(text: string, weight: Weight): { placed: Placed[]; length: number } {
  const { glyphs, kerning } = letters[weight];
  const placed: Placed[] = [];
  let length = 0;
  let before = '';
  for (const character of known(text, glyphs)) {
    length += kerning.get(before + character) ?? 0;
    const { advance, outline } = glyphs.get(character)!;
    if (outline !== '') placed.push({ character, x: length, outline });
    length += advance;
    before = character;
  }
  return { placed, length };
}

/** The width of a line of text. */
export function measure(text: string, size: number, weight: Weight = 'regular'): number {
  return (layOut(text, weight).length * size) / 1000;
}

/**
 * The text in lines no wider than `width`, broken at spaces; a word that is wider by itself is broken inside, so that
 * nothing is ever cut off.
 */
export function wrap(text: string, width: number, size: number, weight: Weight = 'regular'): string[] {
  const fits = (line: string) => measure(line, size, weight) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && !fits(line + character)) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** The text in characters that the face has: an unknown accented letter loses its accent, any other becomes a box. */
function* known(text: string, glyphs: Letters['glyphs']): Generator<string> {
  for (const character of text.normalize('NFC').replace(/\s/gu, (space) => (glyphs.has(space) ? space : ' '))) {
    const parts = glyphs.has(character) ? [character] : [...character.normalize('NFKD')];
    const drawn = parts.filter((part) => glyphs.has(part));
    yield* drawn.length > 0 ? drawn : [unknownCharacter];
  }
}

function read(face: Face): Letters {
  const character = (code: string) => String.fromCodePoint(Number.parseInt(code, 16));
  const glyphs: Letters['glyphs'] = new Map();
  for (const [code, advance, outline] of records(face.glyphs))
    glyphs.set(character(code), { advance: Number(advance), outline });
  const kerning: Letters['kerning'] = new Map();
  for (const [left, shift, rights] of records(face.kerning))
    for (const right of rights.split(',')) kerning.set(character(left) + character(right), Number(shift));
  return { glyphs, kerning };
}

function records(table: string): string[][] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.split(':'));
}
