import { expect, test } from 'vitest';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { codesOf, markCorner, smallShapes, told } from '../testing/contrast.ts';

async function trained(name: string) {
  const data = smallShapes();
  const { session } = await trainBriefly(methodNamed(name), {
    data,
    set: ['beta=1', 'network=mlp', 'likelihood=gaussian', 'scale=0.1', 'batchSize=32', 'learningRate=2e-3'],
    steps: 600,
  });
  const target = await codesOf(session, data.target);
  const background = await codesOf(session, data.background);
  await session.close();
  const x = 2;
  return {
    corner: told(target.s, data.target, target.items, markCorner),
    place: { inZ: told(target.z, data.target, target.items, x), inS: told(target.s, data.target, target.items, x) },
    ratio: background.salientMean / target.salientMean,
    salience: background.salientMean + background.salientVariance,
  };
}

test('Eq. 7 finds the mark in s and empties the s of shapes without one, where Eq. 3 leaves something in it', async () => {
  const base = await trained('contrastive-vae');
  const correct = await trained('contrastive-correct');
  // Four corners: chance is 0.25.
  expect(correct.corner).toBeGreaterThan(0.65);
  // Eight places of the shape, which both sets have: chance is 0.125.
  expect(correct.place.inZ).toBeGreaterThan(correct.place.inS + 0.1);
  expect(base.ratio).toBeGreaterThan(0.1);
  expect(correct.ratio).toBeLessThan(0.08);
  expect(base.salience).toBeGreaterThan(1);
  expect(correct.salience).toBeLessThan(0.15);
}, 60_000);
