import { expect, test } from 'vitest';
import { grad, input } from '../tensor/index.ts';
import { evaluate } from '../tensor/testing/evaluate.ts';
import fixture from './fixtures/contrastive.json' with { type: 'json' };
import { salience } from './salience.ts';

test('the salience of fixture C has the golden value and PyTorch’s gradient', async () => {
  const mean = input('mean', [8, 3]);
  const logVariance = input('log variance', [8, 3]);
  const value = salience({ mean, logVariance });
  const grid = (f: (r: number, c: number) => number) =>
    Float32Array.from({ length: 24 }, (_, i) => f(Math.floor(i / 3), i % 3));
  const [found, inMean, inLogVariance] = await evaluate([value, ...grad(value, [mean, logVariance])], {
    mean: grid((r, c) => Math.sin(1.3 * r + 0.7 * c) * (1 + 0.5 * c)),
    'log variance': grid((r, c) => -1 + 0.1 * r + 0.05 * c),
  });
  expect(found[0]).toBeCloseTo(fixture.salience.value, 5);
  for (let i = 0; i < 24; i++) {
    expect(inMean[i]).toBeCloseTo(fixture.salience.mean[i], 6);
    expect(inLogVariance[i]).toBeCloseTo(fixture.salience.logVariance[i], 6);
  }
});
