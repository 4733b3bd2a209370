/**
 * The sweep itself: asks the search for the next move, gives its trials to the executor, and hears what came out, until there is
 * nothing to do. All that it knows it has read from the store, so that it may die at any moment, and several may do it at once.
 */
import { setMaxListeners } from 'node:events';
import type { TrialJob, TrialOutcome } from './carry-out.ts';
import type { Executor, JobHooks } from './executors/executor.ts';
import { expectedSteps, type Plan } from './plan.ts';
import { type Move, nextMove } from './search/halving.ts';
import type { Store } from './store/store.ts';
import type { Best, SweepIndex } from './sweep-index.ts';
import { failurePath, jsonBytes, stepAt, type Trial } from './trial.ts';

/** Where a sweep stands, for a progress line. */
export interface SweepProgress {
  /** Trials that have come to their last rung, that are under way, that wait at a rung, and that failed. */
  done: number;
  running: number;
  waiting: number;
  failed: number;
  /** Configurations that went on from the first rung. */
  promoted: number;
  /** The best configuration of the highest rung so far: its settings and its objectives. */
  best?: Best;
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
  /** Called when a trial has come to a rung; its place among those that run is kept until this is done. */
  onDone?: (trial: Trial) => Promise<void>;
  /** Milliseconds between two looks at what other machines have done. */
  lookEvery?: number;
  /** Milliseconds after which it leaves when others have all that is left; it stays to the end unless given. */
  patience?: number;
}

/** How far a job is. */
interface Course {
  from: number;
  step: number;
  rate: number;
}

