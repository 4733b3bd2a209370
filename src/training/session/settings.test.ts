import { expect, test } from 'vitest';
import { methodNamed } from '../../methods/index.ts';
import { resolveSettings } from './settings.ts';

const lengthOf = (set: string[]) => {
  const { steps, epochs } = resolveSettings(methodNamed('beta-vae'), { set }).training;
  return { steps, epochs };
};

test('of steps and epochs the one that was set last holds', () => {
  expect(lengthOf(['epochs=3', 'beta=2', 'steps=70'])).toEqual({ steps: 70, epochs: 0 });
  expect(lengthOf(['steps=70', 'epochs=3'])).toMatchObject({ epochs: 3 });
});

test('steps hold against the epochs of a file', () => {
  const { training } = resolveSettings(methodNamed('beta-vae'), {
    file: { path: 'a.yaml', values: { epochs: 5 } },
    set: ['steps=70'],
  });
  expect(training).toMatchObject({ steps: 70, epochs: 0 });
});

test('steps of a file hold against the epochs of a preset, and epochs of a file against its steps', () => {
  const of = (preset: string, values: Record<string, number>) =>
    resolveSettings(methodNamed('beta-tcvae'), { preset, file: { path: 'a.yaml', values } }).training;
  expect(resolveSettings(methodNamed('beta-tcvae'), { preset: 'dsprites' }).training).toMatchObject({ epochs: 50 });
  expect(of('dsprites', { steps: 70 })).toMatchObject({ steps: 70, epochs: 0 });
  expect(of('dsprites', { epochs: 3 })).toMatchObject({ epochs: 3 });
  expect(of('dsprites', { beta: 3 })).toMatchObject({ epochs: 50 });
});
