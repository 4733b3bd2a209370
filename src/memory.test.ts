import { afterEach, expect, test, vi } from 'vitest';
import { bytesOfSize, checkMemory, mostMemory, setMostMemory } from './memory.ts';

afterEach(() => vi.unstubAllEnvs());

test('an amount of memory is read as people write it', () => {
  expect(['800M', '4G', '1.5GB', '2 GiB', '1048576', '3g'].map(bytesOfSize)).toEqual([
    838_860_800, 4_294_967_296, 1_610_612_736, 2_147_483_648, 1_048_576, 3_221_225_472,
  ]);
  for (const wrong of ['', 'much', '-4G', '12', '4X', '1e9'])
    expect(() => bytesOfSize(wrong)).toThrow('is not an amount of memory');
});

test('what takes more than is allowed is refused with both numbers', () => {
  vi.stubEnv('UNTANGLE_MAX_MEMORY', '');
  expect(mostMemory()).toBeGreaterThan(2 ** 28);
  setMostMemory('512M');
  checkMemory('a.npz', 2 ** 29);
  expect(() => checkMemory('a.npz', 1.5 * 2 ** 30)).toThrow(
    'a.npz would take 1.5 GB of memory, and 512 MB are allowed.',
  );
});
