/**
 * `status.json`: who trains a run and how it ended. The process that trains writes a heartbeat there; one that was killed is
 * known by its birth and its silence, so a run never shows as running for ever and can be claimed by another process. Each claim
 * has a number of its own, at which a process that was only thought to be dead sees, before it changes anything, that it has
 * lost the run.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type BeforeChange, remove } from '../disk.ts';
import { codeOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { birthOf, isAlive } from '../processes.ts';
import { checkJson, jsonSchema, keepsCheck, parseJson, readJson, toJson, withCheck, writeJson } from './json.ts';
import { alone } from './lock.ts';

const statusSchema = z.object({
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  pid: z.int().min(1),
  /** What tells the process from a later one of the same number, where the system says it. */
  birth: z.string().optional(),
  host: z.string(),
  /** How often the run was claimed. */
  claim: z.int().min(1).optional(),
  started: z.iso.datetime(),
  heartbeat: z.iso.datetime(),
  step: z.int().min(0),
  /** Why it stopped or failed, in a sentence. */
  message: z.string().optional(),
});
export type Status = z.infer<typeof statusSchema>;

/** The right to train a run, held by one process at a time. */
export interface RunClaim {
  /** Called before each change of the run's files; fails if another process has taken the run over. */
  before: BeforeChange;
  /** Tells that the run is alive, at most every few seconds; fails if another process has taken the run over. */
  beat(step: number): Promise<void>;
  /** Gives the run back, with how it ended. */
  end(state: 'done' | 'stopped' | 'failed', step: number, message?: string): Promise<void>;
}

/** Claims a run for this process; an error if another one is training it. */
export async function claimRun(folder: string, step = 0): Promise<RunClaim> {
  const path = join(folder, 'status.json');
  const started = new Date().toISOString();
  const birth = birthOf(process.pid);
  let claim = 1;
  const mine = (state: Status['state'], at: number, message?: string): Status => ({
    state,
    pid: process.pid,
    ...(birth !== undefined && { birth }),
    host: hostname(),
    claim,
    started,
    heartbeat: new Date().toISOString(),
    step: at,
    message,
  });
  const write = (status: Status) => writeJson(path, withCheck(status));

  await alone(folder, async () => {
    const status = await readStatus(folder);
    if (status !== undefined && isRunning(status))
      throw new UntangleError(`The run “${folder}” is being trained by process ${status.pid} on ${status.host}.`, {
        kind: 'call',
        hint: 'Wait until it is done, or stop that process first.',
      });
    claim = (status?.claim ?? 0) + 1;
    await write(mine('running', step));
  });
  await removeLeftovers(folder);

  let lastBeat = Date.now();
  const checkHeld = () => {
    const now = statusNow(path);
    // A status that was damaged is nobody's: whoever claims the run by it writes a whole one.
    if (now === undefined) return;
    const isMine = now.pid === process.pid && now.started === started && now.host === hostname();
    if (!isMine || now.claim !== claim)
      throw new UntangleError(`The run “${folder}” was taken over by another process.`);
  };
  return {
    before: checkHeld,
    beat: async (at) => {
      if (Date.now() - lastBeat < beatMs) return;
      lastBeat = Date.now();
      checkHeld();
      await write(mine('running', at));
    },
    end: async (state, at, message) => {
      checkHeld();
      const status = mine(state, at, message);
      await write(status).catch((error) => {
        if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
        writeInPlace(path, `${toJson(withCheck(status), 2)}\n`);
      });
    },
  };
}

/** On a full disk there is no room for another file, but the one that is there has its own. */
function writeInPlace(path: string, text: string): void {
  const file = openSync(path, 'r+');
  try {
    const bytes = Buffer.from(text.padEnd(fstatSync(file).size));
    writeSync(file, bytes, 0, bytes.length, 0);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** What `status.json` says; undefined if it is missing or damaged, since a run can do without it. */
export async function readStatus(folder: string): Promise<Status | undefined> {
  const path = join(folder, 'status.json');
  try {
    return believed(await readJson(path, jsonSchema), path);
  } catch (error) {
    if (error instanceof UntangleError) return undefined;
    throw error;
  }
}

/** The same at once, so that nothing happens between a look and what follows it. */
function statusNow(path: string): Status | undefined {
  try {
    return believed(parseJson(readFileSync(path), path, jsonSchema), path);
  } catch {
    return undefined;
  }
}

const believed = (value: unknown, path: string) =>
  value === undefined || !keepsCheck(value) ? undefined : checkJson(value, path, statusSchema);

/** Whether the process that says so is still at it. */
export function isRunning(status: Status, now = Date.now()): boolean {
  if (status.state !== 'running') return false;
  const silence = now - Date.parse(status.heartbeat);
  const isHeard = silence < longestSilence;
  if (status.host !== hostname()) return isHeard;
  const lives = isAlive(status.pid, status.birth);
  if (lives === undefined) return isHeard;
  // Without its birth, a long silence tells that its number was given to another one since.
  return lives && (status.birth !== undefined || silence < longestStep);
}

const beatMs = 5_000;
const longestStep = 600_000;
/** A process on another machine, or in another container, is known by its heartbeat alone. */
const longestSilence = 120_000;

/** Removes files that a killed process had not yet given their names. */
async function removeLeftovers(folder: string) {
  for (const name of await readdir(folder)) {
    if (!/^\..*\.tmp$/.test(name)) continue;
    const facts = await stat(join(folder, name)).catch(() => undefined);
    if (facts !== undefined && Date.now() - facts.mtimeMs > 3_600_000) await remove(join(folder, name));
  }
}