/** Runs a sweep to its end. Gives whether the end was reached, and not left before. */
export async function runSweep(options: RunSweepOptions): Promise<boolean> {
  const { store, plan, index, executor, onNote = () => {}, signal, lookEvery = 2_000, patience } = options;
  const { rungs, objectives } = plan;
  const stop = new AbortController();
  // Every job listens, of which there may be thousands.
  setMaxListeners(0, stop.signal);
  const onAbort = () => stop.abort();
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) stop.abort();
  await index.refresh();
  const queue: { job: TrialJob; move: Move }[] = [];
  const left = new Map<number, number>();
  const running = new Map<TrialJob, Course>();
  const news = bell();
  let made = stepsMade(plan, index);
  let trouble: unknown;

  const settle = async (job: TrialJob, { configuration }: Move, course: Course) => {
    const hooks: JobHooks = {
      signal: stop.signal,
      onStep: (step, rate) => Object.assign(course, { step, rate }),
      onNote: (note) => onNote(`${job.trial.name}: ${note}`),
    };
    try {
      const outcome = await attempt(executor, store, job, hooks);
      await index.look(job.trial);
      if (outcome.kind === 'done') {
        made += Math.max(0, job.until - course.from);
        Object.assign(course, { from: job.until, step: job.until, rate: 0 });
        await options.onDone?.(job.trial);
      }
    } catch (error) {
      trouble ??= error;
      stop.abort();
    }
    const open = (left.get(configuration) ?? 1) - 1;
    left.set(configuration, open);
    if (open === 0) index.send(configuration);
    running.delete(job);
    news.ring();
  };
  const fill = () => {
    while (!stop.signal.aborted && running.size < executor.slots) {
      const next = queue.shift();
      if (next) {
        const from = stepsBefore(plan, index, next.job);
        const course = { from, step: from, rate: 0 };
        running.set(next.job, course);
        void settle(next.job, next.move, course);
        continue;
      }
      const move = nextMove(rungs, objectives, index.standings()) ?? index.moveToHelp();
      if (move === undefined) return;
      const open = index.openTrials(move);
      index.send(move.configuration, move.rung);
      left.set(move.configuration, open.length);
      for (const trial of open) queue.push({ job: { trial, until: stepAt(trial, rungs.steps[move.rung]) }, move });
    }
  };
  const expected = expectedSteps(plan);
  const tell = throttled(200, () => {
    const courses = [...running.values()];
    const share = (made + courses.reduce((sum, { from, step }) => sum + step - from, 0)) / expected;
    const rate = courses.reduce((sum, one) => sum + one.rate, 0);
    const busy = new Set([...running.keys()].map(({ trial }) => trial.name));
    options.onProgress?.({ ...countsOf(plan, index, busy), best: index.best(), share: Math.min(1, share), rate });
  });

  try {
    let looked = performance.now();
    let lookTook = 0;
    let busyAt = looked;
    for (;;) {
      fill();
      tell();
      if (running.size > 0) busyAt = performance.now();
      else {
        if (trouble !== undefined) throw trouble;
        if (stop.signal.aborted) return false;
        if (!index.isAnyHeld()) return true;
        if (performance.now() - busyAt > (patience ?? Number.POSITIVE_INFINITY)) return false;
      }
      await news.heard(500);
      if (performance.now() - looked < Math.max(lookEvery, 20 * lookTook)) continue;
      const begun = performance.now();
      await index.refresh();
      looked = performance.now();
      lookTook = looked - begun;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Carries a job out, again when its process was lost; a trial whose process is lost again and again has failed. */
async function attempt(executor: Executor, store: Store, job: TrialJob, hooks: JobHooks): Promise<TrialOutcome> {
  for (let time = 1; ; time++) {
    const outcome = await executor.carryOut(job, hooks);
    if (outcome.kind === 'failed') hooks.onNote?.(outcome.message);
    if (outcome.kind !== 'lost' || hooks.signal.aborted) return outcome;
    if (time === mostLosses) {
      await store.create(failurePath(job.trial.name), jsonBytes({ step: job.until, message: outcome.message }));
      return { kind: 'failed', message: outcome.message };
    }
    hooks.onNote?.(`${outcome.message} It goes on from its last checkpoint.`);
  }
}

/** After as many lost processes a trial has failed. */
const mostLosses = 3;

/** The steps of all trials so far, as their results tell. */
function stepsMade({ configurations, rungs }: Plan, index: SweepIndex): number {
  let sum = 0;
  for (const { trials } of configurations)
    for (const trial of trials) sum += stepAt(trial, rungs.steps.findLast((step) => index.resultAt(trial, step)) ?? 0);
  return sum;
}

/** The step from which a job goes on. */
function stepsBefore({ rungs }: Plan, index: SweepIndex, { trial, until }: TrialJob): number {
  return rungs.steps.findLast((step) => step < until && index.resultAt(trial, step)) ?? 0;
}

function countsOf({ configurations, rungs: { steps } }: Plan, index: SweepIndex, busy: ReadonlySet<string>) {
  const counts = { done: 0, running: 0, waiting: 0, failed: 0, promoted: 0, trials: 0 };
  const kindOf = (trial: Trial) => {
    if (index.resultAt(trial, steps[steps.length - 1])) return 'done';
    if (busy.has(trial.name) || index.isHeld(trial)) return 'running';
    if (index.failureOf(trial)) return 'failed';
    return index.resultAt(trial, steps[0]) ? 'waiting' : undefined;
  };
  for (const { trials } of configurations) {
    counts.trials += trials.length;
    if (steps.length > 1 && trials.every((trial) => index.resultAt(trial, steps[1]))) counts.promoted++;
    for (const trial of trials) {
      const kind = kindOf(trial);
      if (kind !== undefined) counts[kind]++;
    }
  }
  return counts;
}

/** Something that is waited for, with a time limit; a ring that nobody waits for is kept. */
function bell() {
  let isRung = false;
  let wake = () => {};
  return {
    ring() {
      isRung = true;
      wake();
    },
    async heard(most: number) {
      if (!isRung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, most);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      isRung = false;
    },
  };
}

/** Calls at most every so many milliseconds. */
function throttled(every: number, call: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - last < every) return;
    last = performance.now();
    call();
  };
}
