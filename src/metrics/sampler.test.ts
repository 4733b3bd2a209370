import { expect, test } from 'vitest';
import { classColumns } from './rows.ts';
import { tableSampler } from './sampler.ts';
import { identityTable } from './testing/data.ts';

const table = identityTable(600, [3, 4, 5]);
const sampler = () => tableSampler(table.codes, classColumns(table.factors, 20, []), { seed: 3 });

test('a fixed factor keeps its value over a batch while the others move', () => {
  const rows = new Float64Array(64 * 3);
  sampler().fixed(1, 64, rows);
  const columns = [0, 1, 2].map((j) => new Set(rows.filter((_, at) => at % 3 === j)).size);
  expect(columns).toEqual([3, 1, 5]);
});

test('the two of a pair share their factor, whatever it is', () => {
  const [first, second] = [new Float64Array(64 * 3), new Float64Array(64 * 3)];
  sampler().pairs(2, 64, first, second);
  let others = 0;
  for (let i = 0; i < 64; i++) {
    expect(first[i * 3 + 2]).toBe(second[i * 3 + 2]);
    if (first[i * 3] !== second[i * 3]) others++;
  }
  expect(others).toBeGreaterThan(20);
  expect(new Set(first.filter((_, at) => at % 3 === 2)).size).toBe(5);
});

test('the same seed draws the same rows, another seed others', () => {
  const draw = (seed: number) => {
    const out = new Float64Array(30);
    tableSampler(table.codes, classColumns(table.factors, 20, []), { seed }).random(10, out);
    return Array.from(out);
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test('a factor whose every value is on a single row cannot be fixed and drops out', () => {
  const unique = identityTable(50, [2, 2]);
  for (let i = 0; i < 50; i++) unique.factors.values[i * 2 + 1] = i;
  const notes: string[] = [];
  const drawn = tableSampler(unique.codes, classColumns(unique.factors, 20, []), { seed: 0 }, notes);
  expect(drawn.factors).toEqual(['f0']);
  expect(notes).toEqual(['50 of 50 values of factor “f1” are on one row only and are never fixed.']);
});
