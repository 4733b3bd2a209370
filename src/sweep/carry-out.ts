/**
 * Carries out one job of a sweep: takes the trial's lease, goes on from the newest checkpoint, trains to the rung, measures, and
 * publishes what came out. Everything that it writes before that is in a folder of its lease alone.
 */

import { cp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exists, isMissing } from '../disk.ts';
import { isOfTheMachine } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { needPlugins } from '../plugins/index.ts';
import { createRun } from '../runs/index.ts';
import type { Lease, LeaseWatch } from './lease.ts';
import type { Measure } from './plan.ts';
import type { Store } from './store/store.ts';
import {
  failurePath,
  isRunName,
  jsonBytes,
  readTrial,
  resultPath,
  type Trial,
  type TrialResult,
  trialFolder,
} from './trial.ts';
import { LostProcess, type TrialWork } from './trial-hand.ts';

/** A trial, and the step to which it is to be trained. */
export interface TrialJob {
  trial: Trial;
  until: number;
}

export type TrialOutcome =
  | { kind: 'done'; result: TrialResult }
  /** Somebody else works on it, or took it over. */
  | { kind: 'elsewhere' }
  /** It was asked to stop, and left a checkpoint. */
  | { kind: 'stopped' }
  /** Its process ended without a word; it goes on from the last checkpoint. */
  | { kind: 'lost'; message: string }
  /** It can't be trained, as the store says from now on. */
  | { kind: 'failed'; message: string };

/** Whoever trains and measures a run's folder. */
export type Carrier = (
  order: TrialWork['order'],
  onNews: (news: TrialWork['news']) => void,
  signal: AbortSignal,
) => Promise<TrialWork['result']>;

export interface CarryOutOptions {
  store: Store;
  watch: LeaseWatch;
  measure: Measure;
  carrier: Carrier;
  signal?: AbortSignal;
  onNews?: (news: TrialWork['news']) => void;
}

/**
 * Carries out a job, unless somebody else does; a job that is done already gives its result. Fails where the machine is in
 * trouble, and not the trial.
 */
export async function carryOut({ trial, until }: TrialJob, options: CarryOutOptions): Promise<TrialOutcome> {
  const { store, watch } = options;
  needPlugins(trial.settings);
  const folder = trialFolder(trial.name);
  const lease = await watch.take(folder);
  if (lease === undefined) return { kind: 'elsewhere' };
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  options.signal?.addEventListener('abort', onAbort);
  if (options.signal?.aborted) stop.abort();
  let isLost = false;
  const beating = setInterval(async () => {
    // A store that can't be reached says nothing about the lease; if it was lost, the next beat will tell.
    if (await lease.beat().catch(() => true)) return;
    isLost = true;
    stop.abort();
  }, watch.beatEvery);
  try {
    const names = await store.list(folder);
    const known = (await readTrial(store, trial.name, names)).results.get(until);
    if (known) return { kind: 'done', result: known };
    const run = await folderOf(store, trial, lease, names);
    const done = await options.carrier(
      { folder: run, until, measure: options.measure },
      (news) => options.onNews?.(news),
      stop.signal,
    );
    const mine = `${folder}/${basename(run)}`;
    if (!isLost) await store.checkIn(mine);
    if (done.state === 'stopped' && !isLost) return { kind: 'stopped' };
    if (isLost || done.state === 'stopped') {
      await store.remove(mine);
      return { kind: 'elsewhere' };
    }
    const { step, seconds, values } = done;
    const result: TrialResult = { step, seconds, values };
    if (!(await store.create(resultPath(trial.name, until), jsonBytes(result)))) return { kind: 'elsewhere' };
    for (const name of names) if (isRunName(name)) await store.remove(`${folder}/${name}`);
    return { kind: 'done', result };
  } catch (error) {
    if (isLost) return { kind: 'elsewhere' };
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LostProcess) return { kind: 'lost', message };
    if (isOfTheMachine(error)) throw error;
    const hint = error instanceof UntangleError && error.hint !== undefined ? ` ${error.hint}` : '';
    await store.create(failurePath(trial.name), jsonBytes({ step: until, message: `${message}${hint}` }));
    return { kind: 'failed', message };
  } finally {
    clearInterval(beating);
    options.signal?.removeEventListener('abort', onAbort);
    if (!isLost) await lease.end().catch(() => {});
  }
}

/** The run's folder for this lease: a new run, or the newest one of earlier leases that has a checkpoint. */
async function folderOf(store: Store, trial: Trial, { epoch }: Lease, names: readonly string[]): Promise<string> {
  const folder = trialFolder(trial.name);
  const mine = `run-${epoch}`;
  const earlier = names
    .filter(isRunName)
    .map((name) => Number(name.slice('run-'.length)))
    .filter((one) => one < epoch)
    .sort((a, b) => b - a);
  for (const one of earlier) {
    const from = await store.checkOut(`${folder}/run-${one}`);
    if (!(await exists(join(from, 'checkpoint')))) continue;
    const to = join(dirname(from), mine);
    // Who gave the lease back has finished; who was only silent may wake up, and must not find its folder gone from under it.
    if (await wasGivenBack(store, folder, one)) await rename(from, to);
    else await copyLive(from, to);
    return to;
  }
  const home = await store.checkOut(folder);
  return (await createRun(home, trial.settings, mine)).folder;
}

async function wasGivenBack(store: Store, folder: string, epoch: number): Promise<boolean> {
  const bytes = await store.read(`${folder}/lease-${epoch}.json`);
  return bytes !== undefined && /"isOver":true/.test(new TextDecoder().decode(bytes));
}

/** Copies a run that may still be written to: a checkpoint that is renamed meanwhile is copied again. */
async function copyLive(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await cp(from, to, { recursive: true, filter: (path) => basename(path) !== 'status.json' });
      return;
    } catch (error) {
      await rm(to, { recursive: true, force: true });
      if (!isMissing(error) || attempt === 10) throw error;
      await sleep(100);
    }
  }
}
