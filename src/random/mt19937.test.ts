import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mt19937 } from './mt19937.ts';

interface Streams {
  streams: {
    seed: number;
    words: number[];
    integers: number[];
    one: number[];
    uniforms: number[];
    normals: number[];
    permutation: number[];
    mixed: number[];
  }[];
}

const { streams }: Streams = JSON.parse(readFileSync(new URL('./fixtures/mt19937.json', import.meta.url), 'utf8'));

const draws = (count: number, draw: () => number) => Array.from({ length: count }, draw);

test.each(streams)('seed $seed draws what numpy draws', ({ seed, ...expected }) => {
  const fresh = () => mt19937(seed);
  expect(draws(1300, fresh().u32).slice(-8)).toEqual(expected.words);
  const integers = fresh();
  expect(draws(40, () => integers.randint(1, 11))).toEqual(expected.integers);
  expect(draws(8, fresh().random_sample)).toEqual(expected.uniforms);
  expect(Array.from(fresh().permutation(23))).toEqual(expected.permutation);
  const normals = draws(9, fresh().standard_normal);
  for (const [i, normal] of normals.entries()) expect(Math.abs(normal - expected.normals[i])).toBeLessThan(1e-14);
});

test.each(streams)('draws of different kinds from seed $seed keep numpy’s place in the stream', ({ seed, mixed }) => {
  const random = mt19937(seed);
  const values = [
    random.randint(0, 7),
    random.standard_normal(),
    random.random_sample(),
    random.standard_normal(),
    random.randint(-3, 1000),
  ];
  for (const [i, value] of values.entries()) expect(Math.abs(value - mixed[i])).toBeLessThan(1e-14);
});

test('a choice among one value is that value and draws nothing', () => {
  const random = mt19937(0);
  expect(draws(3, () => random.randint(5, 6))).toEqual(streams[0].one);
  expect(random.u32()).toBe(mt19937(0).u32());
});

test('shuffling in place is the permutation of the same seed', () => {
  const values = Float64Array.from({ length: 23 }, (_, i) => i);
  mt19937(1).shuffle(values);
  expect(Array.from(values)).toEqual(Array.from(mt19937(1).permutation(23)));
});

test('an impossible seed or range is refused in a sentence', () => {
  expect(() => mt19937(-1)).toThrow('The seed of a Mersenne Twister was -1.');
  expect(() => mt19937(0).randint(3, 3)).toThrow('from 3 up to, not including, 3');
  expect(() => mt19937(0).randint(0, 2 ** 33)).toThrow('8589934592');
});
