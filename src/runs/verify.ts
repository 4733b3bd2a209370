/** Whether a run's folder still holds what was written there: its listed files, its status and its checkpoints, all by content. */
import { join } from 'node:path';
import { exists } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { checkpointsIn } from './checkpoint.ts';
import { type CheckedFile, changedSentence, checkFiles, hasManifest } from './manifest.ts';
import { decidesHash, readRunFile } from './run.ts';
import { readStatus } from './status.ts';

export interface Verified {
  /** Whether the run has a list to compare with; one that was made by an earlier version has none. */
  hasManifest: boolean;
  /** Nothing is changed and nothing is missing. */
  isWhole: boolean;
  files: CheckedFile[];
}

/**
 * Reads everything in a run's folder that a number depends on, and compares it with what was written.
 *
 * @example (await verifyRun('runs/beta-vae-shapes-1')).files.filter(({ state }) => state === 'changed')
 */
export async function verifyRun(folder: string): Promise<Verified> {
  const files = await checkFiles(folder, { content: true });
  if (await exists(join(folder, 'status.json'))) {
    const isWhole = (await readStatus(folder)) !== undefined;
    const changed: CheckedFile = {
      name: 'status.json',
      state: 'changed',
      sentence: changedSentence(folder, 'status.json'),
    };
    files.push(isWhole ? { name: 'status.json', state: 'whole' } : changed);
  }
  const decides = await decidesIn(folder);
  for (const { name, step, trouble, run } of await checkpointsIn(folder)) {
    const isOther = run !== undefined && decides !== undefined && run !== decides;
    const reason = trouble ?? (isOther ? 'it is of other settings than “run.json” now says' : undefined);
    files.push(
      reason === undefined
        ? { name: `checkpoint/${name}`, state: 'whole', step }
        : {
            name: `checkpoint/${name}`,
            state: 'changed',
            sentence: `The ${name} checkpoint can't be used: ${reason}.`,
          },
    );
  }
  const isWhole = files.every(({ state }) => state === 'whole' || state === 'unlisted');
  return { hasManifest: await hasManifest(folder), isWhole, files };
}

/** The hash of what decides the run, where its file can be read. */
async function decidesIn(folder: string): Promise<string | undefined> {
  try {
    return await decidesHash(await readRunFile(join(folder, 'run.json')));
  } catch (error) {
    if (error instanceof UntangleError) return undefined;
    throw error;
  }
}
