import { expect, test } from 'vitest';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { middleShapes } from '../testing/classes.ts';
import { jointVae } from './joint-vae.ts';

test('both parts of the code come to carry as many nats as their capacities allow', async () => {
  const { session, history } = await trainBriefly(jointVae, {
    data: await middleShapes(),
    set: ['batchSize=32', 'learningRate=1e-3', 'network=mlp', 'classes=3', 'capacityZ=4', 'capacityC=9'],
    steps: 200,
  });
  const last = history.slice(-20);
  const meanOf = (term: string) => last.reduce((sum, terms) => sum + terms[term] / last.length, 0);
  expect(meanOf('kl z')).toBeGreaterThan(3);
  expect(meanOf('kl z')).toBeLessThan(5);
  // The discrete capacity stops at ln 3, all that three classes can carry.
  expect(meanOf('kl c')).toBeGreaterThan(0.6);
  expect(meanOf('kl c')).toBeLessThanOrEqual(Math.log(3) + 1e-4);
  await session.close();
}, 60_000);

test('no discrete factor at all is refused in plain words', async () => {
  const run = trainBriefly(jointVae, { set: ['classes=[]'], steps: 1 });
  await expect(run).rejects.toThrow('JointVAE needs at least one discrete factor; “classes” is empty.');
});
