/**
 * `manifest.json`: size, time and SHA-256 of every file of a run that a number depends on. A file is listed before it is moved
 * to its place, beside what stood there, so that a kill at any moment leaves a list that fits. What was changed afterwards, by
 * hand or by a failing disk, is named wherever the file is opened, and nothing is made from it.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  type BeforeChange,
  type FileBytes,
  isMissing,
  move,
  readBounded,
  remove,
  sha256,
  syncFolder,
  temporaryBeside,
  writeAtomically,
  writeToDisk,
} from '../disk.ts';
import { troubleOf } from '../errno.ts';
import { UntangleError } from '../errors.ts';
import { jsonSchema, keepsCheck, parseJson, toJson, withCheck } from './json.ts';
import { alone } from './lock.ts';
import { checkLines } from './log.ts';

/** What a manifest says of a file. */
export interface Listed {
  bytes: number;
  /** When it was written, in milliseconds since 1970. */
  modified: number;
  sha256: string;
}

const format = 1;
const manifestSchema = z.looseObject({
  format: z.int().min(1).max(format),
  /** More than one for a file while it is being replaced: either of them may stand there. */
  files: z.record(
    z.string(),
    z.array(z.object({ bytes: z.int().min(0), modified: z.number(), sha256: z.string() })).min(1),
  ),
});
type Files = z.infer<typeof manifestSchema>['files'];

export type FileState = 'whole' | 'changed' | 'missing' | 'unlisted';

/** What became of a file since it was written. */
export interface CheckedFile {
  name: string;
  state: FileState;
  /** What is wrong with it, in a sentence. */
  sentence?: string;
  /** The training step that it belongs to, of a checkpoint. */
  step?: number;
}

const modelFiles = ['model/model.json', 'model/encoder.onnx', 'model/decoder.onnx'] as const;
/** The files that a manifest lists, as paths inside the run. */
const listedNames = ['run.json', 'log.jsonl', ...modelFiles, 'evaluation.json'] as const;
export type ListedName = (typeof listedNames)[number];

/** Writes a file of a run whole, and lists it. */
export async function writeListed(runFolder: string, name: ListedName, text: string, before?: BeforeChange) {
  const path = join(runFolder, name);
  const temporary = temporaryBeside(path);
  try {
    await writeToDisk(temporary, text, before);
    await listAhead(runFolder, { [name]: temporary }, before);
    await move(temporary, path, before);
  } catch (error) {
    await remove(temporary, before).catch(() => {});
    throw troubleOf(error, path) ?? error;
  }
  await syncFolder(runFolder, before);
  await settleList(runFolder, [name], before);
}

/** The text of a manifest for files that stand elsewhere until they are moved together with it. */
export async function manifestOf(files: Partial<Record<ListedName, string>>): Promise<string> {
  const listed = await Promise.all(Object.entries(files).map(async ([name, path]) => [name, [await listing(path)]]));
  return textOf(Object.fromEntries(listed));
}

/** Lists every file of a run that came from elsewhere and was checked on its way. */
export async function listAll(runFolder: string): Promise<void> {
  const there: Partial<Record<ListedName, string>> = {};
  for (const name of listedNames) {
    const path = join(runFolder, name);
    if ((await factsOf(path)) !== undefined) there[name] = path;
  }
  await writeToDisk(join(runFolder, 'manifest.json'), await manifestOf(there));
}

/** Lists files that are about to be moved to their places; what stands there now stays listed until `settleList`. */
export async function listAhead(
  runFolder: string,
  fresh: Partial<Record<ListedName, string>>,
  before?: BeforeChange,
): Promise<void> {
  const listings = await Promise.all(
    Object.entries(fresh).map(async ([name, path]) => [name, await listing(path)] as const),
  );
  await change(
    runFolder,
    async (files) => {
      for (const [name, next] of listings) {
        const now = await factsOf(join(runFolder, name));
        const listed = files[name] ?? [];
        const standing = listed.filter((one) => now !== undefined && isSame(one, now));
        files[name] = [...(standing.length > 0 ? standing : listed), next];
      }
    },
    before,
  );
}

