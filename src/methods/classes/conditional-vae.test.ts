import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { drawnOfClasses, middleShapes, unseenAccuracy } from '../testing/classes.ts';
import { conditionalVae } from './conditional-vae.ts';

test('it draws brighter shapes for brighter classes, and infers the class of an item', async () => {
  const { session, data, history } = await trainBriefly(conditionalVae, {
    data: await middleShapes(),
    set: ['batchSize=32', 'learningRate=1e-3'],
    steps: 200,
    labels: { labels: 120, labelFactors: ['brightness'] },
  });
  expect(meanOf(history, 'loss', 180)).toBeLessThan(0.5 * meanOf(history, 'loss', 0, 10));
  const light = (await drawnOfClasses(session, 1)).map((picture) => picture.reduce((sum, value) => sum + value, 0));
  expect([...light].sort((a, b) => a - b)).toEqual(light);
  expect(light[3] / light[0]).toBeGreaterThan(1.5);
  const [accuracy] = await unseenAccuracy(session, data);
  expect(accuracy).toBeGreaterThan(0.5);
  await session.close();
}, 60_000);
