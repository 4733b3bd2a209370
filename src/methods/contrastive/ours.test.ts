import { expect, test } from 'vitest';
import { trainedOnTables } from '../testing/tables.ts';

test.each([1, 2, 3])(
  'with independence and recoding the target’s own factor is in s alone, and every shared one in z (seed %i)',
  async (seed) => {
    const { inZ, inS, shared } = await trainedOnTables(
      ['sharedFrom=background', 'recoding=1', 'independence=30'],
      seed,
    );
    expect(inZ).toBeLessThan(0.1);
    expect(inS).toBeGreaterThan(0.95);
    expect(shared).toBeGreaterThan(0.95);
  },
  60_000,
);

test.each([1, 2, 3])(
  'independence lets one code alone have the factor; which one, where both sets teach z, is not said (seed %i)',
  async (seed) => {
    const { inZ, inS } = await trainedOnTables(['independence=10'], seed);
    expect(Math.min(inZ, inS)).toBeLessThan(0.15);
    expect(Math.max(inZ, inS)).toBeGreaterThan(0.9);
  },
  60_000,
);

test.each([1, 2, 3])(
  'recoding takes most of the target’s own factor out of a z that the background teaches (seed %i)',
  async (seed) => {
    const settings = ['sharedFrom=background', 'backgroundBatch=24'];
    const plain = await trainedOnTables(settings, seed);
    const recoded = await trainedOnTables([...settings, 'recoding=1'], seed);
    expect(plain.inZ).toBeGreaterThan(0.1);
    expect(recoded.inZ).toBeLessThan(0.5 * plain.inZ);
    expect(recoded.inS).toBeGreaterThan(0.95);
    expect(recoded.shared).toBeGreaterThan(0.9);
  },
  60_000,
);
