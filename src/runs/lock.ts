/** Work on a run's folder that no other process does at the same moment. */
import { mkdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../errno.ts';

/** Does `work` while nobody else holds the folder: of two that claim the same run, one wins. */
export async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, '.claim');
  for (let attempt = 0; ; attempt++) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || attempt === 400) throw error;
      // It is held for milliseconds: a lock that is seconds old belongs to a process that was killed.
      const age = await stat(lock).then(
        (facts) => Date.now() - facts.mtimeMs,
        () => 0,
      );
      if (age > 5_000) await rmdir(lock).catch(() => {});
      else await sleep(20);
    }
  }
  try {
    return await work();
  } finally {
    await rmdir(lock).catch(() => {});
  }
}
