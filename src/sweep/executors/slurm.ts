/**
 * Slurm as a place for workers: a job array whose tasks all do the same, which is to help with the sweep until nothing is left to do.
 * Which trial a task takes is settled in the sweep's folder, so Slurm may lose tasks, run them twice or hold them. A task that is
 * warned of the end of its time leaves its trial with a checkpoint and puts itself into the queue again.
 */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeOf } from '../../errno.ts';
import { UntangleError } from '../../errors.ts';
import { builtFile } from '../../orders.ts';
import { createFolder, sha256, writeAtomically } from '../../runs/index.ts';
import { quoted } from '../../shell.ts';
import type { TrialOutcome } from '../carry-out.ts';
import { isS3 } from '../store/s3.ts';
import type { Sweep } from '../sweep.ts';
import type { Executor, JobHooks } from './executor.ts';

/** Seconds before the end of a task's time at which it is warned: a training stops in one, a metric may take a minute. */
const warning = 120;

/** Seconds without work after which a worker leaves; longer than a silent lease lives, so that none is left behind. */
const patience = 120;

export interface Submission {
  /** Slurm's numbers of the arrays that were put in now. */
  arrays: string[];
  /** Workers that were put in now, those that were there, and those that Slurm held and that may go on. */
  submitted: number;
  present: number;
  released: number;
}

/** @example isSlurm('slurm --partition=long --time=4:00:00') // true */
export const isSlurm = (address: string) => /^slurm(\s|$)/.test(address);

/**
 * Puts workers for a sweep into Slurm's queue, as many as are missing there, and lets go what Slurm holds after a failure.
 *
 * @param address `slurm`, and behind it what `sbatch` is to be told
 * @param workers at most so many; one for each trial that is open unless given
 * @example await submitToSlurm('slurm --partition=long', sweep, 40)
 */
export async function submitToSlurm(address: string, sweep: Sweep, workers?: number): Promise<Submission> {
  await sweep.index.refresh();
  const name = await jobName(sweep);
  const tasks = await tasksOf(name);
  const released = await release(tasks);
  const missing = Math.min(sweep.index.counts().open, workers ?? Number.POSITIVE_INFINITY) - tasks.length;
  const submission: Submission = { arrays: [], submitted: Math.max(0, missing), present: tasks.length, released };
  if (missing <= 0) return submission;
  const folder = await logFolder(sweep);
  const script = join(folder, 'job.sh');
  await writeAtomically(script, await jobScript(sweep, name, folder));
  const largest = await largestArray();
  for (let left = missing; left > 0; left -= largest) {
    const words = ['--parsable', `--array=0-${Math.min(left, largest) - 1}`, ...wordsOf(address)];
    const said = await slurm('sbatch', ...words, script);
    submission.arrays.push(said.trim().split(';')[0]);
  }
  return submission;
}

/** Lets go the tasks of this sweep that Slurm put back and held when a node failed. Gives how many. */
export async function releaseHeld(sweep: Sweep): Promise<number> {
  return await release(await tasksOf(await jobName(sweep)));
}

/** Jobs through workers in Slurm's queue, for whoever waits for them; what is lost from the queue is put in again. */
export function slurmExecutor(address: string, sweep: Sweep, workers?: number): Executor {
  const waiting = new Map<string, { check: () => void; hooks: JobHooks }>();
  let trouble: unknown;
  let submissions = 0;
  let resultsThen = -1;
  let lastTended = Number.NEGATIVE_INFINITY;

  const tend = async () => {
    lastTended = performance.now();
    const { submitted } = await submitToSlurm(address, sweep, workers);
    if (submitted === 0) return;
    const results = sweep.index.counts().results;
    submissions = results === resultsThen ? submissions + 1 : 1;
    resultsThen = results;
    if (submissions > mostInVain)
      throw new UntangleError('Slurm’s tasks end, and no trial comes to its end.', {
        hint: `What they said stands in ${await logFolder(sweep)}.`,
      });
  };
  let tending = Promise.resolve();
  const timer = setInterval(() => {
    for (const { check } of waiting.values()) check();
    if (waiting.size === 0 || performance.now() - lastTended < tendEvery) return;
    tending = tend().catch((error) => {
      trouble = error;
      for (const { check } of waiting.values()) check();
    });
  }, 500);
  return {
    slots: 100_000,
    async carryOut({ trial, until }, hooks) {
      const key = `${trial.name}-${until}`;
      try {
        return await new Promise<TrialOutcome>((resolve, reject) => {
          const check = () => {
            const result = sweep.index.resultAt(trial, until);
            const failure = sweep.index.failureOf(trial);
            if (result) resolve({ kind: 'done', result });
            else if (failure) resolve({ kind: 'failed', message: failure.message });
            else if (trouble !== undefined) reject(trouble);
            else if (hooks.signal.aborted) resolve({ kind: 'stopped' });
          };
          waiting.set(key, { check, hooks });
          hooks.signal.addEventListener('abort', check, { once: true });
          check();
        });
      } finally {
        waiting.delete(key);
      }
    },
    async close() {
      clearInterval(timer);
      await tending;
    },
  };
}

