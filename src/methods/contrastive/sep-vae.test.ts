import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { mixedTables } from '../testing/contrast.ts';
import { trainedOnTables } from '../testing/tables.ts';

test.each([1, 2, 3])(
  'at its defaults the target’s own factor is in s alone, and z has what is shared (seed %i)',
  async (seed) => {
    const { inS, inZ, background, shared } = await trainedOnTables([], seed, 'sep-vae');
    expect(inS).toBeGreaterThan(0.95);
    expect(inZ).toBeLessThan(0.25);
    expect(background).toBeLessThan(0.03);
    expect(shared).toBeGreaterThan(0.9);
  },
  60_000,
);

test('s tells the sets apart, and the discriminator’s guess at the mutual information is never below 0', async () => {
  const { session, history } = await trainBriefly(methodNamed('sep-vae'), {
    data: mixedTables(400),
    set: ['zLatents=4', 'sLatents=2', 'scale=0.3', 'batchSize=16', 'backgroundBatch=8', 'learningRate=3e-3'],
    steps: 150,
  });
  await session.close();
  expect(meanOf(history, 'salient classification', 130)).toBeLessThan(0.6 * Math.LN2);
  for (const terms of history) expect(terms['mutual information']).toBeGreaterThanOrEqual(0);
}, 60_000);
