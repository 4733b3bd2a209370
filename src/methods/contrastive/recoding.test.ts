import { expect, test } from 'vitest';
import { trainedOnTables } from '../testing/tables.ts';

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
