import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRun, readCheckpoint } from '../runs/index.ts';
import { trainRun } from '../training/index.ts';
import { estimate, runHere } from './here.ts';
import type { Plan } from './plan.ts';
import { summarise } from './report/summary.ts';
import { openSweep, storeAt } from './sweep.ts';
import { checkSweepFile, planSweep } from './sweep-file.ts';
import { folderIn, trialFolder } from './trial.ts';

let root: string;
let plan: Plan;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-here-'));
  const file = {
    method: 'beta-vae',
    data: 'shapes',
    seeds: [3],
    space: { beta: [1, 8], latents: [4, 5] },
    set: { batchSize: 16, checkpointEvery: 5 },
    objectives: { reconstruction: 'min' },
    budget: { steps: 60, prune: { kind: 'asha', rungs: [20, 60], keep: '1/2' } },
    evaluate: { items: 100 },
  };
  plan = await planSweep(checkSweepFile(file, 'here.yaml'), 'here');
});
afterAll(() => rm(root, { recursive: true }));

const weightsIn = async (folder: string) => (await readCheckpoint(folder))?.weights;

/** The weights of all trials that came to the last rung. */
async function finalWeights(url: string) {
  const store = storeAt(url);
  const sweep = await openSweep(store);
  await sweep.index.refresh();
  const weights = new Map<string, unknown>();
  for (const { trials } of plan.configurations)
    for (const trial of trials) {
      if (!sweep.index.resultAt(trial, 60)) continue;
      const folder = folderIn(trial.name, await store.list(trialFolder(trial.name)));
      weights.set(trial.name, await weightsIn(join(url, folder!)));
    }
  return weights;
}

describe('a sweep on this machine', () => {
  test('trains trials that go on from their rung to the weights of a run that never stopped, bit for bit', async () => {
    const url = join(root, 'calm');
    expect(await runHere(await openSweep(storeAt(url), plan), { jobs: 2 })).toBe(true);
    const weights = await finalWeights(url);
    expect(weights.size).toBeGreaterThanOrEqual(2);
    for (const { trials } of plan.configurations) {
      const [trial] = trials;
      if (!weights.has(trial.name)) continue;
      const straight = await createRun(join(root, 'straight'), trial.settings, trial.name);
      await trainRun(straight);
      expect(await weightsIn(straight.folder)).toEqual(weights.get(trial.name));
    }
    const sweep = await openSweep(storeAt(url));
    await sweep.index.refresh();
    const { rows, done, steps, wholeSteps, command } = summarise(sweep);
    expect(rows[0].isOnFront).toBe(true);
    expect(rows.map(({ step }) => step)).toEqual([...rows.map(({ step }) => step)].sort((a, b) => b - a));
    expect(steps).toBe(done * 60 + (4 - done) * 20);
    expect(wholeSteps).toBe(240);
    expect(command).toMatch(/^untangle train beta-vae --data shapes --seed 3 --set .*latents=[45]/);
  });

  test('whose processes are killed again and again ends with the same weights', async () => {
    const url = join(root, 'killed');
    const sweep = await openSweep(storeAt(url), plan);
    let kills = 0;
    const killing = setInterval(() => {
      const found = childrenOf(process.pid);
      if (found.length === 0 || kills === 4) return;
      process.kill(found[kills++ % found.length], 'SIGKILL');
    }, 900);
    try {
      expect(await runHere(sweep, { jobs: 2 })).toBe(true);
    } finally {
      clearInterval(killing);
    }
    expect(summarise(sweep).failed).toBe(0);
    const calm = await finalWeights(join(root, 'calm'));
    for (const [name, weights] of await finalWeights(url)) if (calm.has(name)) expect(weights).toEqual(calm.get(name));
  });

  test('that is stopped leaves, and the next call goes on to the same weights', async () => {
    const url = join(root, 'stopped');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1500);
    expect(await runHere(await openSweep(storeAt(url), plan), { jobs: 2, signal: stop.signal })).toBe(false);
    expect(await runHere(await openSweep(storeAt(url)), { jobs: 2 })).toBe(true);
    const calm = await finalWeights(join(root, 'calm'));
    for (const [name, weights] of await finalWeights(url)) if (calm.has(name)) expect(weights).toEqual(calm.get(name));
  });

  test('foretells trials, steps, time and disk', async () => {
    const facts = await estimate(plan, 1);
    expect(facts).toMatchObject({ trials: 4, seeds: 1, steps: 160, jobs: 1 });
    expect(facts.rate).toBeGreaterThan(1);
    expect(facts.seconds).toBeCloseTo(160 / facts.rate, 6);
    expect(facts.bytes).toBeGreaterThan(4 * 100_000);
  });
});

/** The trial processes that this process has started. */
function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${pid}`], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes('trial-process.js')).map((line) => Number.parseInt(line, 10));
}
