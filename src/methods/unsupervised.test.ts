import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../train/testing/briefly.ts';
import { methods } from './registry.ts';

const unsupervised = Object.values(methods).filter(({ needs }) => needs === 'data');

test.each(unsupervised.map((method) => [method.name, method] as const))(
  '%s trains on shapes and its loss falls',
  async (_, method) => {
    const { session, history } = await trainBriefly(method, { steps: 200, set: ['learningRate=1e-3', 'batchSize=32'] });
    const first = meanOf(history, 'reconstruction', 0, 10);
    const last = meanOf(history, 'reconstruction', 180);
    expect(last).toBeLessThan(0.8 * first);
    const heldOut = await session.heldOutTerms();
    expect(heldOut?.reconstruction).toBeLessThan(0.8 * first);
    await session.close();
  },
  60_000,
);
