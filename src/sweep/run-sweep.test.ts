import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UntangleError } from '../errors.ts';
import type { Carrier } from './carry-out.ts';
import { childrenExecutor } from './executors/children.ts';
import { watchLeases } from './lease.ts';
import type { Plan } from './plan.ts';
import { type RunSweepOptions, runSweep } from './run-sweep.ts';
import { folderStore } from './store/folder.ts';
import { forgetFailures, openSweep } from './sweep.ts';
import { checkSweepFile, planSweep } from './sweep-file.ts';
import { SweepIndex } from './sweep-index.ts';
import { resultPath } from './trial.ts';
import { LostProcess } from './trial-hand.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-sweep-'));
});
afterEach(() => rm(root, { recursive: true }));

const sweep = (extra: object = {}) =>
  checkSweepFile(
    {
      method: 'beta-vae',
      data: 'shapes',
      seeds: 2,
      space: { beta: [1, 4, 16] },
      objectives: { score: 'max' },
      budget: { steps: 9, prune: { kind: 'asha', rungs: [1, 3, 9], keep: '1/3' } },
      ...extra,
    },
    'beta.yaml',
  );

/** Stands for a training: the better, the larger β, and it grows with steps. */
const pretend: Carrier = async ({ folder, until }) => {
  const { options } = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
  return { state: 'done', step: until, seconds: until, values: { score: options.beta * until } };
};

function open(plan: Plan, carrier: Carrier, slots = 2, extra: Partial<RunSweepOptions> = {}) {
  const store = folderStore(root);
  const watch = watchLeases(store, 30);
  const index = new SweepIndex(store, plan, watch);
  const executor = childrenExecutor({ store, watch, plan }, slots, carrier);
  return { index, run: () => runSweep({ store, plan, index, executor, ...extra }) };
}

