/**
 * Where data lies on this machine, and files that untangle prepared from it: each carries a key (what it was made from) and
 * a checksum, appears by an atomic rename, and is made anew when it is damaged or its key has changed.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { access, constants, mkdir, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Content, ownerOf, type Write, writeAtomically } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { isAlive } from '../processes.ts';

/** The data folder: the one given, else `UNTANGLE_DATA`, else the user's cache folder. */
export function dataFolder(given?: string): string {
  return resolve(given ?? (process.env.UNTANGLE_DATA || userCacheFolder()));
}

/** The user's cache folder as each platform has it. */
export function userCacheFolder(
  environment: Record<string, string | undefined> = process.env,
  platform: string = process.platform,
  home: string = homedir(),
): string {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, 'untangle');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'untangle');
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'untangle');
  return join(home, '.cache', 'untangle');
}

/** Where prepared files go: inside the data folder, or in the user's cache folder where that one cannot be written. */
export async function preparedFolder(dataDir?: string): Promise<string> {
  const folders = [dataFolder(dataDir), userCacheFolder()].map((folder) => join(folder, 'prepared'));
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK);
      return folder;
    } catch {}
  }
  throw new UntangleError(`Neither ${folders[0]} nor ${folders[1]} can be written.`, {
    hint: 'Name a folder that can, with --data-dir or UNTANGLE_DATA.',
  });
}

/** A prepared file whose key and checksum have been found right. */
export interface PreparedFile {
  readonly path: string;
  /** How many bytes it holds, its own header left out. */
  readonly length: number;
  /** Fills `into` with the bytes from `position` on. */
  read(position: number, into: Uint8Array): void;
  /** All its bytes. */
  load(): Uint8Array<ArrayBuffer>;
}

/**
 * Opens the prepared file `name`, and lets `build` write it first if it is missing, damaged or made from something else.
 *
 * @example await prepare({ folder, name: 'cats.images', key: fingerprint(list), build: async (write) => write(pixels) })
 */
export async function prepare(options: {
  folder: string;
  name: string;
  key: string;
  build: (write: Write) => Promise<void>;
}): Promise<PreparedFile> {
  const path = join(options.folder, options.name);
  const kept = checked(path, options.key);
  if (kept) return kept;
  await writeWhole(path, async (write) => {
    const hash = createHash('sha256');
    let length = 0;
    await write(new Uint8Array(headerSize));
    await options.build(async (bytes) => {
      hash.update(bytes);
      await write(bytes);
      length += bytes.byteLength;
    });
    await write(headerOf(options.key, length, hash), 0);
  });
  const made = checked(path, options.key);
  if (!made) throw new UntangleError(`${path} was written but does not read back.`, { hint: 'Is the disk full?' });
  return made;
}

/**
 * Writes a file so that it appears whole or not at all, into a folder that is made if it is not there. What killed processes
 * left behind is swept away first.
 */
export async function writeWhole(path: string, content: Content): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const owner = ownerOf(name);
    if (owner !== undefined && !isAlive(owner)) await rm(join(folder, name), { force: true });
  }
  try {
    await writeAtomically(path, content);
  } catch (error) {
    if (error instanceof UntangleError) throw error;
    throw new UntangleError(`${path} could not be written: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    });
  }
}

/** A prepared file opens with: the mark, the payload's length, the SHA-256 of the key and that of the payload. */
const mark = Buffer.from('untangle prepared file 1');
const headerSize = mark.length + 8 + 32 + 32;

function headerOf(key: string, length: number, payload: Hash): Uint8Array {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(length));
  return Buffer.concat([mark, size, createHash('sha256').update(key).digest(), payload.digest()]);
}

/** The file at `path` if it is there, made from `key`, and whole. */
function checked(path: string, key: string): PreparedFile | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const length = fstatSync(file).size - headerSize;
    const header = Buffer.alloc(headerSize);
    if (length < 0 || readSync(file, header, 0, headerSize, 0) !== headerSize) return undefined;
    const hash = createHash('sha256');
    const chunk = new Uint8Array(Math.min(length, 4 << 20));
    for (let at = 0; at < length; ) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, length - at), headerSize + at);
      if (count === 0) return undefined;
      hash.update(chunk.subarray(0, count));
      at += count;
    }
    if (!header.equals(headerOf(key, length, hash))) return undefined;
    return preparedFile(path, length);
  } finally {
    closeSync(file);
  }
}

function preparedFile(path: string, length: number): PreparedFile {
  let file: number | undefined;
  function fill(from: number, position: number, into: Uint8Array): void {
    for (let done = 0; done < into.length; ) {
      const count = readSync(from, into, done, Math.min(into.length - done, 1 << 30), headerSize + position + done);
      if (count === 0) throw new UntangleError(`${path} was cut short while it was in use.`);
      done += count;
    }
  }
  return {
    path,
    length,
    read(position, into) {
      // Kept open, since items are read one by one for as long as the set is in use.
      file ??= openSync(path, 'r');
      fill(file, position, into);
    },
    load() {
      const bytes = new Uint8Array(length);
      const once = openSync(path, 'r');
      try {
        fill(once, 0, bytes);
      } finally {
        closeSync(once);
      }
      return bytes;
    },
  };
}
