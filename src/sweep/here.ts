/** A sweep run from this machine: by processes here, or through a queue by workers anywhere. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRun } from '../runs/index.ts';
import type { Carrier } from './carry-out.ts';
import { childrenExecutor } from './executors/children.ts';
import { queueExecutor } from './executors/queue.ts';
import { expectedSteps, type Plan } from './plan.ts';
import { type RunSweepOptions, runSweep } from './run-sweep.ts';
import type { Sweep } from './sweep.ts';
import { startTrialHand } from './trial-hand.ts';

export interface HereOptions extends Pick<RunSweepOptions, 'signal' | 'onProgress' | 'onNote' | 'onDone'> {
  /** Runs at once on this machine; one for each core unless given, since single-worker runs beat one run on all cores. */
  jobs?: number;
  /** The address of a queue, in place of this machine's processes. */
  executor?: string;
  /** Who trains, in place of processes. */
  carrier?: Carrier;
}

/**
 * Runs a sweep to its end; false if it was stopped before.
 *
 * @example await runHere(await openSweep(storeAt('sweeps/beta'), await readSweepFile('beta.yaml')))
 */
export async function runHere(
  sweep: Sweep,
  { jobs = availableParallelism(), executor: address, carrier, ...hooks }: HereOptions = {},
): Promise<boolean> {
  const executor = address === undefined ? childrenExecutor(sweep, jobs, carrier) : await queueExecutor(address, sweep);
  try {
    return await runSweep({ ...sweep, executor, ...hooks });
  } finally {
    await executor.close();
  }
}

export interface Estimate {
  trials: number;
  seeds: number;
  /** Expected steps over all trials, with pruning. */
  steps: number;
  jobs: number;
  /** Steps a second of one of as many runs at once. */
  rate: number;
  seconds: number;
  bytes: number;
}

/** Foretells time and disk from a few steps of the first trial, measured now with as many runs at once. */
export async function estimate(plan: Plan, jobs = availableParallelism()): Promise<Estimate> {
  const [{ trials }] = plan.configurations;
  const home = await mkdtemp(join(tmpdir(), 'untangle-estimate-'));
  const hands = Array.from({ length: jobs }, startTrialHand);
  try {
    const measure = { ...plan.measure, names: [] };
    const done = await Promise.all(
      hands.map(async (hand, i) => {
        const { folder } = await createRun(home, trials[0].settings, `run-${i}`);
        let rate = 0;
        await hand.order({ folder, until: measuredSteps, measure }, (news) => {
          if ('rate' in news && news.rate > 0) rate = news.rate;
        });
        return { rate, bytes: await sizeOf(folder) };
      }),
    );
    const rate = done.reduce((sum, one) => sum + one.rate, 0) / jobs;
    const count = plan.configurations.reduce((sum, one) => sum + one.trials.length, 0);
    const steps = Math.round(expectedSteps(plan));
    return {
      trials: count,
      seeds: trials.length,
      steps,
      jobs,
      rate,
      seconds: steps / (rate * Math.min(jobs, count)),
      bytes: count * done[0].bytes,
    };
  } finally {
    for (const hand of hands) if (hand.process.connected) hand.process.disconnect();
    await rm(home, { recursive: true, force: true });
  }
}

const measuredSteps = 40;

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
