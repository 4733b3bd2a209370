/** The same training over several seeds: a run for each, so many at once as there are cores, each with one worker. */
import { availableParallelism } from 'node:os';
import { createRun, type Run } from '../runs/index.ts';
import type { Outcome } from './loop.ts';
import { settler, type TrainRequest } from './prepare.ts';
import { trainInChild } from './start.ts';

/** How far the runs of all seeds have come together. */
export interface SeedsProgress {
  done: number;
  running: number;
  /** Steps of all runs so far, and in all. */
  step: number;
  steps: number;
}

export interface SeedsHooks {
  /** Runs at once. */
  jobs?: number;
  signal?: AbortSignal;
  onProgress?(progress: SeedsProgress): void;
  onNote?(sentence: string): void;
}

/**
 * Makes a run for each seed; a name that is given gets the seed behind it. Several runs with a worker each are faster than one
 * after the other with all.
 *
 * @example const { runs } = await prepareSeeds({ method: 'beta-vae', data: 'shapes' }, [1, 2, 3])
 */
export async function prepareSeeds(
  request: TrainRequest,
  seeds: readonly number[],
  jobs = availableParallelism(),
): Promise<{ runs: Run[]; notes: string[] }> {
  const settle = settler();
  const all = [];
  for (const seed of seeds) all.push(await settle({ ...request, seed, jobs: Math.min(jobs, seeds.length) }));
  const runs: Run[] = [];
  for (const [at, { settings }] of all.entries())
    runs.push(await createRun(request.root ?? 'runs', settings, request.name && `${request.name}-${seeds[at]}`));
  return { runs, notes: [...new Set(all.flatMap(({ notes }) => notes))] };
}

/** Trains runs in processes of their own, so many at once; the outcomes are in the order of the runs. */
export async function trainSeeds(
  runs: readonly Run[],
  { jobs = availableParallelism(), signal, onProgress, onNote }: SeedsHooks = {},
): Promise<Outcome[]> {
  const outcomes = runs.map((): Outcome => ({ state: 'stopped', step: 0, terms: {} }));
  const reached = runs.map(() => 0);
  const steps = runs.reduce((sum, { file }) => sum + file.training.steps, 0);
  let [next, done, running] = [0, 0, 0];
  const tell = () => onProgress?.({ done, running, step: reached.reduce((sum, one) => sum + one, 0), steps });
  async function lane(): Promise<void> {
    for (let at = next++; at < runs.length && signal?.aborted !== true; at = next++) {
      const here = at;
      running++;
      outcomes[here] = await trainInChild(runs[here], {
        ...(signal && { signal }),
        ...(onNote && { onNote: (sentence) => onNote(`${runs[here].name}: ${sentence}`) }),
        onProgress: ({ step }) => {
          reached[here] = step;
          tell();
        },
      });
      running--;
      done++;
      tell();
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, runs.length) }, lane));
  return outcomes;
}
