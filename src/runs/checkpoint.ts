/**
 * A run's checkpoints: `checkpoint/latest` and `checkpoint/previous`, each a folder with the weights, the optimiser's slots,
 * the state that they belong to, and checksums of the three. A new one is written under another name and then moved in by
 * renames, so that a kill at any moment leaves at least one whole checkpoint.
 */
import { join } from 'node:path';
import { z } from 'zod';
import {
  type BeforeChange,
  createFolder,
  exists,
  move,
  readBounded,
  remove,
  sha256,
  syncFolder,
  writeToDisk,
} from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { jsonSchema, parseJson, toJson } from './json.ts';
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from './safetensors.ts';

/** Everything besides tensors that the next step depends on. */
const stateSchema = z.object({
  step: z.int().min(0),
  epoch: z.number().min(0),
  /** Seconds of training so far. */
  seconds: z.number().min(0),
  /** What schedules and early stopping remember, by their names. */
  schedules: z.record(z.string(), jsonSchema),
  /** How often each of the method's steps has run, by its name. */
  counts: z.record(z.string(), z.int().min(0)),
  /** The hash of what decides the run, as `decidesHash` gives it; missing where an earlier version wrote the checkpoint. */
  run: z.string().optional(),
});
export type CheckpointState = z.infer<typeof stateSchema>;

export interface Checkpoint {
  state: CheckpointState;
  weights: Map<string, StoredTensor>;
  /** The optimiser's slots, such as Adam's two moments of every weight. */
  optimiser: Map<string, StoredTensor>;
}

/** A checkpoint, with a sentence if it is not the one that was written last. */
export interface FoundCheckpoint extends Checkpoint {
  warning?: string;
}

/**
 * Writes a checkpoint; the one that was latest becomes the previous one. The tensors are copied before the first wait, so
 * training may go on while the disk works; but only one checkpoint is written at a time.
 */
export async function writeCheckpoint(runFolder: string, checkpoint: Checkpoint, before?: BeforeChange) {
  const files: [string, Uint8Array][] = [
    ['weights.safetensors', encodeSafetensors(checkpoint.weights)],
    ['optimiser.safetensors', encodeSafetensors(checkpoint.optimiser)],
    ['state.json', new TextEncoder().encode(`${toJson({ format, ...checkpoint.state }, 2)}\n`)],
  ];
  const at = places(runFolder);
  if (!(await exists(at.home))) {
    await createFolder(at.home, before);
    await syncFolder(runFolder, before);
  }
  if (await exists(at.writing)) await remove(at.writing, before);
  await createFolder(at.writing, before);
  const [sums] = await allDone([
    allDone(files.map(async ([name, bytes]) => [name, { bytes: bytes.length, sha256: await sha256(bytes) }] as const)),
    allDone(files.map(([name, bytes]) => writeToDisk(join(at.writing, name), bytes, before))),
  ]);
  const checksums = `${toJson({ format, files: Object.fromEntries(sums) }, 2)}\n`;
  await writeToDisk(join(at.writing, 'checksums.json'), checksums, before);
  await syncFolder(at.writing, before);

  // A folder that isn't empty can't be renamed over, so the three move on one after the other. At each point between two of
  // these renames a whole checkpoint stands under a name that `readCheckpoint` looks at.
  if (await exists(at.latest)) {
    if (await exists(at.old)) await remove(at.old, before);
    if (await exists(at.previous)) await move(at.previous, at.old, before);
    await move(at.latest, at.previous, before);
  }
  await move(at.writing, at.latest, before);
  await syncFolder(at.home, before);
  if (await exists(at.old)) await remove(at.old, before);
}

/**
 * The newest whole checkpoint; undefined if the run has none yet. If the latest is damaged or was not finished, the one
 * before it is taken, and `warning` says so.
 */
export async function readCheckpoint(runFolder: string): Promise<FoundCheckpoint | undefined> {
  return (await look(runFolder)).found;
}

/**
 * Puts the checkpoints in order after a kill, as a resume does first, and gives the newest whole one. What is damaged goes
 * to `checkpoint/damaged`, so that it never pushes out a whole one.
 */
export async function recoverCheckpoints(runFolder: string, before?: BeforeChange) {
  const at = places(runFolder);
  const { found, damaged } = await look(runFolder);
  for (const folder of damaged) {
    if (await exists(at.damaged)) await remove(at.damaged, before);
    await move(folder, at.damaged, before);
  }
  if (await exists(at.old)) {
    // A kill may have left both: the older one goes only where the other can take its place.
    if (!(await exists(at.latest)) && (await exists(at.previous))) await move(at.previous, at.latest, before);
    const isSpare = (await exists(at.previous)) && typeof (await readSteady(at.previous)) !== 'string';
    if (isSpare) await remove(at.old, before);
    else {
      if (await exists(at.previous)) {
        if (await exists(at.damaged)) await remove(at.damaged, before);
        await move(at.previous, at.damaged, before);
      }
      await move(at.old, at.previous, before);
    }
  }
  if (await exists(at.writing)) await remove(at.writing, before);
  return found;
}

