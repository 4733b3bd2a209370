import { expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { assign } from './assignment.ts';
import fixture from './fixtures/assignment.json' with { type: 'json' };

const isMatching = (columnOfRow: Int32Array, m: number) =>
  new Set(columnOfRow).size === columnOfRow.length && columnOfRow.every((j) => j >= 0 && j < m);

test.each(fixture.cases)('the least cost is scipy’s: $name ($n × $m)', ({ n, m, cost, least }) => {
  const found = assign(Float64Array.from(cost), n, m);
  expect(Math.abs(found.cost - least)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(least)));
  expect(isMatching(found.columnOfRow, m)).toBe(true);
  const summed = Array.from(found.columnOfRow, (j, i) => cost[i * m + j]).reduce((a, b) => a + b, 0);
  expect(summed).toBeCloseTo(found.cost, 12);
});

test('no permutation of seven is cheaper', () => {
  const n = 7;
  for (let seed = 0; seed < 20; seed++) {
    const random = stream(seed, 'costs');
    const cost = Float64Array.from({ length: n * n }, () => (seed % 2 ? random.integer(4) : random.normal()));
    expect(assign(cost, n).cost).toBeCloseTo(leastOfAll(cost, n), 12);
  }
});

test('a full permutation hidden under a higher floor is found', () => {
  const n = 300;
  const hidden = stream(3, 'hidden').permutation(n);
  const cost = new Float64Array(n * n).fill(1);
  hidden.forEach((j, i) => {
    cost[i * n + j] = 0;
  });
  const found = assign(cost, n);
  expect(found.cost).toBe(0);
  expect(Array.from(found.columnOfRow)).toEqual(Array.from(hidden));
});

test('bidding that would creep for ever ends', () => {
  const n = 60;
  // Two good columns for sixty rows, with differences near the last digit: each bid lowers a price by almost nothing.
  const cost = Float64Array.from({ length: n * n }, (_, e) => (e % n < 2 ? (e % 7) * 1e-16 : 1e6 + (e % 11)));
  const found = assign(cost, n);
  expect(isMatching(found.columnOfRow, n)).toBe(true);
  expect(found.cost).toBeLessThan(58 * 1e6 + 58 * 11);
});

test('costs that cannot be used are refused in words', () => {
  expect(() => assign(Float64Array.of(1, Number.NaN, 2, 3), 2)).toThrow(UntangleError);
  expect(() => assign(Float64Array.of(1, Number.POSITIVE_INFINITY, 2, 3), 2)).toThrow(UntangleError);
  expect(() => assign(Float64Array.of(1, 2, 3), 2)).toThrow('came with 3 numbers');
  expect(() => assign(new Float64Array(6), 3, 2)).toThrow('3 rows cannot each get their own of 2 columns');
  expect(() => assign(new Float64Array(0), 0)).toThrow(UntangleError);
  expect(() => assign(Float64Array.of(-1e308, 1e308, -1e308, 1e308), 2)).toThrow('A cost as large as 1e+308');
});

function leastOfAll(cost: Float64Array, n: number, row = 0, used = 0): number {
  if (row === n) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < n; j++)
    if (!(used & (1 << j))) least = Math.min(least, cost[row * n + j] + leastOfAll(cost, n, row + 1, used | (1 << j)));
  return least;
}
