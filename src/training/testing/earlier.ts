/** Runs that an earlier version left behind, before the rooms were rebuilt: small, with their data beside them. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunFile, readRunFile } from '../../runs/index.ts';

export const earlierRuns = join(import.meta.dirname, '..', 'fixtures', 'earlier');

/** A copy of a run in a folder, which is given the data too. */
export async function copyEarlier(name: string, folder: string): Promise<string> {
  await cp(join(earlierRuns, 'data'), folder, { recursive: true });
  const copy = join(folder, name);
  await cp(join(earlierRuns, name), copy, { recursive: true });
  const { data, ...file } = await readRunFile(join(copy, 'run.json'));
  const moved = <Set extends { source: string }>(set: Set): Set => ({ ...set, source: join(folder, set.source) });
  const here: RunFile = {
    ...file,
    data: { ...data, target: moved(data.target), background: data.background && moved(data.background) },
  };
  await writeFile(join(copy, 'run.json'), JSON.stringify(here));
  return copy;
}
