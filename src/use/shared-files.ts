/**
 * What of a run folder is passed on: all that describes the run and its model, without the checkpoint, what watches wrote, and
 * `status.json`, which names the machine and the process.
 */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder, refuseFull, replaceFolder, sha256, writeToDisk } from '../disk.ts';
import { UntangleError } from '../errors.ts';
import { claimRun, listAll, openRun, type Run, readModelFile } from '../runs/index.ts';

const shared =
  /^(README\.md|run\.json|log\.jsonl|evaluation\.json|model\/[\w-]+\.(json|onnx)|pictures\/[\w-]+\.(png|gif|svg))$/;

/** Whether a path inside of a run folder is one that is passed on, and nothing else. */
export const isShared = (path: string): boolean => shared.test(path);

/** The files of a run folder that are passed on, in order. */
export async function sharedFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .map((name) => name.replaceAll('\\', '/'))
    .filter(isShared)
    .sort();
}

/** Writes a run folder out of files that came from elsewhere: whole or not at all, and only if it can be opened as a run. */
export async function receiveRun(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<Run> {
  await refuseFull(folder);
  if (!files.has('run.json') || !files.has('model/decoder.onnx'))
    throw new UntangleError('What was found there is no run of untangle: run.json or model/decoder.onnx is missing.');
  await createFolder(dirname(folder));
  await replaceFolder(folder, async (fresh) => {
    for (const [path, bytes] of files) {
      await createFolder(dirname(join(fresh, path)));
      await writeToDisk(join(fresh, path), bytes);
    }
    await listAll(fresh);
  });
  const model = await readModelFile(folder);
  const claim = await claimRun(folder, model?.step);
  await claim.end('done', model?.step ?? 0);
  return await openRun(folder);
}

/** Bytes that were promised, or an error that names the file. */
export async function checked(path: string, bytes: Uint8Array, expected: string): Promise<Uint8Array> {
  if ((await sha256(bytes)) === expected) return bytes;
  throw new UntangleError(`“${path}” did not arrive as it was sent: its checksum is another.`, { hint: 'Try again.' });
}
