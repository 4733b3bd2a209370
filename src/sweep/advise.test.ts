import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdviceRow, adviceOf, advise, planAdvice } from './advise.ts';
import { runHere } from './here.ts';
import { openSweep, storeAt } from './sweep.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-advise-'));
});
afterAll(() => rm(root, { recursive: true }));

const row = (beta: number, explained: number, active: number): AdviceRow => ({
  beta,
  nats: Array.from({ length: 6 }, (_, j) => (j < active ? 1 : 0)),
  active,
  reconstruction: 1 - explained,
  explained,
});

test('the highest β that keeps four fifths of the best explanation is advised', () => {
  const { beta, why } = advise([row(1, 0.5, 6), row(4, 0.41, 3), row(16, 0.39, 2), row(64, 0, 0)], 400, 1);
  expect(beta).toBe(4);
  expect(why).toContain('β = 4 ');
  expect(why).toContain('(41 % of 50 %), with 3 of 6 dimensions active');
});

test('advice says when its β is at an end of what was tried, and when a training was too short to judge', () => {
  const highest = advise([row(1, 0.5, 6), row(4, 0.49, 5)], 400, 3);
  expect(highest.beta).toBe(4);
  expect(highest.limits.join(' ')).toContain('It is the highest that was tried');
  expect(highest.limits.join(' ')).toContain('over 3 seeds');
  const lowest = advise([row(1, 0.5, 6), row(4, -0.2, 5)], 400, 1);
  expect(lowest.beta).toBe(1);
  expect(lowest.limits.join(' ')).toContain('It is the lowest that was tried');
  expect(lowest.limits.join(' ')).toContain('At β = 4 not even the mean item is known yet');
});

test('where codes explain nothing, or no training ended, no β is advised', () => {
  const nothing = advise([row(1, 0.01, 1), row(4, 0, 0)], 100, 1);
  expect(nothing.beta).toBeUndefined();
  expect(nothing.why).toContain('--steps 400');
  expect(advise([], 100, 1)).toMatchObject({ rows: [], why: 'No training came to its end.' });
});

test('a method without β is refused, with those that have one', async () => {
  await expect(
    planAdvice({ method: 'dip-vae-ii', data: 'shapes' }, { betas: [1, 4], seeds: [1], steps: 9 }),
  ).rejects.toMatchObject({ message: 'dip-vae-ii has no β.', hint: expect.stringContaining('beta-tcvae') });
});

test('short trainings over β close dimensions as it grows, and what they explain is measured against the mean item', async () => {
  const set = ['network=mlp', 'latents=4', 'batchSize=64', 'learningRate=0.002'];
  const { plan } = await planAdvice(
    { method: 'beta-vae', data: 'shapes', set },
    { betas: [100, 0.1], seeds: [1, 2], steps: 120 },
  );
  expect(plan.configurations.map(({ point }) => point.beta)).toEqual([0.1, 100]);
  const sweep = await openSweep(storeAt(join(root, 'beta')), plan);
  expect(await runHere(sweep)).toBe(true);
  const { rows, beta } = await adviceOf(sweep);
  const [low, high] = rows;
  expect(low.nats).toHaveLength(4);
  expect(low.nats).toEqual([...low.nats].sort((a, b) => b - a));
  expect(low.active).toBeGreaterThan(high.active);
  expect(low.nats[0]).toBeGreaterThan(1);
  expect(high.nats[0]).toBeLessThan(0.1);
  expect(low.explained).toBeGreaterThan(high.explained + 0.1);
  expect(low.explained).toBeLessThan(1);
  expect(low.deviation?.explained).toBeGreaterThan(0);
  expect(beta).toBe(0.1);
}, 60_000);
