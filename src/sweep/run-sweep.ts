/**
 * The sweep itself: asks the search for the next move, gives its trials to the executor, and hears what came out, until there is
 * nothing to do. All that it knows it has read from the store, so that it may die at any moment, and several may do it at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { UntangleError } from '../errors.ts';
import type { Job, Outcome } from './carry-out.ts';
import type { Executor } from './executors/executor.ts';
import { expectedSteps, type Plan } from './plan.ts';
import { type Move, nextMove } from './search/halving.ts';
import type { Store } from './store/store.ts';
import type { SweepIndex } from './sweep-index.ts';
import { failurePath, jsonBytes } from './trial.ts';
import { LostProcess } from './trial-hand.ts';

/** Where a sweep stands, for a progress line. */
export interface SweepProgress {
  /** Trials that have come to their last rung, that are under way, that wait at a rung, and that failed. */
  done: number;
  running: number;
  waiting: number;
  failed: number;
  /** Configurations that went on from the first rung. */
  promoted: number;
  trials: number;
  /** The share of the steps that are expected in all. */
  share: number;
  /** Steps a second over all jobs of this call. */
  rate: number;
}

export interface RunSweepOptions {
  store: Store;
  plan: Plan;
  index: SweepIndex;
  executor: Executor;
  signal?: AbortSignal;
  onProgress?: (progress: SweepProgress) => void;
  onNote?: (sentence: string) => void;
  /** Milliseconds between two looks at what other machines have done. */
  lookEvery?: number;
}

