import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { middleShapes, unseenAccuracy } from '../testing/classes.ts';
import { m2Vae } from './m2-vae.ts';

const set = ['network=mlp', 'batchSize=16', 'learningRate=1e-3', 'alpha=10'];

test.each(['marginal', 'importance'])(
  'with 60 labels it names the shapes of items whose labels it never saw (%s)',
  async (objective) => {
    const { session, data, history } = await trainBriefly(m2Vae, {
      data: await middleShapes(),
      set: [...set, `objective=${objective}`],
      steps: 200,
      labels: { labels: 60 },
    });
    const [accuracy] = await unseenAccuracy(session, data);
    await session.close();
    expect(accuracy).toBeGreaterThan(0.6);
    expect(meanOf(history, 'reconstruction', 180)).toBeLessThan(0.5 * meanOf(history, 'reconstruction', 0, 10));
    expect(meanOf(history, 'classification', 180)).toBeLessThan(0.5 * meanOf(history, 'classification', 0, 10));
  },
  60_000,
);

test('without labels it is the bound of unlabelled items alone, whichever way they are inferred', async () => {
  for (const objective of ['marginal', 'importance']) {
    const { session, history } = await trainBriefly(m2Vae, { set: [...set, `objective=${objective}`], steps: 2 });
    await session.close();
    for (const { loss, ...terms } of history) {
      expect(Object.keys(terms).sort()).toEqual(['kl y', 'kl z', 'reconstruction']);
      expect(loss).toBeCloseTo(terms.reconstruction + terms['kl z'] + terms['kl y'], 2);
    }
  }
});

test('more combinations of classes than a step can decode are refused with a way out', async () => {
  const labelFactors = ['shape', 'brightness', 'scale', 'x'];
  const run = (objective: string) =>
    trainBriefly(m2Vae, { set: [...set, `objective=${objective}`], steps: 1, labels: { labels: 40, labelFactors } });
  await expect(run('marginal')).rejects.toThrow(/M2 decodes an item with every combination of its classes; 3 × 4/);
  const { session } = await run('importance');
  await session.close();
});
