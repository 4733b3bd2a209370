/** A store in a folder, on this machine's disk or on one that machines share. */

import { link, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { codeOf } from '../../errno.ts';
import {
  createFolder,
  isMissing,
  readBounded,
  remove,
  temporaryBeside,
  writeAtomically,
  writeToDisk,
} from '../../runs/index.ts';
import type { Store } from './store.ts';

/** No file that a sweep reads whole is larger. */
const largest = 512 * 2 ** 20;

/**
 * The store in a folder, which is made if it is missing.
 *
 * @example await folderStore('sweeps/beta').list('trials')
 */
export function folderStore(folder: string): Store {
  // Workers that are told of it may stand elsewhere.
  const root = resolve(folder);
  const at = (path: string) => join(root, path);
  return {
    url: root,
    read: (path) => readBounded(at(path), largest),
    async create(path, content) {
      await mkdir(dirname(at(path)), { recursive: true });
      const temporary = temporaryBeside(at(path));
      try {
        await writeToDisk(temporary, content);
        // Unlike a rename, a link never replaces what is there; on network disks too it is one step.
        await link(temporary, at(path));
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        await remove(temporary);
      }
    },
    async write(path, content) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeAtomically(at(path), content);
    },
    async list(path) {
      try {
        return (await readdir(at(path))).filter((name) => !name.startsWith('.'));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    remove: (path) => remove(at(path)),
    async checkOut(path) {
      await createFolder(at(path));
      return at(path);
    },
    checkIn: async () => {},
  };
}
