import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addLoss, endEpoch, look, patienceStart, plateauStart } from './watch.ts';

interface Fixture {
  losses: number[];
  cases: { factor: number; patience: number; threshold: number; cooldown: number; factors: number[] }[];
}

const fixture: Fixture = JSON.parse(readFileSync(new URL('./fixtures/plateau.json', import.meta.url), 'utf8'));

test.each(fixture.cases)('a plateau lowers the rate when PyTorch would: factor $factor, patience $patience', (one) => {
  const settings = {
    plateauFactor: one.factor,
    plateauPatience: one.patience,
    plateauThreshold: one.threshold,
    plateauCooldown: one.cooldown,
  };
  let state = plateauStart;
  const factors = fixture.losses.map((loss) => {
    // An epoch's mean is what counts: two steps around it give it.
    state = endEpoch(addLoss(addLoss(state, loss + 4), loss - 4), settings);
    return state.factor;
  });
  for (const [epoch, factor] of factors.entries()) expect(factor).toBeCloseTo(one.factors[epoch], 12);
  expect(factors[factors.length - 1]).toBeLessThan(1);
});

test('patience counts looks since the best held-out loss', () => {
  let state = patienceStart;
  for (const [i, loss] of [5, 4, 4.5, 4.2, 3, 3.5].entries()) state = look(state, loss, (i + 1) * 100);
  expect(state).toEqual({ best: 3, at: 500, waited: 1 });
});
