import { expect, test } from 'vitest';
import { stream } from '../random/index.ts';
import { relabellings } from './relabellings.ts';

const draws = (labels: number[], design: Parameters<typeof relabellings>[1], count = 300) => {
  const { draw } = relabellings(Uint8Array.from(labels), design);
  return Array.from({ length: count }, (_, i) => Array.from(draw(stream(1, 'draw', i))).join(''));
};

test('rows are exchanged freely, six ways for two and two, each as often', () => {
  const all = draws([1, 1, 0, 0], {}, 1200);
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual(['0011', '0101', '0110', '1001', '1010', '1100']);
  for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(50);
  expect(relabellings(Uint8Array.of(1, 1, 0, 0))).toMatchObject({ count: 6, units: { first: 2, second: 2 } });
});

test('rows of a subject keep together, and within strata alone labels are exchanged', () => {
  expect([...new Set(draws([1, 1, 1, 0, 0], { units: [7, 7, 8, 9, 9] }))].sort()).toEqual(['00111', '11011', '11100']);
  expect([...new Set(draws([1, 0, 1, 0], { strata: [1, 1, 2, 2] }))].sort()).toEqual(['0101', '0110', '1001', '1010']);
  expect(relabellings(Uint8Array.of(1, 0, 1, 0), { strata: [1, 1, 2, 2] }).count).toBe(4);
});

test('a subject with rows of both labels exchanges its halves', () => {
  expect([...new Set(draws([1, 1, 0, 1, 0], { units: [5, 5, 5, 6, 6] }))].sort()).toEqual([
    '00101',
    '00110',
    '11001',
    '11010',
  ]);
});

test('strata that part a subject are refused in words', () => {
  expect(() => relabellings(Uint8Array.of(1, 1, 0), { units: [1, 1, 2], strata: [1, 2, 1] })).toThrow('several strata');
});
