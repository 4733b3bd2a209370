import { expect, test } from 'vitest';
import { doubles, presentClasses, requireLabels, requireMatrix, requirePositive, requireWidth } from './input.ts';

test('a matrix must be whole and finite, and the fault is named', () => {
  expect(() => requireMatrix([1, 2, 3, 4, 5, 6], 3, 2)).not.toThrow();
  expect(() => requireMatrix([1, 2, 3], 2, 2)).toThrow('A matrix of 2 rows and 2 columns came with 3 numbers.');
  expect(() => requireMatrix([], 0, 2)).toThrow('A matrix of 0 rows');
  expect(() => requireMatrix([1, 2, 3, 4, Number.NaN, 6], 3, 2)).toThrow('Column 0 holds NaN in row 2.');
});

test('labels must be whole numbers below the number of classes, one a row', () => {
  expect(() => requireLabels([0, 1], 3, 2)).toThrow('There are 2 labels for 3 rows.');
  expect(() => requireLabels([0, 1.5], 2, 2)).toThrow('The label of row 1 is 1.5.');
  expect(() => requireLabels([0, -1], 2, 2)).toThrow('The label of row 1 is -1.');
});

test('settings must be positive, and rows as wide as the model', () => {
  expect(() => requirePositive(Number.NaN, 'The weight')).toThrow('The weight was NaN.');
  expect(() => requireWidth(2, 3)).toThrow('A model of 2 columns was given rows of 3.');
});

test('classes without rows are passed over', () => {
  const { present, place } = presentClasses([4, 1, 4], 6);
  expect(present).toEqual([1, 4]);
  expect(Array.from(place)).toEqual([1, 0, 1]);
});

test('doubles are passed on as they are, other numbers are turned into doubles', () => {
  const x = Float64Array.of(1, 2);
  expect(doubles(x)).toBe(x);
  expect(doubles(Float32Array.of(1, 2))).toEqual(x);
});
