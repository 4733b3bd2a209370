/** A sweep run from this machine: by processes here, or through a queue by workers anywhere. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UntangleError } from '../errors.ts';
import { createRun } from '../runs/index.ts';
import type { Carrier } from './carry-out.ts';
import { childrenExecutor } from './executors/children.ts';
import type { Executor } from './executors/executor.ts';
import { isQueue, queueExecutor } from './executors/queue.ts';
import { isSlurm, slurmExecutor } from './executors/slurm.ts';
import { type Configuration, expectedSteps, type Plan } from './plan.ts';
import { type RunSweepOptions, runSweep } from './run-sweep.ts';
import type { Sweep } from './sweep.ts';
import { startTrialHand } from './trial-hand.ts';

export interface HereOptions extends Pick<RunSweepOptions, 'signal' | 'onProgress' | 'onNote' | 'onDone' | 'patience'> {
  /**
   * Runs at once on this machine; one for each core unless given, since single-worker runs beat one run on all cores. Workers at
   * once where a scheduler has them; one for each trial unless given.
   */
  jobs?: number;
  /** The address of a queue, or `slurm`, in place of this machine's processes. */
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
  { jobs, executor: address, carrier, ...hooks }: HereOptions = {},
): Promise<boolean> {
  const executor = await executorAt(address, sweep, jobs, carrier);
  try {
    return await runSweep({ ...sweep, executor, ...hooks });
  } finally {
    await executor.close();
  }
}

async function executorAt(
  address: string | undefined,
  sweep: Sweep,
  jobs: number | undefined,
  carrier: Carrier | undefined,
): Promise<Executor> {
  if (address === undefined) return childrenExecutor(sweep, jobs ?? availableParallelism(), carrier);
  if (isSlurm(address)) return slurmExecutor(address, sweep, jobs);
  if (isQueue(address)) return await queueExecutor(address, sweep);
  throw new UntangleError(`“${address}” is no executor.`, {
    kind: 'call',
    hint: 'There are redis://HOST:PORT, rediss://HOST:PORT, and slurm with what sbatch is to be told behind it.',
  });
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

/** Foretells time and disk from a few steps of a trial of each method and dataset, measured now with as many runs at once. */
export async function estimate(plan: Plan, jobs = availableParallelism()): Promise<Estimate> {
  const kinds = new Map<string, Configuration[]>();
  for (const one of plan.configurations) {
    const { method, data, training } = one.trials[0].settings;
    const kind = [method, data.target.source, training.batchSize].join();
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const home = await mkdtemp(join(tmpdir(), 'untangle-estimate-'));
  const hands = Array.from({ length: jobs }, startTrialHand);
  const sum = { trials: 0, steps: 0, work: 0, bytes: 0 };
  try {
    const measure = { ...plan.measure, names: [] };
    for (const [kind, configurations] of [...kinds.values()].entries()) {
      const [{ trials }] = configurations;
      const done = await Promise.all(
        hands.map(async (hand, i) => {
          const { folder } = await createRun(home, trials[0].settings, `run-${kind}-${i}`);
          let rate = 0;
          await hand.order({ folder, until: measuredSteps, measure }, (news) => {
            if ('rate' in news && news.rate > 0) rate = news.rate;
          });
          return { rate, bytes: await sizeOf(folder) };
        }),
      );
      const count = configurations.reduce((all, one) => all + one.trials.length, 0);
      const steps = expectedSteps({ ...plan, configurations });
      sum.trials += count;
      sum.steps += steps;
      sum.work += steps / (done.reduce((all, one) => all + one.rate, 0) / jobs);
      sum.bytes += count * done[0].bytes;
    }
    return {
      trials: sum.trials,
      seeds: plan.configurations[0].trials.length,
      steps: Math.round(sum.steps),
      jobs,
      rate: sum.steps / sum.work,
      seconds: sum.work / Math.min(jobs, sum.trials),
      bytes: sum.bytes,
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
