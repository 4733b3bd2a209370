/**
 * `status.json`: who trains a run and how it ended. The process that trains writes a heartbeat there; one that was killed is
 * known by its silence, so a run never shows as running for ever and can be claimed by another process.
 */
import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isAlive, remove } from '../disk.ts';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { readJson, writeJson } from './json.ts';

const statusSchema = z.object({
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  pid: z.int().min(1),
  host: z.string(),
  started: z.iso.datetime(),
  heartbeat: z.iso.datetime(),
  step: z.int().min(0),
  /** Why it stopped or failed, in a sentence. */
  message: z.string().optional(),
});
export type Status = z.infer<typeof statusSchema>;

/** The right to train a run, held by one process at a time. */
export interface RunClaim {
  /** Tells that the run is alive, at most every few seconds; fails if another process has taken the run over. */
  beat(step: number): Promise<void>;
  /** Gives the run back, with how it ended. */
  end(state: 'done' | 'stopped' | 'failed', step: number, message?: string): Promise<void>;
}

/** Claims a run for this process; an error if another one is training it. */
export async function claimRun(folder: string, step = 0): Promise<RunClaim> {
  const path = join(folder, 'status.json');
  const started = new Date().toISOString();
  const mine = (state: Status['state'], at: number, message?: string): Status => ({
    state,
    pid: process.pid,
    host: hostname(),
    started,
    heartbeat: new Date().toISOString(),
    step: at,
    ...(message !== undefined && { message }),
  });

  await alone(folder, async () => {
    const status = await readStatus(folder);
    if (status !== undefined && isRunning(status))
      throw new UntangleError(`The run “${folder}” is being trained by process ${status.pid} on ${status.host}.`, {
        kind: 'call',
        hint: 'Wait until it is done, or stop that process first.',
      });
    await writeJson(path, mine('running', step));
  });
  await removeLeftovers(folder);

  let lastBeat = Date.now();
  const checkHeld = async () => {
    const status = await readStatus(folder);
    if (status?.pid !== process.pid || status.started !== started || status.host !== hostname())
      throw new UntangleError(`The run “${folder}” was taken over by another process.`);
  };
  return {
    beat: async (at) => {
      if (Date.now() - lastBeat < beatMs) return;
      lastBeat = Date.now();
      await checkHeld();
      await writeJson(path, mine('running', at));
    },
    end: async (state, at, message) => {
      await checkHeld();
      await writeJson(path, mine(state, at, message));
    },
  };
}

/** What `status.json` says; undefined if it is missing or damaged, since a run can do without it. */
export async function readStatus(folder: string): Promise<Status | undefined> {
  try {
    return await readJson(join(folder, 'status.json'), statusSchema);
  } catch (error) {
    if (error instanceof UntangleError) return undefined;
    throw error;
  }
}

/** Whether the process that says so is still at it. */
export function isRunning(status: Status, now = Date.now()): boolean {
  if (status.state !== 'running') return false;
  const silence = now - Date.parse(status.heartbeat);
  return status.host === hostname() ? silence < longestStep && isAlive(status.pid) : silence < longestSilence;
}

const beatMs = 5_000;
/** A process on this machine can be asked; its silence only tells that its number was given to another one since. */
const longestStep = 600_000;
/** A process on another machine is known by its heartbeat alone. */
const longestSilence = 120_000;

/** Does `work` while no other process claims the same run: of two that make the same folder, one wins. */
async function alone(folder: string, work: () => Promise<void>) {
  const lock = join(folder, '.claim');
  for (let attempt = 0; ; attempt++) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt === 400) throw error;
      // A claim takes milliseconds: a lock that is seconds old belongs to a process that was killed in it.
      const age = await stat(lock).then(
        (facts) => Date.now() - facts.mtimeMs,
        () => 0,
      );
      if (age > 5_000) await rmdir(lock).catch(() => {});
      else await sleep(20);
    }
  }
  try {
    await work();
  } finally {
    await rmdir(lock).catch(() => {});
  }
}

/** Removes files that a killed process had not yet given their names. */
async function removeLeftovers(folder: string) {
  for (const name of await readdir(folder)) {
    if (!/^\..*\.tmp$/.test(name)) continue;
    const facts = await stat(join(folder, name)).catch(() => undefined);
    if (facts !== undefined && Date.now() - facts.mtimeMs > 3_600_000) await remove(join(folder, name));
  }
}
