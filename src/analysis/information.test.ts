import { expect, test } from 'vitest';
import { discretise, discretiseColumns, entropy, mutualInformation } from './information.ts';
import { expectNear, fixture } from './testing/tables.ts';

interface Histogram {
  bins: number;
  values: number[];
  digits: number[];
}

interface Pair {
  left: number[];
  right: number[];
  information: number;
  entropy: number;
}

const histograms: Histogram[] = fixture('information').histograms;
const pairs: Pair[] = fixture('information').pairs;

test.each(histograms)('$values.length values fall into the bins that numpy puts them in, of $bins', (given) => {
  expect(Array.from(discretise(given.values, given.bins))).toEqual(given.digits);
});

test('each column has its own bins', () => {
  const rising = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
  const x = rising.flatMap((value, i) => [value, rising[5 - i] * 1000]);
  expect(Array.from(discretiseColumns(x, 6, 2, 3))).toEqual([1, 3, 1, 3, 2, 2, 2, 2, 3, 1, 3, 1]);
});

test.each(pairs)('information and entropy of $left.length pairs are scikit-learn’s and scipy’s', (given) => {
  expectNear([mutualInformation(given.left, given.right)], [given.information], 1e-12);
  expectNear([mutualInformation(given.right, given.left)], [given.information], 1e-12);
  expectNear([entropy(given.left)], [given.entropy], 1e-12);
});

test('a variable tells all about itself, and nothing about an independent one', () => {
  const a = [1, 2, 1, 2];
  expect(mutualInformation(a, [1, 1, 2, 2])).toBe(0);
  expectNear([mutualInformation(a, a), entropy(a), entropy([5, 7, 9])], [Math.LN2, Math.LN2, Math.log(3)], 1e-15);
  expect(entropy([4, 4, 4])).toBe(0);
});

test('the golden grid has its known information', () => {
  // z0 and z3 of disentanglement_lib's protocol on the 60-point grid; values from an independent port.
  const grid = Array.from({ length: 60 }, (_, i) => [Math.floor(i / 20), Math.floor(i / 5) % 4, i % 5]);
  const z0 = discretise(grid.map(([f0], i) => f0 + 0.1 * Math.sin(i)));
  const z3 = discretise(grid.map(([f0, , f2], i) => 2 * f2 - 0.3 * f0 + 0.05 * Math.sin(3 * i)));
  const with0 = [0, 1, 2].map((k) =>
    mutualInformation(
      z0,
      grid.map((f) => f[k]),
    ),
  );
  const with3 = [0, 1, 2].map((k) =>
    mutualInformation(
      z3,
      grid.map((f) => f[k]),
    ),
  );
  expectNear(with0, [1.0986122886681096, 0.018466057935236636, 0.05937616115707854], 1e-13);
  expectNear(with3, [0.6870486075512234, 0.05619774048292363, 1.6094379124341003], 1e-13);
});

test('bad input is refused in a sentence', () => {
  expect(() => discretise([1, Number.NaN])).toThrow('Column 0 holds NaN in row 1.');
  expect(() => discretise([1, 2], 0)).toThrow('Values were to be put into 0 bins.');
  expect(() => mutualInformation([1, 2], [1])).toThrow('One variable has 2 values, the other 1.');
});
