import { expect, test } from 'vitest';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { codesOf, explained, mixedTables } from '../testing/contrast.ts';

test('Rb-VAE learns one salient code for all references, with which their own z decodes them', async () => {
  const data = mixedTables();
  const { session } = await trainBriefly(methodNamed('rb-vae'), {
    data,
    set: ['zLatents=4', 'sLatents=2', 'likelihood=gaussian', 'scale=0.3', 'batchSize=32', 'learningRate=3e-3'],
    steps: 500,
  });
  const { program } = session.assembled;
  const reference = (await program.run('constants', {}))['s neutral'];
  expect(reference.length).toBe(2);
  expect(Math.hypot(...reference)).toBeGreaterThan(0);
  const { n, z, items } = await codesOf(session, data.background);
  const repeated = Float32Array.from({ length: 2 * n }, (_, i) => reference[i % 2]);
  const x = data.background.gather(items);
  const decoded = (await program.run('decode', { z, s: repeated })).x;
  let [error, power] = [0, 0];
  x.forEach((value, e) => {
    error += (decoded[e] - value) ** 2;
    power += value ** 2;
  });
  expect(error / power).toBeLessThan(0.1);
  const target = await codesOf(session, data.target);
  expect(explained(target.s, data.target, target.items, 3)).toBeGreaterThan(0.9);
  await session.close();
}, 60_000);
