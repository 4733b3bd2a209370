import { expect, test } from 'vitest';
import { resolveSettings } from '../../training/session/settings.ts';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { middleShapes, unseenAccuracy } from '../testing/classes.ts';
import { partedVae } from './parted-vae.ts';

const set = ['batchSize=16', 'learningRate=1e-3', 'attentionSlope=linear(1,8,150)'];

test('with 60 labels it names the shapes of items whose labels it never saw', async () => {
  const { session, data, history } = await trainBriefly(partedVae, {
    data: await middleShapes(),
    set,
    steps: 200,
    labels: { labels: 60 },
  });
  expect(session.assembled.steps).toEqual(['supervised', 'train']);
  expect(meanOf(history, 'loss', 180)).toBeLessThan(0.3 * meanOf(history, 'loss', 0, 10));
  expect(meanOf(history, 'reconstruction', 180)).toBeLessThan(0.5 * meanOf(history, 'reconstruction', 0, 10));
  const [accuracy] = await unseenAccuracy(session, data);
  expect(accuracy).toBeGreaterThan(0.65);
  const { parameters } = await session.state();
  expect(parameters.get('attention.slope')?.[0]).toBe(8);
  const constants = await session.assembled.program.run('constants', {});
  expect(constants['u prior mean'].length).toBe(3 * 10);
  for (const value of constants['u prior log variance']) expect(Math.abs(value + 1)).toBeLessThan(2);
  await session.close();
}, 60_000);

test('with two labels it learns a c and a u for each', async () => {
  const { session, data, history } = await trainBriefly(partedVae, {
    data: await middleShapes(),
    set: [...set, 'classLatents=2', 'batchSize=32'],
    steps: 200,
    labels: { labels: 80, labelFactors: ['shape', 'brightness'] },
  });
  const blocks = session.assembled.model.blocks.map(({ name, size, role }) => `${name} ${size} ${role}`);
  expect(blocks).toEqual([
    'c shape 3 class',
    'c brightness 4 class',
    'u shape 2 class-related',
    'u brightness 2 class-related',
    'z 6 shared',
  ]);
  expect(meanOf(history, 'classification', 180)).toBeLessThan(0.5 * meanOf(history, 'classification', 0, 10));
  const [shape, brightness] = await unseenAccuracy(session, data);
  expect(shape).toBeGreaterThan(0.55);
  expect(brightness).toBeGreaterThan(0.6);
  const constants = await session.assembled.program.run('constants', {});
  expect(constants['u shape prior mean'].length).toBe(3 * 2);
  expect(constants['u brightness prior mean'].length).toBe(4 * 2);
  await session.close();
}, 60_000);

test('without labels there is one step, and the classes are those that are asked for', async () => {
  const { session } = await trainBriefly(partedVae, {
    set: ['classes=5,2', 'batchSize=8', 'network=mlp'],
    steps: 1,
  });
  expect(session.assembled.steps).toEqual(['train']);
  const blocks = session.assembled.model.blocks.map(({ name, size }) => `${name}: ${size}`);
  expect(blocks).toEqual(['c 1: 5', 'c 2: 2', 'u 1: 10', 'u 2: 10', 'z: 6']);
  await session.close();
});

test('a prior of c that does not fit the classes is refused in plain words', async () => {
  const run = trainBriefly(partedVae, { set: ['classPrior=0.5,0.5', 'network=mlp'], steps: 1 });
  await expect(run).rejects.toThrow('The option “classPrior” has 2 numbers; there are 3 classes.');
});

test('the preset for CelebA has the authors’ priors, 2.45 nats from uniform ones, and their network’s 1600 features', async () => {
  const { options } = resolveSettings(partedVae, { preset: 'celeba' });
  const { classes, classPrior } = partedVae.presets.celeba as { classes: number[]; classPrior: number[] };
  expect(options).toMatchObject({ classes, classPrior });
  let start = 0;
  let apart = 0;
  for (const count of classes) {
    const own = classPrior.slice(start, start + count);
    const sum = own.reduce((total, value) => total + value, 0);
    expect(sum).toBeCloseTo(1, 1);
    // KL(p ‖ uniform) of each variable.
    for (const value of own) apart += (value / sum) * Math.log((value / sum) * count);
    start += count;
  }
  expect(start).toBe(classPrior.length);
  expect(apart).toBeCloseTo(2.45, 2);
});
