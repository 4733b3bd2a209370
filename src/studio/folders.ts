/** From a name in an address to a run's folder, and never to anything outside the folder of runs. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, safeJoin } from '../runs/index.ts';
import { Refusal } from './answers.ts';

/** Parts of a run folder; a folder with none of them is not a run. */
export const runParts = ['run.json', 'log.jsonl', 'status.json', 'checkpoint', 'model', 'evaluation.json'] as const;

/** The folder of the run of this name in `root`; refused if there is none, or if it is a link. */
export async function checkedRunFolder(root: string, name: string): Promise<string> {
  const missing = new Refusal(404, `There is no run “${name.slice(0, 100)}”.`);
  if (!isPlainName(name)) throw missing;
  const folder = await inside(root, name, missing);
  if (!(await isDirectory(folder))) throw missing;
  const found = await Promise.all(runParts.map((part) => isThere(join(folder, part))));
  if (!found.includes(true)) throw missing;
  return folder;
}

/** A file of a run, by a name from outside; refused if a link on the way leads out of the run. */
export async function runFile(folder: string, ...way: string[]): Promise<string> {
  const missing = new Refusal(404, `There is no “${way.join('/').slice(0, 100)}” in this run.`);
  if (!way.every(isPlainName)) throw missing;
  return await inside(folder, way.join('/'), missing);
}

/** One name, not a way of several; those that begin with a dot are work in progress. */
export const isPlainName = (name: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  name.length <= 255 && !/[/\\\u0000-\u001f\u007f]/.test(name) && name !== '' && !name.startsWith('.');

async function inside(folder: string, way: string, missing: Refusal): Promise<string> {
  try {
    return await safeJoin(folder, way);
  } catch {
    throw missing;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return await lstat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error) => !isMissing(error),
  );
}
