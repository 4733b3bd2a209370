/** `untangle verify`: whether a run's folder still holds what was written there. */
import { findRunFolder, verifyRun } from '../runs/index.ts';
import { print, printJson, say, table } from './terminal.ts';

export async function verify(meant: string, { json }: { json?: boolean }): Promise<void> {
  const folder = await findRunFolder(meant);
  const { hasManifest, isWhole, files } = await verifyRun(folder);
  if (!isWhole) process.exitCode = 1;
  if (json) {
    printJson({ run: folder, hasManifest, isWhole, files });
    return;
  }
  const words = { whole: 'whole', changed: 'changed', missing: 'missing', unlisted: 'not listed' };
  print(table([['file', 'state'], ...files.map(({ name, state }) => [name, words[state]])]));
  for (const { sentence } of files) if (sentence !== undefined) say(sentence);
  if (!hasManifest)
    say('This run has no manifest, as it was made by an earlier version: only its checkpoints could be compared.');
  else if (isWhole) say('Everything is what was written.');
}
