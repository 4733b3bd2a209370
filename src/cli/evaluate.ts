/** `untangle evaluate`: measures a run on a part of its data, and keeps the numbers in the run. */
import { availableParallelism } from 'node:os';
import { evaluate as measured } from '../use/index.ts';
import { evaluateSeveral } from './evaluate-several.ts';
import type { EvaluateFlags } from './measuring-verbs.ts';
import { resultsText, scoreRequestOf } from './score.ts';
import { print, printJson, progress, say } from './terminal.ts';

export async function evaluate([meant, ...more]: string[], flags: EvaluateFlags): Promise<void> {
  const request = scoreRequestOf(flags);
  const { seed, jobs = availableParallelism() } = flags;
  const options = {
    ...request,
    part: flags.part,
    items: flags.items,
    seed,
    jobs,
    others: flags.with ?? [],
    out: flags.out,
  };
  if (more.length > 0) {
    await evaluateSeveral([meant, ...more], options, flags.json);
    return;
  }
  const line = progress();
  const { run, step, part, items, scores, unkept } = await measured(meant, {
    ...options,
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
