import { expect, test } from 'vitest';
import { contrastInMemory } from './in-memory.ts';
import { type Planted, plantedPiles } from './planted.ts';

const settings: Record<Planted['kind'], string[]> = {
  table: ['scale=0.5', 'beta=1'],
  counts: ['beta=1'],
  pictures: ['network=mlp', 'likelihood=gaussian', 'scale=0.1', 'beta=1'],
};
const all = ['batchSize=64', 'learningRate=0.002', 'zLatents=4', 'sLatents=2'];

const verdictOf = async (planted: Planted) =>
  (await contrastInMemory(plantedPiles(planted), { set: [...settings[planted.kind], ...all], steps: 200, seed: 1 }))
    .verdict;

test.each(['table', 'counts', 'pictures'] as const)(
  'of %s that differ in nothing nothing is found, with and without repeats; of planted ones something is',
  async (kind) => {
    for (const repeats of [1, 10]) {
      const { found, salient } = await verdictOf({ kind, items: 300, share: 0, repeats, seed: repeats });
      expect(found).toBe('nothing');
      expect(salient.pValue).toBeGreaterThanOrEqual(0.01);
    }
    const { found, salient } = await verdictOf({ kind, items: 1000, share: 0.2, seed: 3 });
    expect(found).toBe('difference');
    expect(salient.pValue).toBeLessThan(0.01);
  },
  60_000,
);
