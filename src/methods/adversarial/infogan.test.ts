import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { heaps } from '../testing/classes.ts';
import { infogan } from './infogan.ts';

test.each([1, 2, 3])(
  'without labels its discrete code comes to name the two heaps, and its head tells the codes from what was drawn (seed %i)',
  async (seed) => {
    const opened = heaps();
    const { session, history } = await trainBriefly(infogan, {
      data: opened,
      set: ['classes=2', 'codes=1', 'latents=2', 'batchSize=32', 'learningRate=1e-3'],
      steps: 500,
      seed,
    });
    expect(meanOf(history, 'information c', 0, 10)).toBeLessThan(0.2);
    expect(meanOf(history, 'information c', 450)).toBeGreaterThan(0.6);
    expect(meanOf(history, 'information c', 450)).toBeLessThanOrEqual(Math.LN2);
    if (opened.kind !== 'single') throw new Error('heaps is one set');
    const { data } = opened;
    const x = data.gather(Uint32Array.from({ length: data.length }, (_, i) => i));
    const { 'c probabilities': told } = await session.assembled.program.run('encode', { x });
    await session.close();
    const agreed = Array.from(data.labels?.values ?? []).filter((label, i) => told[2 * i] > 0.5 === (label === 0));
    const share = agreed.length / data.length;
    expect(Math.max(share, 1 - share)).toBeGreaterThan(0.95);
  },
  60_000,
);

test('no discrete code at all is refused in plain words', async () => {
  const run = trainBriefly(infogan, { set: ['classes=[]'], steps: 1 });
  await expect(run).rejects.toThrow('InfoGAN needs at least one discrete code; “classes” is empty.');
});
