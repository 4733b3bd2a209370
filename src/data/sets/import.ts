/**
 * Takes files that a person has got for a named set into the data folder, under the names that the set expects. They are
 * copied to one side, opened there to see that they are right, and only then moved into place, so that an import that fails
 * or is interrupted leaves nothing behind.
 */
import { constants, existsSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UntangleError, unknownName } from '../../errors.ts';
import { isAlive } from '../../processes.ts';
import { dataFolder } from '../cache.ts';
import type { Opened } from '../dataset.ts';
import type { BuiltIn, DataProgress, OpenOptions } from './built-in.ts';
import { realFile } from './dsprites.ts';
import { builtIn } from './registry.ts';

export interface ImportOptions {
  dataDir?: string;
  onProgress?: (progress: DataProgress) => void;
}

/** Where a set's files go: one file, or a folder of which the entries in `only` are taken. */
type Place = { file: string } | { folder: string; only: RegExp };

const idxFiles = /-idx[13]-ubyte(\.gz)?$/;

const places: Record<string, Place> = {
  dsprites: { file: realFile },
  mnist: { folder: 'mnist', only: idxFiles },
  'fashion-mnist': { folder: 'fashion-mnist', only: idxFiles },
  kmnist: { folder: 'kmnist', only: idxFiles },
  emnist: { folder: 'emnist', only: idxFiles },
  celeba: { folder: 'celeba', only: /^(img_align_celeba|list_attr_celeba\.(txt|csv)|list_eval_partition\.txt)$/ },
  affectnet: {
    folder: 'affectnet',
    only: /^(Manually_Annotated_Images|Manually_Annotated_file_lists|(training|validation)\.csv)$/,
  },
  chairs: { folder: 'chairs', only: /^rendered_chairs$/ },
  'yale-b': { folder: 'yale-b', only: /^CroppedYale$/ },
  '3dshapes': { file: '3dshapes/3dshapes.h5' },
};

/**
 * Imports a set from a file or folder, and opens it.
 *
 * @example await importData('3dshapes', 'downloads/3dshapes.h5')
 */
export async function importData(name: string, path: string, options: ImportOptions = {}): Promise<Opened> {
  const set = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (!set) throw unknownName('dataset', name, importable());
  const place = placeOf(name);
  if (!place) throw new UntangleError(`${name} is made by untangle itself and needs no files.`, { kind: 'call' });
  const source = sourceOf(set, place, path);
  const folder = dataFolder(options.dataDir);
  const goal = join(folder, 'file' in place ? place.file : place.folder);
  if (existsSync(goal))
    throw new UntangleError(`${set.title} is in the data folder already, at ${goal}.`, {
      kind: 'call',
      hint: 'Remove it first if it is to be replaced.',
    });

  return aside(folder, async (staging, goOn) => {
    const copy = join(staging, 'file' in place ? place.file : place.folder);
    await copyAll(source, copy, 'file' in place ? undefined : place.only, (progress) => {
      options.onProgress?.(progress);
      goOn();
    });
    await openAny(set, { dataDir: staging, onProgress: options.onProgress });
    goOn();
    // What was prepared on the way is as good in the data folder as it was aside.
    await moveAll(join(staging, 'prepared'), join(folder, 'prepared'));
    await mkdir(dirname(goal), { recursive: true });
    await rename(copy, goal);
    return openAny(set, { dataDir: options.dataDir });
  });
}

/** The names of the sets whose files can be imported. */
export function importable(): string[] {
  return Object.keys(builtIn).filter((name) => placeOf(name) !== undefined);
}

function placeOf(name: string): Place | undefined {
  return places[name] ?? (builtIn[name].put?.startsWith('medmnist/') ? { file: `medmnist/${name}.npz` } : undefined);
}

/** The file or folder itself, or for a set in a folder of its own also that folder. */
function sourceOf(set: BuiltIn, place: Place, path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UntangleError(`There is no file or folder ${path}.`, { kind: 'call' });
  if ('file' in place) {
    if (found.isFile()) return path;
    throw new UntangleError(`${path} is a folder, and ${set.title} is one file.`, {
      kind: 'call',
      hint: `It comes from ${set.get}.`,
    });
  }
  if (!found.isDirectory())
    throw new UntangleError(`${path} is a file, and ${set.title} is a folder.`, {
      kind: 'call',
      hint: `Unpack it first. The folder should hold: ${set.put}.`,
    });
  return place.only.test(basename(resolve(path))) ? dirname(resolve(path)) : path;
}

/** Opens the set, or the first of its parts whose files are there. */
async function openAny(set: BuiltIn, options: OpenOptions): Promise<Opened> {
  let first: unknown;
  for (const part of [undefined, ...(set.parts ?? [])]) {
    try {
      return await set.open({ ...options, part });
    } catch (error) {
      first ??= error;
      if (!(error instanceof UntangleError)) throw error;
    }
  }
  throw first;
}

/** Copies a file, or the entries of a folder that `only` names, with their times. */
async function copyAll(from: string, to: string, only: RegExp | undefined, onFile: (progress: DataProgress) => void) {
  const files = only === undefined ? [''] : await filesBelow(from, only);
  if (files.length === 0) throw new UntangleError(`${from} holds nothing that belongs to the set.`, { kind: 'call' });
  for (const [i, file] of files.entries()) {
    const [source, copy] = [join(from, file), join(to, file)];
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
    const { atime, mtime } = statSync(source);
    await utimes(copy, atime, mtime);
    onFile({ what: 'Copying files', done: i + 1, total: files.length });
  }
}

async function filesBelow(folder: string, only: RegExp): Promise<string[]> {
  const found: string[] = [];
  const walk = async (inside: string) => {
    for (const entry of await readdir(join(folder, inside), { withFileTypes: true })) {
      if (inside === '' && !only.test(entry.name)) continue;
      const path = join(inside, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  await walk('');
  return found;
}

async function moveAll(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await rename(join(from, name), join(to, name));
}

/**
 * Works in a folder that is gone afterwards, also where the work fails or the process is asked to stop. In that case `goOn`
 * ends the work, should somebody else keep the process alive.
 */
async function aside<T>(folder: string, work: (staging: string, goOn: () => void) => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const owner = /^\.import-(\d+)-\d+$/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await rm(join(folder, name), { recursive: true, force: true });
  }
  const staging = join(folder, `.import-${process.pid}-${counter++}`);
  const remove = () => rmSync(staging, { recursive: true, force: true });
  let stopped = false;
  const stop = (signal: NodeJS.Signals) => {
    stopped = true;
    remove();
    process.off('SIGINT', stop).off('SIGTERM', stop);
    process.kill(process.pid, signal);
  };
  process.once('exit', remove).on('SIGINT', stop).on('SIGTERM', stop);
  try {
    await mkdir(staging);
    return await work(staging, () => {
      if (stopped) throw new UntangleError('The import was stopped.');
    });
  } finally {
    process.off('exit', remove).off('SIGINT', stop).off('SIGTERM', stop);
    remove();
  }
}

let counter = 0;
