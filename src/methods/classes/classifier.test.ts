import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { heaps, middleShapes, unseenAccuracy } from '../testing/classes.ts';
import { classifier } from './classifier.ts';

test('it sees labelled items alone, and names others far better than chance', async () => {
  const { session, data, history } = await trainBriefly(classifier, {
    data: await middleShapes(),
    set: ['batchSize=32', 'learningRate=1e-3'],
    steps: 200,
    labels: { labels: 60 },
  });
  expect(data.target.split.train.length).toBe(60);
  expect(meanOf(history, 'classification', 180)).toBeLessThan(0.3 * meanOf(history, 'classification', 0, 10));
  const [accuracy] = await unseenAccuracy(session, data);
  expect(accuracy).toBeGreaterThan(0.7);
  const { x } = await session.assembled.program.run('decode', { c: Float32Array.of(1, 0, 0, 0, 1, 0) });
  expect(x.length).toBe(2 * 16 * 16);
  await session.close();
}, 60_000);

test('without any label there is nothing to learn, and it says so', async () => {
  const run = trainBriefly(classifier, { steps: 1, labels: { labelFactors: [] } });
  await expect(run).rejects.toThrow('There are no labels to learn from.');
});

test('with a single class it still trains, and is always right', async () => {
  const opened = heaps(64);
  if (opened.kind !== 'single') throw new Error('heaps is one set');
  const labels = { names: ['all'], values: new Uint16Array(64) };
  const data = { kind: 'single' as const, data: { ...opened.data, labels } };
  const { session, history } = await trainBriefly(classifier, { data, steps: 3 });
  expect(history.map(({ loss, accuracy }) => [Math.abs(loss), accuracy])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  await session.close();
});
