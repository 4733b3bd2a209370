/** `untangle evaluate`: measures a run on a part of its data, and keeps the numbers in the run. */
import { availableParallelism } from 'node:os';
import { type DataPart, evaluate as measured } from '../use/index.ts';
import { wholeNumber } from './numbers.ts';
import { resultsText, scoreRequestOf } from './score.ts';
import { print, printJson, progress, say } from './terminal.ts';

interface Flags {
  metrics?: string;
  protocol?: string;
  set?: string[];
  part: DataPart;
  items: string;
  with?: string[];
  seed: string;
  jobs?: string;
  out?: string;
  json?: boolean;
}

export async function evaluate(meant: string, flags: Flags): Promise<void> {
  const request = scoreRequestOf(flags);
  const seed = wholeNumber('--seed', flags.seed);
  const jobs = flags.jobs === undefined ? availableParallelism() : wholeNumber('--jobs', flags.jobs, 1, 256);
  const line = progress();
  const { run, step, part, items, scores, unkept } = await measured(meant, {
    ...request,
    part: flags.part,
    items: wholeNumber('--items', flags.items, 10),
    seed,
    jobs,
    others: flags.with ?? [],
    ...(flags.out !== undefined && { out: flags.out }),
    onNote: say,
    onProgress: line.at,
  });
  line.end();
  if (flags.json) printJson({ run: run.name, folder: run.folder, step, part, items, seed, ...scores });
  else print(`${run.name} at step ${step}, ${items} items of the ${part} part\n\n${resultsText(scores)}`);
  if (unkept === undefined) return;
  // A file that was asked for is owed; a run that nobody may write into is measured all the same.
  say(`The numbers are not kept in a file. ${unkept.message}`);
  if (flags.out === undefined) say('--out FILE keeps them elsewhere.');
  else process.exitCode = 1;
}
