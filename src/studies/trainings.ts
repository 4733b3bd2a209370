/**
 * The trainings of a study as one sweep, a trial for each row with each seed. All studies of a root share their
 * trials, so what one has trained is there for the others. A run that is whole moves to the root itself, under the name that the
 * hash of everything that decides it gives it, and is found there from then on.
 */
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, remove, temporaryBeside } from '../disk.ts';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { inspectRun, openRun, type Run } from '../runs/index.ts';
import {
  type Carrier,
  folderIn,
  folderStore,
  forgetFailures,
  openSweep,
  type Plan,
  runHere,
  type Store,
  type Sweep,
  type SweepProgress,
  type Trial,
  trialFolder,
} from '../sweep/index.ts';

export interface TrainingsOptions {
  /** The sweep's name among those of the root. */
  name: string;
  root: string;
  jobs?: number;
  /** Who trains: the address of a queue, or a cluster's scheduler; processes of this machine unless given. */
  executor?: string;
  signal?: AbortSignal;
  onNote?: (sentence: string) => void;
  onProgress?: (progress: SweepProgress) => void;
  /** Called with each run as soon as it is whole. */
  onRun: (trial: Trial, run: Run) => Promise<void>;
  /** Who trains, in place of processes. */
  carrier?: Carrier;
}

/** Trains what is not there yet, in this order. Gives why trials failed, by their names. */
export async function trainTrials(trials: readonly Trial[], options: TrainingsOptions): Promise<Map<string, string>> {
  const { name, root, onRun, ...hooks } = options;
  const store = folderStore(root);
  const failures = new Map<string, string>();
  const open: Trial[] = [];
  for (const trial of trials) {
    try {
      const run = await wholeRun(root, trial);
      if (run) await onRun(trial, run);
      else {
        await adopt(store, root, trial);
        open.push(trial);
      }
    } catch (error) {
      failures.set(trial.name, error instanceof Error ? error.message : String(error));
    }
  }
  if (open.length === 0 || options.signal?.aborted) return failures;
  const sweep = await openSweep(store, planOf(name, open), { as: name });
  await forgetFailures(sweep);
  await forgetLost(sweep);
  await runHere(sweep, {
    ...hooks,
    onDone: async (trial) => onRun(trial, await publish(sweep, root, trial)),
  });
  for (const trial of open) {
    const failure = sweep.index.failureOf(trial);
    if (failure) failures.set(trial.name, failure.message);
    // Somebody else has trained it meanwhile.
    else if (sweep.index.resultAt(trial, lastRung(sweep)) && (await runUnder(sweep, trial)))
      await onRun(trial, await publish(sweep, root, trial));
  }
  return failures;
}

const lastRung = ({ plan: { rungs } }: Sweep) => rungs.steps[rungs.steps.length - 1];

function planOf(name: string, trials: readonly Trial[]): Plan {
  return {
    name,
    // Trials may differ in length; none goes further than its own steps.
    rungs: { steps: [Math.max(...trials.map(({ settings }) => settings.training.steps))], keep: 1 },
    objectives: [],
    measure: { names: [], part: 'test', items: 1 },
    configurations: trials.map((trial) => ({ point: {}, trials: [trial] })),
  };
}

async function wholeRun(root: string, { name }: Trial): Promise<Run | undefined> {
  const folder = join(root, name);
  if (!(await exists(folder))) return undefined;
  const { state, sentence } = await inspectRun(folder);
  if (state === 'done') return await openRun(folder);
  if (state === 'damaged' || state === 'newer' || state === 'running')
    throw new UntangleError(
      `The run “${folder}” ${state === 'running' ? 'is being trained by another process' : `can't be used: ${sentence}`}.`,
    );
  return undefined;
}

/** A run of an earlier version, which lies in the root before it is whole, goes on as a trial. */
async function adopt(store: Store, root: string, { name }: Trial): Promise<void> {
  if (!(await exists(join(root, name)))) return;
  const folder = await store.checkOut(trialFolder(name));
  await rename(join(root, name), join(folder, 'run-0')).catch(async (error) => {
    if (codeOf(error) !== 'ENOTEMPTY') throw error;
    await remove(join(root, name));
  });
}

/** A trial whose result is there and whose run was removed is trained again. */
async function forgetLost(sweep: Sweep): Promise<void> {
  for (const { trials } of sweep.plan.configurations)
    for (const trial of trials) {
      if (!sweep.index.resultAt(trial, lastRung(sweep)) || (await runUnder(sweep, trial))) continue;
      await sweep.store.remove(trialFolder(trial.name));
      await sweep.index.look(trial);
    }
}

async function runUnder({ store }: Sweep, { name }: Trial): Promise<string | undefined> {
  return folderIn(name, await store.list(trialFolder(name)));
}

/** Moves a trial's run to the root, by rename; another process that shares the trial may have been faster. */
async function publish(sweep: Sweep, root: string, trial: Trial): Promise<Run> {
  const to = join(root, trial.name);
  const found = await runUnder(sweep, trial);
  if (found !== undefined && !(await exists(to))) {
    const from = await sweep.store.checkOut(found);
    try {
      await rename(from, to);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') {
        if (!(await exists(to))) throw error;
      } else {
        const fresh = temporaryBeside(to);
        await cp(from, fresh, { recursive: true });
        await rename(fresh, to);
      }
    }
  }
  return await openRun(to);
}
