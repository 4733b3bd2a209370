/** What a page shows of one run: everything that its files say, with a sentence on each that is damaged. */
import { readdir } from 'node:fs/promises';
import { UntangleError } from '../errors.ts';
import {
  checkFiles,
  type Evaluation,
  isMissing,
  type ModelFile,
  readEvaluation,
  readModelAsIs,
} from '../runs/index.ts';
import { runFile } from './folders.ts';
import { type Names, readNames } from './names.ts';

export interface RunFiles {
  evaluation?: Evaluation;
  model?: ModelFile;
  pictures: string[];
  names: Names;
  /** Sentences on files that can't be read. */
  trouble: string[];
}

/** The files beside `run.json`; one that is damaged is told, and hides nothing else. */
export async function readRunFiles(folder: string): Promise<RunFiles> {
  const trouble: string[] = [];
  const told = async <T>(work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      trouble.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const isRead = ['run.json', 'evaluation.json', 'model/model.json'];
  for (const { name, state, sentence } of await checkFiles(folder))
    if ((state === 'changed' || state === 'missing') && !isRead.includes(name) && sentence) trouble.push(sentence);
  const [evaluation, model, pictures, names] = await Promise.all([
    told(readEvaluation(folder)),
    told(readModelAsIs(folder)),
    told(picturesOf(folder)),
    told(readNames(folder)),
  ]);
  return {
    evaluation,
    model,
    pictures: pictures ?? [],
    names: names ?? {},
    trouble,
  };
}

/** The run's pictures by name. */
async function picturesOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(await runFile(folder, 'pictures'), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && isPicture(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isMissing(error) || error instanceof UntangleError) return [];
    throw error;
  }
}

export const isPicture = (name: string): boolean => /\.(png|svg|gif)$/i.test(name);