/** Once files have been moved to their places, only they are listed under these names; what has no file has no entry. */
export async function settleList(runFolder: string, names: readonly ListedName[], before?: BeforeChange) {
  await change(
    runFolder,
    async (files) => {
      for (const name of names) {
        if ((await factsOf(join(runFolder, name))) === undefined) delete files[name];
        else files[name] = (files[name] ?? []).slice(-1);
      }
    },
    before,
  );
}

/** Lists a file as it is known to be, such as a log so far; or no longer, before it is cut. */
export async function listAs(runFolder: string, name: ListedName, listed: Listed | undefined, before?: BeforeChange) {
  await change(
    runFolder,
    async (files) => {
      if (listed === undefined) delete files[name];
      else files[name] = [listed];
    },
    before,
  );
}

/**
 * Files of a run, read whole; an error that names the first one that is not what was written. A file that is missing is left
 * out, and one that no manifest lists is believed.
 */
export async function readListed<Name extends ListedName>(
  runFolder: string,
  names: readonly Name[],
  largest: number,
): Promise<Partial<Record<Name, FileBytes>>> {
  for (let attempt = 1; ; attempt++) {
    const found: Partial<Record<Name, FileBytes>> = {};
    for (const name of names) {
      const bytes = await readBounded(join(runFolder, name), largest);
      if (bytes !== undefined) found[name] = bytes;
    }
    const files = await readManifest(runFolder);
    const changed: Name[] = [];
    for (const name of names) {
      const listed = files?.[name];
      const bytes = found[name];
      if (listed === undefined || bytes === undefined) continue;
      const sum = await sha256(bytes);
      if (!listed.some((one) => one.sha256 === sum)) changed.push(name);
    }
    if (changed.length === 0) return found;
    // Somebody may have put another one into its place between the two looks.
    if (attempt === 3) throw changedError(runFolder, changed[0]);
  }
}

/** Whether the run has a manifest; one that was made before there were any has none. */
export async function hasManifest(runFolder: string): Promise<boolean> {
  return (await factsOf(join(runFolder, 'manifest.json'))) !== undefined;
}

/**
 * What became of every listed file. A file of the same size and time is taken as whole unless `content` is asked for; any other
 * is read.
 *
 * @example (await checkFiles('runs/x', { content: true })).filter(({ state }) => state !== 'whole')
 */
export async function checkFiles(runFolder: string, { content = false } = {}): Promise<CheckedFile[]> {
  let files: Files | undefined;
  try {
    files = await readManifest(runFolder);
  } catch (error) {
    if (!(error instanceof UntangleError)) throw error;
    return [{ name: 'manifest.json', state: 'changed', sentence: error.message }];
  }
  const checked: CheckedFile[] = files === undefined ? [] : [{ name: 'manifest.json', state: 'whole' }];
  for (const name of listedNames) {
    const file = await checkFile(runFolder, name, files?.[name], content);
    if (file !== undefined) checked.push(file);
  }
  return checked;
}

/** An error if a file of a run is not what was written, by its size and time first. */
export async function refuseChanged(runFolder: string, name: ListedName): Promise<void> {
  const checked = await checkFile(runFolder, name, (await readManifest(runFolder))?.[name], false);
  if (checked?.state === 'changed') throw changedError(runFolder, name);
}

/** The sentence for a file that is not what was written. */
export function changedSentence(runFolder: string, name: string): string {
  return `“${join(runFolder, name)}” is not what was written: it was changed since, or its disk failed.`;
}

function changedError(runFolder: string, name: ListedName): UntangleError {
  return new UntangleError(changedSentence(runFolder, name), { hint: mends[name] });
}

const anew = 'Bring it back from a copy; or train on, if the run has steps left: its model is then written anew.';
const mends: Record<ListedName, string> = {
  'run.json':
    'Bring it back from a copy. To train with other settings, edit a copy of it elsewhere and give that to “untangle train --from”.',
  'log.jsonl': 'Bring it back from a copy; lines that do not fit are left out.',
  'model/model.json': anew,
  'model/encoder.onnx': anew,
  'model/decoder.onnx': anew,
  'evaluation.json': 'Measure the run again with “untangle evaluate”.',
};

