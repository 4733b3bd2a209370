/** `untangle evaluate`: measures a run on a part of its data, and keeps the numbers in the run. */
import { availableParallelism } from 'node:os';
import { findRun } from '../runs/index.ts';
import { type DataPart, evaluateRun, scoreInThreads } from '../use/index.ts';
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
  const run = await findRun(meant);
  const others = await Promise.all((flags.with ?? []).map(async (other) => (await findRun(other)).folder));
  const line = progress();
  const { step, part, items, scores } = await evaluateRun(run, {
    ...request,
    part: flags.part,
    items: wholeNumber('--items', flags.items, 10),
    seed,
    others,
    onNote: say,
    onProgress: line.at,
    scorer: (inputs, asked, context) => scoreInThreads(inputs, asked, { ...context, jobs }),
  });
  line.end();
  if (flags.json) {
    printJson({ run: run.name, folder: run.folder, step, part, items, seed, ...scores });
    return;
  }
  print(`${run.name} at step ${step}, ${items} items of the ${part} part\n`);
  print(resultsText(scores));
}
