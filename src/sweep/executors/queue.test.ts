import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runSweep } from '../run-sweep.ts';
import { openSweep, storeAt } from '../sweep.ts';
import { pretend, pretendPlan } from '../testing/pretend.ts';
import { hasRedis, type Redis, startRedis } from '../testing/redis.ts';
import { queueExecutor, workFromQueue } from './queue.ts';

let root: string;
let redis: Redis;
const stops: AbortController[] = [];
const workers: Promise<void>[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'untangle-queue-'));
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort();
  await Promise.all(workers.splice(0));
  await redis?.kill();
  await rm(root, { recursive: true });
});

function worker(jobs: number, done: string[], milliseconds: number) {
  const stop = new AbortController();
  stops.push(stop);
  const carrier = pretend(milliseconds, (folder) => done.push(folder.split('/').at(-2) ?? ''));
  workers.push(workFromQueue(redis.url, { jobs, signal: stop.signal, carrier }));
  return stop;
}

// The engine is Debian's; a machine without it can't try this.
describe.skipIf(!hasRedis() && !process.env.CI)('a sweep through a queue', () => {
  test('is carried out by workers that know only the queue, each trial once', async () => {
    redis = await startRedis(root, false);
    const sweep = await openSweep(storeAt(join(root, 'sweep')), await pretendPlan(20, 2));
    const done: string[] = [];
    worker(3, done, 5);
    worker(3, done, 5);
    const executor = await queueExecutor(redis.url, sweep);
    expect(await runSweep({ ...sweep, executor })).toBe(true);
    await executor.close();
    expect(done).toHaveLength(40);
    expect(new Set(done).size).toBe(40);
    expect(sweep.index.resultAt(sweep.plan.configurations[4].trials[0], 9)?.values.score).toBe(45);
  });

  for (const appendOnly of [true, false])
    test(`loses nothing when Redis is killed ${appendOnly ? 'with' : 'without'} its file`, async () => {
      redis = await startRedis(root, appendOnly);
      const sweep = await openSweep(storeAt(join(root, 'sweep')), await pretendPlan(60));
      const done: string[] = [];
      worker(2, done, 50);
      worker(2, done, 50);
      const executor = await queueExecutor(redis.url, sweep);
      const running = runSweep({ ...sweep, executor, lookEvery: 200 });
      while (done.length < 12) await new Promise((resolve) => setTimeout(resolve, 20));
      await redis.kill();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await redis.start();
      expect(await running).toBe(true);
      await executor.close();
      expect(new Set(done).size).toBe(60);
      for (const { trials } of sweep.plan.configurations) expect(sweep.index.resultAt(trials[0], 9)).toBeDefined();
    });

  test('goes on with others when a worker leaves in the middle', async () => {
    redis = await startRedis(root, false);
    const sweep = await openSweep(storeAt(join(root, 'sweep')), await pretendPlan(12));
    const done: string[] = [];
    const first = worker(2, done, 200);
    const executor = await queueExecutor(redis.url, sweep);
    const running = runSweep({ ...sweep, executor, lookEvery: 200 });
    while (done.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
    first.abort();
    worker(2, done, 20);
    expect(await running).toBe(true);
    await executor.close();
    for (const { trials } of sweep.plan.configurations) expect(sweep.index.resultAt(trials[0], 9)).toBeDefined();
  });
});