/** Runs a sweep to its end. Gives whether the end was reached, and not stopped before. */
export async function runSweep(options: RunSweepOptions): Promise<boolean> {
  const { store, plan, index, executor, onNote, signal, lookEvery = 2_000 } = options;
  const { rungs, objectives } = plan;
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) stop.abort();
  await index.refresh();
  const moves = new Map<number, number>();
  const queue: { job: Job; move: Move }[] = [];
  const left = new Map<number, number>();
  const running = new Map<Job, { promise: Promise<void>; from: number; step: number; rate: number }>();
  const lost = new Map<string, number>();
  const before = stepsMade(plan, index);
  const expected = expectedSteps(plan);
  let steps = 0;
  let trouble: unknown;

  const start = (job: Job, move: Move) => {
    const from = stepsBefore(plan, index, job);
    const state = { promise: Promise.resolve(), from, step: from, rate: 0 };
    state.promise = settle(job, move)
      .then(
        (delta) => {
          steps += delta;
        },
        (error: unknown) => {
          trouble ??= error;
          stop.abort();
        },
      )
      .finally(() => running.delete(job));
    running.set(job, state);

    async function settle({ trial, until }: Job, { configuration }: Move): Promise<number> {
      const outcome = await attempt(job, (step, rate) => {
        state.step = step;
        state.rate = rate;
      });
      await index.look(trial);
      const open = (left.get(configuration) ?? 1) - 1;
      left.set(configuration, open);
      if (open === 0) moves.delete(configuration);
      return outcome?.kind === 'done' ? Math.max(0, until - from) : 0;
    }
  };

  async function attempt(job: Job, onStep: (step: number, rate: number) => void): Promise<Outcome | undefined> {
    const { trial } = job;
    for (;;) {
      try {
        return await executor.carryOut(job, {
          signal: stop.signal,
          onStep,
          onNote: (note) => onNote?.(`${trial.name}: ${note}`),
        });
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        const message = error instanceof Error ? error.message : String(error);
        if (isOfTheMachine(message)) throw error;
        const times = (lost.get(trial.name) ?? 0) + 1;
        lost.set(trial.name, times);
        if (error instanceof LostProcess && times < mostLosses) {
          onNote?.(`${trial.name}: ${message} It goes on from its last checkpoint.`);
          continue;
        }
        const hint = error instanceof UntangleError && error.hint !== undefined ? ` ${error.hint}` : '';
        await store.create(failurePath(trial.name), jsonBytes({ step: job.until, message: `${message}${hint}` }));
        onNote?.(`${trial.name}: ${message}`);
        return undefined;
      }
    }
  }

  let looked = performance.now();
  let lookTook = 0;
  let told = Number.NEGATIVE_INFINITY;
  try {
    for (;;) {
      while (!stop.signal.aborted && running.size < executor.slots) {
        if (queue.length === 0) {
          const move = nextMove(rungs, objectives, index.standings(moves));
          if (move === undefined) break;
          const open = index.openTrials(move);
          moves.set(move.configuration, move.rung);
          left.set(move.configuration, open.length);
          for (const trial of open) queue.push({ job: { trial, until: rungs.steps[move.rung] }, move });
          continue;
        }
        const { job, move } = queue.shift()!;
        start(job, move);
      }
      tell();
      if (running.size === 0) {
        if (stop.signal.aborted) break;
        if (!isHeldElsewhere()) return true;
      }
      const tick = sleep(500, undefined, { ref: false }).catch(() => {});
      await Promise.race([
        ...[...running.values()].map(({ promise }) => promise),
        running.size === 0 ? sleep(500) : tick,
      ]);
      if (performance.now() - looked > Math.max(lookEvery, 20 * lookTook)) {
        const begun = performance.now();
        await index.refresh();
        looked = performance.now();
        lookTook = looked - begun;
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  if (trouble !== undefined) throw trouble;
  return false;

  function tell() {
    if (options.onProgress === undefined || performance.now() - told < 200) return;
    options.onProgress(progressOf());
    told = performance.now();
  }

  function isHeldElsewhere(): boolean {
    return plan.configurations.some(({ trials }) => trials.some((trial) => index.isHeld(trial)));
  }

  function progressOf(): SweepProgress {
    const last = rungs.steps[rungs.steps.length - 1];
    const all = plan.configurations.flatMap(({ trials }) => trials);
    const busy = new Set([...running.keys()].map(({ trial }) => trial.name));
    const count = (is: (trial: (typeof all)[number]) => boolean) => all.filter(is).length;
    const isDone = (trial: (typeof all)[number]) => index.resultAt(trial, last) !== undefined;
    const isFailed = (trial: (typeof all)[number]) => index.failureOf(trial) !== undefined;
    const isBusy = (trial: (typeof all)[number]) => busy.has(trial.name) || index.isHeld(trial);
    return {
      done: count(isDone),
      running: count((trial) => !isDone(trial) && isBusy(trial)),
      waiting: count(
        (trial) =>
          !isDone(trial) && !isBusy(trial) && !isFailed(trial) && index.resultAt(trial, rungs.steps[0]) !== undefined,
      ),
      failed: count(isFailed),
      promoted:
        rungs.steps.length < 2
          ? 0
          : plan.configurations.filter(({ trials }) => trials.every((trial) => index.resultAt(trial, rungs.steps[1])))
              .length,
      trials: all.length,
      share: (before + steps + [...running.values()].reduce((sum, { from, step }) => sum + step - from, 0)) / expected,
      rate: [...running.values()].reduce((sum, { rate }) => sum + rate, 0),
    };
  }
}

/** After as many lost processes a trial has failed. */
const mostLosses = 3;

/** Trouble of the machine, not of the trial: all others would meet it too. */
const isOfTheMachine = (message: string) => /\b(ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE|EIO)\b/.test(message);

/** The steps of all trials so far, as their results tell. */
function stepsMade({ configurations, rungs }: Plan, index: SweepIndex): number {
  let sum = 0;
  for (const { trials } of configurations)
    for (const trial of trials) sum += rungs.steps.findLast((step) => index.resultAt(trial, step)) ?? 0;
  return sum;
}

/** The step from which a job goes on. */
function stepsBefore({ rungs }: Plan, index: SweepIndex, { trial, until }: Job): number {
  return Math.max(0, ...rungs.steps.filter((step) => step < until && index.resultAt(trial, step)));
}