async function checkFile(
  runFolder: string,
  name: ListedName,
  listed: readonly Listed[] | undefined,
  content: boolean,
): Promise<CheckedFile | undefined> {
  const path = join(runFolder, name);
  const now = await factsOf(path);
  if (now === undefined) {
    // A file may be listed shortly before it stands there for the first time.
    const isAwaited = listed === undefined || (await readManifest(runFolder))?.[name]?.length !== 1;
    return isAwaited ? undefined : { name, state: 'missing', sentence: `“${path}” is missing.` };
  }
  if (listed === undefined) return { name, state: 'unlisted' };
  if (!content && listed.some((one) => isSame(one, now))) return { name, state: 'whole' };
  const isWhole = async (ones: readonly Listed[]) => {
    for (const one of ones) if (await fits(path, name, one, content)) return true;
    return false;
  };
  const changed: CheckedFile = { name, state: 'changed', sentence: changedSentence(runFolder, name) };
  if (!(await isWhole(listed)) && !(await isWhole((await readManifest(runFolder))?.[name] ?? []))) return changed;
  if (name !== 'log.jsonl' || !content) return { name, state: 'whole' };
  const { damaged } = await checkLines(path);
  return damaged === 0
    ? { name, state: 'whole' }
    : { ...changed, sentence: `${damaged} line(s) of “${path}” are not what was written; they are left out.` };
}

/** Whether a file's content is what is listed; a log only has to begin with it. */
async function fits(path: string, name: ListedName, { bytes, sha256: sum }: Listed, anew: boolean): Promise<boolean> {
  const now = await factsOf(path);
  if (now === undefined || (name === 'log.jsonl' ? now.bytes < bytes : now.bytes !== bytes)) return false;
  return (await (anew ? readSum(path, bytes) : sumOf(path, bytes, now))) === sum;
}

/** Checksums of files as they stood at some time, for lists that are asked for again and again. */
const sums = new Map<string, string>();

async function sumOf(path: string, bytes: number, { modified }: { modified: number }): Promise<string> {
  const key = `${path} ${bytes} ${modified}`;
  const known = sums.get(key);
  // A file of just now may change again within the clock's grain.
  const isSettled = Date.now() - modified > 2_000;
  if (known !== undefined && isSettled) return known;
  const sum = await readSum(path, bytes);
  if (sums.size > 10_000) sums.clear();
  if (isSettled) sums.set(key, sum);
  return sum;
}

/** The SHA-256 of a file's first bytes. */
async function readSum(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk);
  return hash.digest('hex');
}

const largest = 1_000_000;

async function readManifest(runFolder: string): Promise<Files | undefined> {
  const path = join(runFolder, 'manifest.json');
  const bytes = await readBounded(path, largest);
  if (bytes === undefined) return undefined;
  if (!keepsCheck(parseJson(bytes, path, jsonSchema)))
    throw new UntangleError(changedSentence(runFolder, 'manifest.json'), {
      hint: 'Bring it back from a copy; without it, nothing tells whether the run’s files are what was written.',
    });
  return parseJson(bytes, path, manifestSchema).files;
}

async function change(runFolder: string, work: (files: Files) => Promise<void>, before?: BeforeChange): Promise<void> {
  await alone(runFolder, async () => {
    const files = (await readManifest(runFolder)) ?? {};
    await work(files);
    await writeAtomically(join(runFolder, 'manifest.json'), textOf(files), before);
  });
}

const textOf = (files: Files) => `${toJson(withCheck({ format, files }), 2)}\n`;

async function listing(path: string): Promise<Listed> {
  const facts = await factsOf(path);
  if (facts === undefined) throw new UntangleError(`“${path}” is missing.`);
  return { ...facts, sha256: await readSum(path, facts.bytes) };
}

const isSame = (one: Listed, now: { bytes: number; modified: number }) =>
  one.bytes === now.bytes && one.modified === now.modified;

async function factsOf(path: string): Promise<{ bytes: number; modified: number } | undefined> {
  try {
    const facts = await stat(path);
    return { bytes: facts.size, modified: Math.round(facts.mtimeMs) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
