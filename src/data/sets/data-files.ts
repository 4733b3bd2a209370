/** Finds a set's files in the data folder, and says where they belong when they are not there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UntangleError } from '../../errors.ts';
import { dataFolder } from '../cache.ts';
import type { BuiltIn } from './built-in.ts';

/** The file or folder of a set, by its own places. */
export function findSetFile({ title, get, places }: BuiltIn, dataDir?: string): string {
  return findFile(title, places?.(dataFolder(dataDir)) ?? [], { dataDir, get });
}

/** Whether a set needs no files, or has them in the data folder. */
export function isHere({ places }: BuiltIn, dataDir?: string): boolean {
  const folder = dataFolder(dataDir);
  return places === undefined || places(folder).some((place) => existsSync(join(folder, place)));
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
