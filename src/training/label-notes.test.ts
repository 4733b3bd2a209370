import { expect, test } from 'vitest';
import { labelNotes } from './label-notes.ts';

/** A variable of which item i has the class `values[i]`. */
const variable = (values: number[], classes: number) => ({
  name: 'class',
  classes: Array.from({ length: classes }, (_, k) => `${k}`),
  values: Uint16Array.from(values),
});
const all = (values: number[]) => Uint32Array.from(values.keys());
const notesOf = (values: number[], classes: number) => labelNotes([variable(values, classes)], all(values));

test('classes that are all there in fair shares need no word', () => {
  expect(notesOf([0, 1, 2, 2], 3)).toEqual([]);
  expect(labelNotes([variable([0, 1], 2)], new Uint32Array(0))).toEqual([]);
});

test('classes that no labelled item is of are named', () => {
  expect(notesOf([0, 1], 3)).toEqual(['No labelled item is of class “2”: it can’t be learned.']);
  expect(notesOf([0, 4], 4 + 2)).toEqual(['No labelled item is of class “1”, “2”, “3” or “5”: it can’t be learned.']);
  expect(notesOf([0, 1], 10)[0]).toContain('“2”, “3”, “4”, “5”, “6” or 3 others');
});

test('a single class is nothing to tell apart', () => {
  expect(notesOf([1, 1], 3)).toEqual(['All labelled items are of class “1”: there is nothing to tell apart.']);
  expect(notesOf([0, 0], 1)).toEqual([]);
});

test('a class that is far rarer than another is named', () => {
  const values = [...new Array<number>(40).fill(0), 1, ...new Array<number>(9).fill(2)];
  expect(notesOf(values, 3)).toEqual(['Classes are unbalanced: 40 labelled items are of class “0”, 1 of class “1”.']);
});
