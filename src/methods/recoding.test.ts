import { expect, test } from 'vitest';
import { trainBriefly } from '../train/testing/briefly.ts';
import { methodNamed } from './registry.ts';
import { codesOf, explained, mixedTables } from './testing/contrast.ts';

/** How much of the salient factor a regression finds in z and in s, and the least that it finds of a shared one in z. */
async function trained(recoding: number, seed: number) {
  const data = mixedTables();
  const settings = ['beta=1', 'zLatents=4', 'sLatents=2', 'scale=0.3', 'batchSize=32', 'learningRate=3e-3'];
  const { session } = await trainBriefly(methodNamed('contrastive-correct'), {
    data,
    set: [...settings, 'sharedFrom=background', `recoding=${recoding}`, 'backgroundBatch=24'],
    steps: 500,
    seed,
  });
  const { z, s, items } = await codesOf(session, data.target);
  await session.close();
  const shared = [0, 1, 2].map((factor) => explained(z, data.target, items, factor));
  return {
    inZ: explained(z, data.target, items, 3),
    inS: explained(s, data.target, items, 3),
    shared: Math.min(...shared),
  };
}

test.each([1, 2, 3])(
  'recoding takes most of the target’s own factor out of a z that the background teaches (seed %i)',
  async (seed) => {
    const plain = await trained(0, seed);
    const recoded = await trained(1, seed);
    expect(plain.inZ).toBeGreaterThan(0.1);
    expect(recoded.inZ).toBeLessThan(0.5 * plain.inZ);
    expect(recoded.inS).toBeGreaterThan(0.95);
    expect(recoded.shared).toBeGreaterThan(0.9);
  },
  60_000,
);
