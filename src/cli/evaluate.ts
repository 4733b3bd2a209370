/** `untangle evaluate`: measures a run on a part of its data, and keeps the numbers in the run. */
import { availableParallelism } from 'node:os';
import { type DataPart, evaluate as measured } from '../use/index.ts';
import { wholeNumber } from './numbers.ts';
import { requestOf, resultsText } from './score.ts';
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
  json?: boolean;
}

export async function evaluate(meant: string, flags: Flags): Promise<void> {
  const request = requestOf(flags);
  const seed = wholeNumber('--seed', flags.seed);
  const jobs = flags.jobs === undefined ? availableParallelism() : wholeNumber('--jobs', flags.jobs, 1, 256);
  const line = progress();
  const { run, step, part, items, scores } = await measured(meant, {
    ...request,
    part: flags.part,
    items: wholeNumber('--items', flags.items, 10),
    seed,
    jobs,
    others: flags.with ?? [],
    onNote: say,
    onProgress: line.at,
  });
  line.end();
  if (flags.json) {
    printJson({ run: run.name, folder: run.folder, step, part, items, seed, ...scores });
    return;
  }
  print(`${run.name} at step ${step}, ${items} items of the ${part} part\n`);
  print(resultsText(scores));
}