const tendEvery = 30_000;

/** So many times workers are put in again although none before them has brought a trial to its end. */
const mostInVain = 3;

/** Where the script is and what tasks say: in the sweep's folder, or here if it lives in an object store. */
async function logFolder({ store, plan }: Sweep): Promise<string> {
  if (!isS3(store.url)) return await store.checkOut('slurm');
  const folder = resolve('sweeps', plan.name, 'slurm');
  await createFolder(folder);
  return folder;
}

/** What a task of the array does, as a script that a person can read and put in by hand. */
async function jobScript({ address, plan }: Sweep, name: string, folder: string): Promise<string> {
  const worker = [process.execPath, fileURLToPath(builtFile('cli/main.js')), 'worker', address];
  return `#!/bin/sh
#SBATCH --job-name=${name}
#SBATCH --output=${join(folder, '%A_%a.log').replaceAll(' ', '\\ ')}
#SBATCH --open-mode=append
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --signal=B:USR1@${warning}

# A worker of the sweep ${plan.name}; all tasks of the array are the same, and the sweep's folder says what is to be done next.
${worker.map(quoted).join(' ')} --idle ${patience} --jobs "\${SLURM_CPUS_PER_TASK:-1}" &
worker=$!
again=no

# The time is nearly over: leave with checkpoints, and come back. A cancelled job leaves, too, but does not come back.
trap 'again=yes; kill -TERM "$worker"' USR1
trap 'kill -TERM "$worker"' TERM
while wait "$worker"; status=$?; kill -0 "$worker" 2>/dev/null; do :; done
[ "$again" = no ] || scontrol requeue "$SLURM_JOB_ID"
exit "$status"
`;
}

/** A name that tells sweeps apart, by which tasks are found again. */
async function jobName({ address, plan }: Sweep): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(address));
  return `untangle-${plan.name.replace(/[^\w-]/g, '-')}-${hash.slice(0, 8)}`;
}

interface Task {
  id: string;
  isHeld: boolean;
}

/** The tasks with this name that Slurm has not finished with. */
async function tasksOf(name: string): Promise<Task[]> {
  const lines = (await slurm('squeue', '--noheader', '--array', `--name=${name}`, '--format=%i|%T|%r')).split('\n');
  return lines.flatMap((line) => {
    const [id, state, reason] = line.trim().split('|');
    if (reason === undefined || state === 'COMPLETING') return [];
    // What a person holds stays held.
    return [{ id, isHeld: /^launch.failed.requeued.held$/i.test(reason) }];
  });
}

async function release(tasks: readonly Task[]): Promise<number> {
  const held = tasks.filter(({ isHeld }) => isHeld);
  for (const { id } of held) await slurm('scontrol', 'release', id);
  return held.length;
}

/** How many tasks an array may have here. */
async function largestArray(): Promise<number> {
  const settings = await slurm('scontrol', 'show', 'config');
  // The setting is one above the largest index, and indices begin at 0.
  return Math.max(1, Number(/^MaxArraySize\s*=\s*(\d+)/m.exec(settings)?.[1] ?? 1001));
}

/** The words behind `slurm`; one in quotes may hold blanks. */
function wordsOf(address: string): string[] {
  const found = address.replace(/^slurm\s*/, '').matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g);
  return [...found].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

async function slurm(command: string, ...words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, words, { maxBuffer: 2 ** 28 })).stdout;
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw new UntangleError(`Slurm’s “${command}” is not on this machine.`, {
        kind: 'call',
        hint: 'Call this on a login node of the cluster.',
        cause: error,
      });
    const said = error instanceof Error && 'stderr' in error ? `${error.stderr}`.trim().split('\n') : [];
    throw new UntangleError(`Slurm’s “${command}” says: ${said.at(-1) || 'nothing, and failed'}.`, { cause: error });
  }
}
