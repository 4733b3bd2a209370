import { expect, test } from 'vitest';
import { tokenise } from './condition-tokens.ts';

const short = (text: string) => tokenise(text).map(({ kind, value }) => `${kind}:${value}`);

test('words, keywords and signs are told apart without blanks between them', () => {
  expect(short('age>=30 AND(x!=t-CS-s)')).toEqual([
    'word:age',
    'sign:>=',
    'word:30',
    'keyword:and',
    'sign:(',
    'word:x',
    'sign:!=',
    'word:t-CS-s',
    'sign:)',
    'end:',
  ]);
});

test('a keyword in quotes is a word, and quotes inside a word are part of it', () => {
  expect(short(`"in" = 5" and a!b`)).toEqual(['word:in', 'sign:=', 'word:5"', 'keyword:and', 'word:a!b', 'end:']);
});

test('other spellings of signs mean the same', () => {
  expect(short('a ≤ 1 == 2 <> 3 ≥ 4 ≠ 5').filter((token) => token.startsWith('sign'))).toEqual([
    'sign:<=',
    'sign:=',
    'sign:!=',
    'sign:>=',
    'sign:!=',
  ]);
});

test('a token knows where it stands', () => {
  expect(tokenise('  age = 3').map(({ at }) => at)).toEqual([2, 6, 8, 9]);
});