/** The latest and the previous checkpoint, each with what is wrong with it; read wholly. */
export async function checkpointsIn(
  runFolder: string,
): Promise<{ name: 'latest' | 'previous'; step?: number; run?: string; trouble?: string }[]> {
  const at = places(runFolder);
  const found: Awaited<ReturnType<typeof checkpointsIn>> = [];
  for (const name of ['latest', 'previous'] as const) {
    if (!(await exists(at[name]))) continue;
    const read = await readSteady(at[name]);
    if (typeof read !== 'string')
      found.push({ name, step: read.state.step, ...(read.state.run !== undefined && { run: read.state.run }) });
    else if (await exists(at[name])) found.push({ name, trouble: read });
  }
  return found;
}

const format = 1;
/** The most that one file of a checkpoint may hold: what Node reads at once. */
const largest = 2 ** 31 - 1;

const checksumsSchema = z.object({
  format: z.int(),
  files: z.record(z.string(), z.object({ bytes: z.int().min(0), sha256: z.string() })),
});

function places(runFolder: string) {
  const home = join(runFolder, 'checkpoint');
  return {
    home,
    latest: join(home, 'latest'),
    previous: join(home, 'previous'),
    /** Where the previous one waits until the new one stands. */
    old: join(home, '.old'),
    writing: join(home, '.writing'),
    damaged: join(home, 'damaged'),
  };
}

/** Tries the checkpoints from the newest to the oldest, and tells which are damaged. */
async function look(runFolder: string): Promise<{ found?: FoundCheckpoint; damaged: string[] }> {
  const at = places(runFolder);
  const trouble: string[] = [];
  const damaged: string[] = [];
  for (const folder of [at.latest, at.previous, at.old]) {
    if (!(await exists(folder))) continue;
    const read = await readSteady(folder);
    if (typeof read === 'string') {
      // A writer may have moved it on since: it is found under the next name.
      if (!(await exists(folder))) continue;
      trouble.push(`the ${folder === at.latest ? 'latest' : 'previous'} checkpoint is damaged (${read})`);
      damaged.push(folder);
    } else if (folder === at.latest) {
      return { found: read, damaged };
    } else {
      const reason = trouble.length === 0 ? 'the latest checkpoint was not finished' : trouble.join(' and ');
      return {
        found: { ...read, warning: `${capital(reason)}: the one of step ${read.state.step} is taken.` },
        damaged,
      };
    }
  }
  if (trouble.length === 0) return { damaged };
  throw new UntangleError(`There is no whole checkpoint in “${runFolder}”: ${trouble.join(' and ')}.`, {
    hint: 'Bring the folder back from a copy, or train from the start under another name.',
  });
}

/** Reads a checkpoint; again if a writer moved another one into its place meanwhile. The string says what is damaged. */
async function readSteady(folder: string): Promise<Checkpoint | string> {
  const stamp = async () => (await readBounded(join(folder, 'checksums.json'), largest))?.toString('latin1');
  for (let attempt = 1; ; attempt++) {
    const stood = await stamp();
    try {
      return await readWhole(folder);
    } catch (error) {
      if (attempt < 4 && (await stamp()) !== stood) continue;
      if (error instanceof UntangleError && error.kind === 'work') return error.message.replace(/\.$/, '');
      throw error;
    }
  }
}

async function readWhole(folder: string): Promise<Checkpoint> {
  const sums = await readBounded(join(folder, 'checksums.json'), largest);
  if (sums === undefined) throw new UntangleError('“checksums.json” is missing');
  const checksums = parseJson(sums, 'checksums.json', checksumsSchema);
  if (checksums.format > format)
    throw new UntangleError(`The checkpoint in “${folder}” was written by a newer version of untangle.`, {
      kind: 'call',
      hint: 'Update untangle to go on from it.',
    });
  const checked = async (name: string) => {
    const sum = Object.hasOwn(checksums.files, name) ? checksums.files[name] : undefined;
    const bytes = await readBounded(join(folder, name), largest);
    if (bytes === undefined) throw new UntangleError(`“${name}” is missing`);
    if (sum?.bytes !== bytes.length || sum.sha256 !== (await sha256(bytes)))
      throw new UntangleError(`“${name}” does not have its checksum`);
    return bytes;
  };
  const [weights, optimiser, state] = await allDone([
    checked('weights.safetensors'),
    checked('optimiser.safetensors'),
    checked('state.json'),
  ]);
  return {
    state: parseJson(state, 'state.json', stateSchema),
    weights: decodeSafetensors(weights, 'weights.safetensors').tensors,
    optimiser: decodeSafetensors(optimiser, 'optimiser.safetensors').tensors,
  };
}

/** Waits for all, also when one fails: nothing is still at work on the disk afterwards. */
async function allDone<T extends readonly unknown[]>(work: readonly [...{ [K in keyof T]: Promise<T[K]> }]) {
  await Promise.allSettled(work);
  return await Promise.all(work);
}

const capital = (text: string) => text[0].toUpperCase() + text.slice(1);
