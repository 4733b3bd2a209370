import { expect, test } from 'vitest';
import { networks } from '../nn/index.ts';
import { resolveSettings } from '../training/session/settings.ts';
import { meanOf, trainBriefly } from '../training/testing/briefly.ts';
import { methods } from './registry.ts';

const unsupervised = Object.values(methods).filter(({ needs }) => needs === 'data');
const each = test.each(unsupervised.map((method) => [method.name, method] as const));

/** Smaller networks than a paper's, where those are large. */
const smaller: Record<string, string[]> = {
  'factor-vae': ['discriminatorWidth=64'],
};
const settingsOf = (name: string) => ['learningRate=1e-3', 'batchSize=16', ...(smaller[name] ?? [])];

each(
  '%s trains on shapes and its loss falls',
  async (name, method) => {
    const { session, history } = await trainBriefly(method, { steps: 200, set: settingsOf(name) });
    const first = meanOf(history, 'reconstruction', 0, 10);
    const last = meanOf(history, 'reconstruction', 180);
    expect(last).toBeLessThan(0.8 * first);
    // The total correlation of β-TCVAE holds a large constant: ln of items and batch, for all dimensions but one.
    expect(meanOf(history, 'loss', 180)).toBeLessThan(meanOf(history, 'loss', 0, 10) - 0.5 * (first - last));
    const heldOut = await session.heldOutTerms();
    expect(heldOut?.reconstruction).toBeLessThan(0.8 * first);
    await session.close();
  },
  60_000,
);

each(
  '%s has the same losses on one worker and on two',
  async (name, method) => {
    const [one, two] = await Promise.all(
      [1, 2].map(async (workers) => {
        const { session, history } = await trainBriefly(method, { steps: 3, set: settingsOf(name), workers });
        await session.close();
        return history;
      }),
    );
    for (const [step, terms] of one.entries())
      for (const [term, value] of Object.entries(terms))
        expect(Math.abs(two[step][term] - value), `${term} in step ${step}`).toBeLessThan(
          1e-4 * Math.max(1, Math.abs(value)),
        );
  },
  60_000,
);

each('%s has presets that set its options', (name, method) => {
  for (const preset of Object.keys(method.presets)) {
    const { options, training } = resolveSettings(method, { preset });
    for (const [option, value] of Object.entries(method.presets[preset]))
      expect({ ...training, ...options }[option], `${option} of ${name} ${preset}`).toEqual(value);
    const { network } = options;
    expect(Object.keys(networks)).toContain(network);
  }
});
