import { expect, test } from 'vitest';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { mixedTables, smallShapes } from '../testing/contrast.ts';
import { trainedOnTables } from '../testing/tables.ts';

test.each([1, 2, 3])(
  'at its defaults the target’s own factor is in s alone, and z has what is shared (seed %i)',
  async (seed) => {
    const { inS, inZ, background, shared } = await trainedOnTables([], seed, 'clvm');
    expect(inS).toBeGreaterThan(0.95);
    expect(inZ).toBeLessThan(0.25);
    expect(background).toBeLessThan(0.03);
    expect(shared).toBeGreaterThan(0.9);
  },
  60_000,
);

test('what s adds to an item does not go by its z, and an s of 0 adds nothing', async () => {
  const set = ['zLatents=3', 'sLatents=2', 'scale=0.3', 'batchSize=16', 'learningRate=3e-3'];
  const { session } = await trainBriefly(methodNamed('clvm'), { data: mixedTables(100), set, steps: 30 });
  const { program } = session.assembled;
  const decoded = async (z: number, s: number) =>
    (await program.run('decode', { z: new Float32Array(3).fill(z), s: new Float32Array(2).fill(s) })).x;
  const [one, other, oneWithout, otherWithout] = [
    await decoded(1, 2),
    await decoded(-1, 2),
    await decoded(1, 0),
    await decoded(-1, 0),
  ];
  const state = await session.state();
  await session.close();
  const added = one.map((value, j) => value - oneWithout[j]);
  expect(Math.hypot(...added)).toBeGreaterThan(0.1);
  for (const [j, value] of added.entries()) expect(value).toBeCloseTo(other[j] - otherWithout[j], 4);
  // Such a decoder's last bias would cancel.
  const own = [...state.parameters.keys()].filter((name) => name.startsWith('added decoder'));
  expect(own).toContain('added decoder.linear3.weight');
  expect(own).not.toContain('added decoder.linear3.bias');
}, 60_000);

test('Student-t items of pixels from 0 to 1 are refused with a way out', async () => {
  const run = trainBriefly(methodNamed('clvm'), { data: smallShapes(), set: ['freedom=4'], steps: 1 });
  await expect(run).rejects.toMatchObject({
    message: 'Student-t items are Gaussian ones with weights; the likelihood is bernoulli.',
    hint: 'Add --set likelihood=gaussian, or leave freedom at 0.',
  });
});
