import { expect, test } from 'vitest';
import { meanOf, trainBriefly } from '../../training/testing/briefly.ts';
import { ring } from '../testing/codes.ts';
import { svae } from './svae.ts';

const set = ['latents=2', 'scale=0.3', 'discriminatorRate=1e-3', 'batchSize=32'];

test('the discriminator takes encoded pairs for the positives, and a learning model closes the gap', async () => {
  const data = ring();
  const train = async (learningRate: number) => {
    const { session, history } = await trainBriefly(svae, {
      data,
      steps: 400,
      set: [...set, `learningRate=${learningRate}`],
    });
    await session.close();
    return history;
  };
  const still = await train(0);
  const learning = await train(1e-3);
  const mean = (history: Record<string, number>[], term: string) => meanOf(history, term, 300);
  expect(still[0].discriminator).toBeCloseTo(Math.LN2, 1);
  expect(mean(still, 'ratio of encoded pairs')).toBeGreaterThan(1);
  expect(mean(still, 'ratio of decoded pairs')).toBeLessThan(-1);
  // Rows whose item or codes are zeroed keep even the sure discriminator above zero.
  expect(mean(learning, 'discriminator')).toBeGreaterThan(1.5 * mean(still, 'discriminator'));
  const gap = (history: Record<string, number>[]) =>
    mean(history, 'ratio of encoded pairs') - mean(history, 'ratio of decoded pairs');
  expect(gap(learning)).toBeLessThan(0.5 * gap(still));
  expect(mean(learning, 'latent reconstruction')).toBeLessThan(learning[0]['latent reconstruction'] - 2);
});
