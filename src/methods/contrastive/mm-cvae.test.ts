import { expect, test } from 'vitest';
import { trainedOnTables } from '../testing/tables.ts';

test.each([1, 2, 3])(
  'at its defaults the target’s own factor is in s, the background’s s is all but empty, and z has what is shared (seed %i)',
  async (seed) => {
    const { inS, inZ, background, shared } = await trainedOnTables([], seed, 'mm-cvae');
    expect(inS).toBeGreaterThan(0.95);
    expect(inZ).toBeLessThan(0.5);
    expect(background).toBeLessThan(0.02);
    expect(shared).toBeGreaterThan(0.9);
  },
  60_000,
);

test('without its discrepancies it is the base, which at this seed ends with the factor in z', async () => {
  const { inZ, inS, background } = await trainedOnTables(['lambdaZ=0', 'lambdaS=0', 'encoders=one'], 2, 'mm-cvae');
  expect(inZ).toBeGreaterThan(0.8);
  expect(inS).toBeLessThan(0.6);
  expect(background).toBeGreaterThan(0.3);
}, 60_000);
