/**
 * Changes to the disk that a kill at any moment can't leave half done: a file or folder is written under another name,
 * brought to the disk, and then renamed. Also checksums, and paths that never leave their folder.
 */
import { webcrypto } from 'node:crypto';
import { rmSync } from 'node:fs';
import { access, constants, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, troubleOf } from './errno.ts';
import { UntangleError } from './errors.ts';

/** One change to the disk, told before it is made. */
export interface Change {
  kind: 'create folder' | 'write' | 'sync' | 'sync folder' | 'rename' | 'remove';
  path: string;
  to?: string;
}

/** Called before every change; one that throws stands for a kill at that moment. */
export type BeforeChange = (change: Change) => void;

/** Takes the next bytes of a file that is being written, or those from a position on. */
export type Write = (bytes: Uint8Array, position?: number) => Promise<void>;

/** A file's content: as it is, or written piece by piece. */
export type Content = string | Uint8Array | ((write: Write) => Promise<void>);

/** Writes a whole file, or leaves what was there: never a part of it. */
export async function writeAtomically(path: string, content: Content, before?: BeforeChange) {
  const temporary = temporaryBeside(path);
  unfinished.add(temporary);
  try {
    await writeToDisk(temporary, content, before);
    await move(temporary, path, before);
  } catch (error) {
    await remove(temporary, before).catch(() => {});
    // The name of what was to be written is known to people, the temporary one isn't.
    throw troubleOf(error, path) ?? error;
  } finally {
    unfinished.delete(temporary);
  }
  await syncFolder(dirname(path), before);
}

