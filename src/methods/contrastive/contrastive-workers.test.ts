import { expect, test } from 'vitest';
import { trainBriefly } from '../../training/testing/briefly.ts';
import { methodNamed } from '../registry.ts';
import { mixedTables } from '../testing/contrast.ts';

const cases = [
  ['contrastive-w2', ['solver=sinkhorn']],
  ['cvae-tc', ['together=true', 'discriminator=linear']],
  ['contrastive-correct', ['backgroundBatch=4']],
  ['contrastive-w2', ['solver=sinkhorn', 'match=means', 'backgroundBatch=12']],
  ['cvae-tc', ['backgroundBatch=4']],
  ['mm-cvae', ['backgroundBatch=4']],
  ['sep-vae', ['backgroundBatch=4']],
  ['clvm', ['backgroundBatch=4', 'freedom=4']],
  ['srb-vae', ['backgroundBatch=4']],
  ['contrastive-correct', ['recoding=1']],
  ['contrastive-correct', ['recoding=1', 'backgroundBatch=4']],
  ['contrastive-correct', ['recoding=1', 'backgroundBatch=12']],
  ['contrastive-correct', ['independence=3']],
  ['srb-vae', ['independence=3', 'recoding=1']],
] as const;

test.each(cases)(
  '%s %s is the same on one worker and on two',
  async (name, set) => {
    const histories = [];
    for (const workers of [1, 2]) {
      const { session, history } = await trainBriefly(methodNamed(name), {
        data: mixedTables(100),
        set: ['zLatents=3', 'sLatents=2', 'batchSize=8', ...set],
        steps: 5,
        workers,
      });
      await session.close();
      histories.push(history);
    }
    const [one, two] = histories;
    for (const [step, terms] of one.entries())
      for (const [term, value] of Object.entries(terms))
        expect(Math.abs(two[step][term] - value), term).toBeLessThan(1e-4 * (1 + Math.abs(value)));
  },
  60_000,
);
