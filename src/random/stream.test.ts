import { expect, test } from 'vitest';
import { stream } from './stream.ts';

const mean = (values: Float32Array) => values.reduce((sum, v) => sum + v, 0) / values.length;

test('the same address gives the same numbers, any other address gives others', () => {
  const address = () => Array.from(stream(7, 'noise', 3).normals(8));
  expect(address()).toEqual(address());
  expect(Array.from(stream(8, 'noise', 3).normals(8))).not.toEqual(address());
  expect(Array.from(stream(7, 'noise', 4).normals(8))).not.toEqual(address());
  expect(Array.from(stream(7, 'noise of z', 3).normals(8))).not.toEqual(address());
  expect(Array.from(stream(7 + 2 ** 32, 'noise', 3).normals(8))).not.toEqual(address());
});

test('normal numbers have the moments of a normal distribution', () => {
  const draws = stream(1, 'moments').normals(200_000);
  expect(Math.abs(mean(draws))).toBeLessThan(0.01);
  expect(Math.abs(mean(draws.map((v) => v * v)) - 1)).toBeLessThan(0.02);
  expect(Math.abs(mean(draws.map((v) => v ** 3)))).toBeLessThan(0.05);
  expect(Math.abs(mean(draws.map((v) => v ** 4)) - 3)).toBeLessThan(0.1);
});

test('Gumbel numbers have mean γ and variance π²/6', () => {
  const draws = stream(2, 'gumbel').gumbels(200_000);
  const centre = mean(draws);
  expect(Math.abs(centre - 0.5772156649)).toBeLessThan(0.01);
  expect(Math.abs(mean(draws.map((v) => (v - centre) ** 2)) - Math.PI ** 2 / 6)).toBeLessThan(0.03);
});

test('a permutation holds every index once, and every index is as likely in every place', () => {
  const places = new Uint32Array(5 * 5);
  for (let step = 0; step < 20_000; step++) {
    const order = stream(3, 'order', step).permutation(5);
    expect(Array.from(order).sort()).toEqual([0, 1, 2, 3, 4]);
    order.forEach((value, place) => {
      places[place * 5 + value]++;
    });
  }
  for (const count of places) expect(Math.abs(count - 4000)).toBeLessThan(300);
});

test('uniform numbers stay in [0, 1) and integers below their bound', () => {
  const source = stream(4, 'range');
  for (let i = 0; i < 10_000; i++) {
    const u = source.uniform();
    expect(u >= 0 && u < 1).toBe(true);
    expect(source.integer(7)).toBeLessThan(7);
  }
});

test('a dropout mask keeps its mean at one', () => {
  const mask = stream(5, 'dropout').keepMask(100_000, 0.25);
  expect(new Set(mask)).toEqual(new Set([0, Math.fround(1 / 0.75)]));
  expect(Math.abs(mean(mask) - 1)).toBeLessThan(0.01);
});