/** What is being written, for a process that ends in the middle. */
const unfinished = new Set<string>();
process.once('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/**
 * Puts a new folder in the place of an old one: `fill` writes it under another name, then the two are exchanged. A kill in
 * the middle of the exchange leaves the old folder under another name; `recoverFolder` brings it back.
 */
export async function replaceFolder(path: string, fill: (folder: string) => Promise<void>, before?: BeforeChange) {
  const { fresh, old } = exchangeNames(path);
  await recoverFolder(path, before);
  await createFolder(fresh, before);
  try {
    await fill(fresh);
  } catch (error) {
    await remove(fresh, before).catch(() => {});
    throw error;
  }
  await syncFolder(fresh, before);
  if (await exists(path)) await move(path, old, before);
  await move(fresh, path, before);
  await syncFolder(dirname(path), before);
  await remove(old, before);
}

/** Ends an exchange of folders that was cut off: the old folder is back in its place, and nothing else is left of it. */
export async function recoverFolder(path: string, before?: BeforeChange) {
  const { fresh, old } = exchangeNames(path);
  if (await exists(old)) {
    if (await exists(path)) await remove(old, before);
    else await move(old, path, before);
  }
  if (await exists(fresh)) await remove(fresh, before);
}

/** Writes a new file and waits until its bytes are on the disk. */
export async function writeToDisk(path: string, content: Content, before?: BeforeChange) {
  before?.({ kind: 'write', path });
  const file = await open(path, 'wx');
  let end = 0;
  // One call takes all in most cases; `writeFile` would go in pieces of half a megabyte.
  const write: Write = async (bytes, position = end) => {
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
    end = Math.max(end, position + bytes.length);
  };
  try {
    if (typeof content === 'function') await content(write);
    else await write(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    before?.({ kind: 'sync', path });
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function createFolder(path: string, before?: BeforeChange) {
  before?.({ kind: 'create folder', path });
  await mkdir(path, { recursive: true });
}

export async function remove(path: string, before?: BeforeChange) {
  before?.({ kind: 'remove', path });
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Renames; on Windows it tries again for a while, since a reader or a virus scanner may hold the file. */
export async function move(from: string, to: string, before?: BeforeChange) {
  before?.({ kind: 'rename', path: from, to });
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (process.platform !== 'win32' || attempt === 10 || !/^(EPERM|EACCES|EBUSY)$/.test(codeOf(error))) throw error;
      await sleep(20);
    }
  }
}

/** Brings a folder's own entries (what was created, renamed, removed in it) to the disk. Windows has no such call. */
export async function syncFolder(path: string, before?: BeforeChange) {
  before?.({ kind: 'sync folder', path });
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The SHA-256 of some bytes, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** Bytes that say their text: what Node calls a buffer, without asking for Node's types. */
export interface FileBytes extends Uint8Array {
  toString(encoding?: 'latin1' | 'utf8'): string;
}

/**
 * A file's bytes, if there is such a file; at most `most`, so that a wrong file can't fill the memory.
 *
 * @example await readBounded('runs/x/run.json', 4_000_000)
 */
export async function readBounded(path: string, most: number): Promise<FileBytes | undefined> {
  try {
    // A pipe or a device would be waited for without end, so only plain files are opened.
    const facts = await stat(path);
    if (!facts.isFile()) throw new UntangleError(`“${path}” is not a plain file.`);
    if (facts.size > most)
      throw new UntangleError(`“${path}” has ${facts.size} bytes; at most ${most} are expected there.`);
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The path of something inside `root`, for names that come from outside. Refuses what would lead out of it: `..`, an
 * absolute path, either of them percent-encoded, or a symbolic link on the way.
 *
 * @example await safeJoin('runs', 'beta-vae-shapes-1/pictures/samples.png')
 */
export async function safeJoin(root: string, inside: string): Promise<string> {
  const refused = new UntangleError(`The path “${inside}” leads out of its folder.`, { kind: 'call' });
  if (inside.length > longestPath || readings(inside).some(leadsOut)) throw refused;
  const home = await realpath(root);
  const path = resolve(home, inside);
  const real = await realpathOfExisting(path);
  if (real === undefined || !isWithin(home, real)) throw refused;
  return path;
}

/** A name that no other process and no other call uses, in the same folder, so that a rename stays on one disk. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${Date.now()}-${temporaries++}.tmp`);
}

/** The process that left a file of such a name unfinished, if it is one. */
export function ownerOf(name: string): number | undefined {
  const pid = /^\..*\.(\d+)-\d+-\d+\.tmp$/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** An error, before long work, if a folder can't be written to or made. */
export async function checkWritable(folder: string): Promise<void> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    try {
      await access(at, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || dirname(at) === at) throw troubleOf(error, at) ?? error;
    }
  }
}

/** Refuses a folder that holds something, so that what is written into it never mixes with what is there. */
export async function refuseFull(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (isMissing(error)) throw new UntangleError(`“${folder}” is not a folder.`, { kind: 'call' });
    throw error;
  }
  throw new UntangleError(`The folder “${folder}” is not empty.`, {
    kind: 'call',
    hint: 'Give a new folder, or remove this one first.',
  });
}

export const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

const longestPath = 4096;
let temporaries = 0;

function exchangeNames(path: string) {
  return { fresh: join(dirname(path), `.${basename(path)}.new`), old: join(dirname(path), `.${basename(path)}.old`) };
}

/** The path as given, and as it reads when percent-encoding is undone once or more. */
function readings(path: string): string[] {
  const found = [path];
  try {
    for (let next = decodeURIComponent(path); next !== found.at(-1); next = decodeURIComponent(next)) found.push(next);
  } catch {
    // A lone percent sign is no encoding: the readings so far are all there are.
  }
  return found;
}

function leadsOut(path: string): boolean {
  const parts = path.split(/[/\\]/);
  return parts.includes('..') || path.includes('\0') || /^([/\\]|[a-z]:)/i.test(path) || isAbsolute(path);
}

/** Where the deepest part of the path that exists really is; undefined if a link on the way leads to nothing. */
async function realpathOfExisting(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return undefined;
    if (!isMissing(error) || dirname(path) === path) throw error;
    const isLink = await lstat(path).then(
      (facts) => facts.isSymbolicLink(),
      () => false,
    );
    return isLink ? undefined : await realpathOfExisting(dirname(path));
  }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
