/** What a built-in set is, the options that every set and every path understands, and where a set's files lie. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UntangleError, unknownName } from '../../errors.ts';
import { dataFolder } from '../cache.ts';
import type { Opened } from '../dataset.ts';

/** How far a long preparation has come. */
export interface DataProgress {
  what: string;
  done: number;
  total: number;
}

export interface OpenOptions {
  /** Where data files lie; otherwise `UNTANGLE_DATA`, otherwise the user's cache folder. */
  dataDir?: string;
  /** Side of the square that images are resized to. */
  size?: number;
  /** Turns colour into grey. */
  grey?: boolean;
  /** What black and white are as numbers: 0 and 1, or −1 and 1. */
  range?: 'unit' | 'symmetric';
  /** Decides what a generated set draws. */
  seed?: number;
  /** Which part of a set that comes in several, such as EMNIST's `letters`. */
  part?: string;
  onProgress?: (progress: DataProgress) => void;
}

export interface BuiltIn {
  title: string;
  /** One line on what is in it. */
  what: string;
  licence: string;
  /** Where to get it. */
  get: string;
  /** Where its files belong inside the data folder; absent for sets that need no files. */
  put?: string;
  /** Paths inside the data folder, or whole ones, of which one is there when the set is; absent for sets that need no files. */
  places?: (folder: string) => readonly string[];
  /** The values of `part`, the first being the default. */
  parts?: readonly string[];
  open(options: OpenOptions): Promise<Opened>;
}

/** The part of a set that is asked for, which is the first unless told. */
export function partOf({ title, parts = [] }: BuiltIn, part = parts[0]): string {
  if (parts.includes(part)) return part;
  throw unknownName(`part of ${title}`, part, parts);
}

/** The file or folder of a set, by its own places. */
export function findSetFile({ title, get, places }: BuiltIn, dataDir?: string): string {
  return findFile(title, places?.(dataFolder(dataDir)) ?? [], { dataDir, get });
}

/** Whether a set needs no files, or has them. */
export function isHere({ places }: BuiltIn, dataDir?: string): boolean {
  const folder = dataFolder(dataDir);
  return places === undefined || places(folder).some((place) => existsSync(resolve(folder, place)));
}

/**
 * The first of `places` (paths inside the data folder) that exists.
 *
 * @example findFile('Fashion-MNIST', ['fashion-mnist/train-images-idx3-ubyte.gz'], { dataDir, get: 'github.com/…' })
 */
export function findFile(
  title: string,
  places: readonly string[],
  { dataDir, get }: { dataDir?: string; get: string },
): string {
  const folder = dataFolder(dataDir);
  const found = places.map((place) => join(folder, place)).find(existsSync);
  if (found) return found;
  throw new UntangleError(`${title} is not in the data folder: there is no ${join(folder, places[0])}.`, {
    hint: `Get it from ${get} and put it there, or name the folder that has it with --data-dir or UNTANGLE_DATA.`,
  });
}