describe('a sweep', () => {
  test('halves: all come to the first rung, the best to the last, with all seeds', async () => {
    const plan = await planSweep(sweep(), 'beta');
    const { index, run } = open(plan, pretend);
    expect(await run()).toBe(true);
    const reached = (step: number) =>
      plan.configurations
        .filter(({ trials }) => trials.every((trial) => index.resultAt(trial, step)))
        .map(({ point }) => point.beta);
    expect(reached(1)).toEqual([1, 4, 16]);
    expect(reached(9)).toContain(16);
  });

  test('started again does nothing twice', async () => {
    const plan = await planSweep(sweep(), 'beta');
    await open(plan, pretend).run();
    let calls = 0;
    const counting: Carrier = (...order) => {
      calls++;
      return pretend(...order);
    };
    expect(await open(plan, counting).run()).toBe(true);
    expect(calls).toBe(0);
  });

  test('run by four at once carries out each job once', async () => {
    const plan = await planSweep(
      sweep({ space: { beta: { range: [1, 16], levels: 12 } }, budget: { steps: 9 } }),
      'beta',
    );
    const done: string[] = [];
    const carrier: Carrier = async (order, ...rest) => {
      const { name } = JSON.parse(JSON.stringify({ name: order.folder.split('/').at(-2) }));
      done.push(name);
      return pretend(order, ...rest);
    };
    const all = await Promise.all([1, 2, 3, 4].map(() => open(plan, carrier, 2, { lookEvery: 10 }).run()));
    expect(all).toEqual([true, true, true, true]);
    expect(done).toHaveLength(24);
    expect(new Set(done).size).toBe(24);
  });

  test('whose seeds of one setting are shared out to all that help', async () => {
    const plan = await planSweep(sweep({ seeds: 8, space: {}, budget: { steps: 9 } }), 'beta');
    const counts = [0, 0];
    const slow =
      (who: number): Carrier =>
      async (...order) => {
        counts[who]++;
        await new Promise((resolve) => setTimeout(resolve, 100));
        return pretend(...order);
      };
    await Promise.all([0, 1].map((who) => open(plan, slow(who), 1, { lookEvery: 10 }).run()));
    expect(counts[0] + counts[1]).toBe(8);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
  });

  test('tries again what failed when its cause was put right', async () => {
    const plan = await planSweep(sweep({ seeds: 1, budget: { steps: 9 } }), 'beta');
    const broken: Carrier = async () => {
      throw new UntangleError('There is no such file.');
    };
    await open(plan, broken).run();
    const again = await openSweep(folderStore(root), plan);
    await forgetFailures(again);
    await open(plan, pretend, 1).run();
    await again.index.refresh();
    expect(plan.configurations.map(({ trials }) => again.index.resultAt(trials[0], 9)?.values.score)).toEqual([
      9, 36, 144,
    ]);
    expect(again.index.best()).toEqual({ point: { beta: 16 }, values: [144] });
  });

  test('goes on after a process was lost, and gives a trial up after three', async () => {
    const plan = await planSweep(sweep({ seeds: 1, budget: { steps: 9 } }), 'beta');
    const times = new Map<number, number>();
    const carrier: Carrier = async (order, ...rest) => {
      const { options } = JSON.parse(await readFile(join(order.folder, 'run.json'), 'utf8'));
      const time = (times.get(options.beta) ?? 0) + 1;
      times.set(options.beta, time);
      if (options.beta === 4 || (options.beta === 16 && time < 3))
        throw new LostProcess('The process of a trial ended by SIGKILL.');
      return pretend(order, ...rest);
    };
    const notes: string[] = [];
    const { index, run } = open(plan, carrier, 1, { onNote: (note) => notes.push(note) });
    expect(await run()).toBe(true);
    const [one, four, sixteen] = plan.configurations.map(({ trials }) => trials[0]);
    expect(index.resultAt(one, 9)?.values.score).toBe(9);
    expect(index.failureOf(four)?.message).toBe('The process of a trial ended by SIGKILL.');
    expect(index.resultAt(sixteen, 9)?.values.score).toBe(144);
    expect(notes.filter((note) => note.endsWith('It goes on from its last checkpoint.'))).toHaveLength(4);
  });

  test('stops at a full disk and records no failure of the trial', async () => {
    const plan = await planSweep(sweep({ seeds: 1, budget: { steps: 9 } }), 'beta');
    const full: Carrier = async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    await expect(open(plan, full).run()).rejects.toThrow('ENOSPC');
    for (const name of await readdir(join(root, 'trials')))
      expect(await readdir(join(root, 'trials', name))).not.toContain('failure.json');
    expect(await open(plan, pretend).run()).toBe(true);
  });

  test('takes the trials of a machine that fell silent, and lets it find that it has lost them', async () => {
    const plan = await planSweep(sweep({ seeds: 1, space: {}, budget: { steps: 9 } }), 'beta');
    const store = folderStore(root);
    const [
      {
        trials: [trial],
      },
    ] = plan.configurations;
    await store.write(
      `trials/${trial.name}/lease-1.json`,
      Buffer.from(JSON.stringify({ host: `not ${hostname()}`, pid: 1, beat: 7, isOver: false })),
    );
    let clock = 0;
    const watch = watchLeases(store, 30, () => clock);
    const index = new SweepIndex(store, plan, watch);
    const executor = childrenExecutor({ store, watch, plan }, 1, pretend);
    const timer = setInterval(() => {
      clock += 5_000;
    }, 20);
    expect(await runSweep({ store, plan, index, executor, lookEvery: 10 })).toBe(true);
    clearInterval(timer);
    expect(await store.list(`trials/${trial.name}`)).toEqual(
      expect.arrayContaining(['lease-1.json', 'lease-2.json', 'result-9.json', 'run-2']),
    );
  });

  test('names the numbers that there are when an objective is none of them', async () => {
    const plan = await planSweep(sweep({ objectives: { migg: 'max' } }), 'beta');
    await expect(open(plan, pretend).run()).rejects.toThrow('No trial gives “migg”.');
  });

  test('says which result is damaged', async () => {
    const plan = await planSweep(sweep({ seeds: 1, budget: { steps: 9 } }), 'beta');
    await open(plan, pretend).run();
    const [
      {
        trials: [trial],
      },
    ] = plan.configurations;
    await folderStore(root).write(resultPath(trial.name, 9), Buffer.from('{"step":'));
    await expect(open(plan, pretend).run()).rejects.toThrow('is damaged');
  });
});
