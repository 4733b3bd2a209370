/** `untangle sweep` and `untangle worker`: many runs, here or wherever their folder can be reached. */
import { basename, dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { writeAtomically } from '../disk.ts';
import { readable } from '../drawing/index.ts';
import { callOf } from '../shell.ts';
import type { Plan, Summary, Sweep, SweepObjective, SweepProgress } from '../sweep/index.ts';
import { wholeNumber } from './numbers.ts';
import { interruptible, print, printJson, progress, say, seconds, table } from './terminal.ts';

interface Flags {
  out?: string;
  jobs?: string;
  executor?: string;
  udr?: boolean;
  optuna?: string;
  watch?: boolean;
  idle?: string;
  dry?: boolean;
  retry?: boolean;
  json?: boolean;
}

export function defineSweep(program: Command): void {
  const sweep = program.command('sweep').description('many runs: settings and seeds, compared');
  sweep
    .command('run <file>', { isDefault: true })
    .description('start the sweep that a YAML file describes, or go on with it')
    .option('--out <folder>', 'where it lives (otherwise sweeps/ and the name of the file)')
    .option('--jobs <n>', 'runs at once, each with one worker (otherwise one for each core)')
    .option('--executor <address>', 'who carries out the trials: redis://HOST:PORT, or slurm (otherwise this machine)')
    .option('--watch', 'with slurm: stay until the sweep is done, and put workers in again that were lost')
    .option('--optuna <journal>', 'train what Optuna’s samplers ask for in this journal, and tell them what came out')
    .option('--retry', 'try again what has failed')
    .option('--dry', 'only say what it would do, how long that takes and how much disk')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      '\nCtrl-C leaves; the same command goes on.\n\nExamples:\n  untangle sweep beta.yaml --out sweeps/beta\n  untangle sweep beta.yaml --executor "slurm --partition=long --time=4:00:00" --jobs 40',
    )
    .action(runFile);
  sweep
    .command('report <place>')
    .description('what came out: the table, which setting matters, the best trial’s command, and a page')
    .option('--out <file>', 'the page to write (otherwise report.html in the sweep’s folder)')
    .option('--optuna <journal>', 'also all trials as a journal that Optuna and its dashboard open')
    .option('--udr', 'also how far the models of each setting’s seeds agree, for choosing without factors')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle sweep report sweeps/beta')
    .action(report);
  program
    .command('worker <place>')
    .description('help with a sweep, from any machine that reaches its folder or its queue, until it is done or Ctrl-C')
    .option('--jobs <n>', 'runs at once, each with one worker (otherwise one for each core)')
    .option('--idle <seconds>', 'leave after so long without work (otherwise when the sweep is done)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  untangle worker /shared/sweeps/beta\n  untangle worker redis://queue.example:6379',
    )
    .action(work);
}

async function runFile(file: string, flags: Flags): Promise<void> {
  const { forgetFailures, isSlurm, openSweep, readSweepFile, storeAt } = await import('../sweep/index.ts');
  const plan = await readSweepFile(file);
  const out = flags.out ?? join('sweeps', basename(file, extname(file)));
  if (flags.dry) {
    await foretell(plan, flags);
    return;
  }
  if (flags.optuna !== undefined) {
    await follow(file, flags.optuna, out, flags);
    return;
  }
  const sweep = await openSweep(storeAt(out), plan);
  if (flags.retry) await forgetFailures(sweep);
  if (flags.executor !== undefined && isSlurm(flags.executor) && !flags.watch) {
    await leaveToSlurm(sweep, flags.executor, flags);
    return;
  }
  await carryOn(sweep, flags, callOf('sweep', file, ...(flags.out ? ['--out', out] : [])));
}

async function work(place: string, flags: Flags): Promise<void> {
  const { isQueue, openSweepAt, releaseHeld, workFromQueue } = await import('../sweep/index.ts');
  if (isQueue(place)) {
    const { signal, release } = interruptible('Stopping with checkpoints.');
    const line = progress();
    const onProgress = (done: number, running: number) => line.at(0, `${done} done, ${running} running`);
    say('Waiting for work; Ctrl-C leaves.');
    await workFromQueue(place, { jobs: jobsOf(flags), signal, onNote: say, onProgress });
    line.end();
    release();
    return;
  }
  const sweep = await openSweepAt(place);
  // A task of Slurm looks after those of its kind that Slurm has put back and holds; whoever submitted them has left.
  const tending =
    process.env.SLURM_JOB_ID === undefined
      ? undefined
      : setInterval(() => void releaseHeld(sweep).catch((error) => say(error.message)), 60_000);
  try {
    await carryOn(sweep, flags, callOf('worker', place));
  } finally {
    clearInterval(tending);
  }
}

/** Trains what Optuna asks for, until as many trials are over as the file's search names, or until Ctrl-C. */
async function follow(file: string, journal: string, out: string, flags: Flags): Promise<void> {
  const { followOptuna, parseSweepFile, storeAt, summarise, sweepNameOf } = await import('../sweep/index.ts');
  const { signal, release } = interruptible('Stopping with checkpoints.');
  const sweepFile = await parseSweepFile(file);
  const { search } = sweepFile;
  say(`Waiting for what is asked for in ${journal}; Ctrl-C leaves.`);
  try {
    const sweep = await followOptuna(journal, sweepFile, sweepNameOf(file), storeAt(out), {
      trials: search.kind === 'grid' ? undefined : search.trials,
      jobs: jobsOf(flags),
      executor: flags.executor,
      signal,
      onNote: say,
    });
    const summary = summarise(sweep);
    if (flags.json) printJson({ ...summary, folder: sweep.address });
    else print(countsText(summary, false));
  } finally {
    release();
  }
}

/** Puts workers into Slurm's queue, and says how it stands. */
async function leaveToSlurm(sweep: Sweep, executor: string, flags: Flags): Promise<void> {
  const { submitToSlurm, summarise } = await import('../sweep/index.ts');
  const { arrays, submitted, present, released } = await submitToSlurm(executor, sweep, jobsOf(flags));
  const summary = summarise(sweep);
  if (flags.json) {
    printJson({ arrays, submitted, present, released, ...countsOf(summary), folder: sweep.address });
    return;
  }
  if (submitted > 0) print(`${submitted} workers were put into Slurm’s queue (${arrays.join(', ')}).`);
  if (present > 0) print(`${present} workers were there.`);
  if (released > 0) print(`${released} of them were held after a failure of their node, and may go on.`);
  print(countsText(summary, false));
  if (submitted + present > 0) print('Call the same again to see how it stands, and to put in again what was lost.');
  else print(`“${callOf('sweep', 'report', sweep.address)}” shows what came out.`);
}

async function report(place: string, flags: Flags): Promise<void> {
  const lib = await import('../sweep/index.ts');
  const { agreementSentence, bestText, importances, summarise, tableOf } = lib;
  const sweep = await lib.openSweepAt(place);
  await sweep.index.refresh();
  const summary = summarise(sweep);
  const out = flags.out ?? join(place, 'report.html');
  const line = progress();
  const agreeing = flags.udr ? await lib.agreements(sweep, summary, (share, what) => line.at(share, what)) : [];
  line.end();
  await writeAtomically(out, lib.sweepPage(summary, agreeing));
  const trials = join(dirname(out), 'trials.parquet');
  await writeAtomically(trials, lib.trialsParquet(sweep));
  if (flags.optuna !== undefined) await writeAtomically(flags.optuna, lib.journalOf(sweep));
  if (flags.json) {
    const udr = flags.udr ? { agreements: agreeing } : {};
    printJson({ ...summary, importances: importances(summary), ...udr, page: out, table: trials });
    return;
  }
  const [head, rows] = tableOf(summary.rows, summary.objectives);
  print(table([head, ...rows]));
  if (summary.command !== undefined) print(`\n${bestText(summary)}\n  ${summary.command}`);
  for (const { objective, explained, settings } of importances(summary).filter((one) => one.explained >= 0.2))
    print(
      `For ${objective} matter ${settings.map(({ name, importance }) => `${name} (${Math.max(0, importance).toFixed(2)})`).join(', ')}; ${Math.round(100 * explained)} % explained.`,
    );
  if (agreeing.length > 0) print(agreementSentence(summary, agreeing));
  print(`${countsText(summary, false)} The page is ${out}, the table of all trials ${trials}.`);
}

async function foretell(plan: Plan, flags: Flags): Promise<void> {
  const { estimate } = await import('../sweep/index.ts');
  const facts = await estimate(plan, jobsOf(flags));
  if (flags.json) {
    printJson(facts);
    return;
  }
  const pruned = plan.rungs.steps.length > 1 ? ', with what is pruned' : '';
  print(
    `${facts.trials} trials (${plan.configurations.length} settings, ${facts.seeds} seeds), ${facts.steps} steps in all${pruned}.`,
  );
  print(
    `About ${seconds(1000 * facts.seconds)} with ${facts.jobs} at once (${facts.rate.toFixed(1)} steps a second each, measured now), and ${(facts.bytes / 2 ** 20).toFixed(0)} MB of disk.`,
  );
}

async function carryOn(sweep: Sweep, flags: Flags, command: string): Promise<void> {
  const { runHere, summarise } = await import('../sweep/index.ts');
  const { signal, release } = interruptible('Stopping with checkpoints.');
  const line = progress();
  try {
    const isDone = await runHere(sweep, {
      jobs: jobsOf(flags),
      signal,
      executor: flags.executor,
      patience: flags.idle === undefined ? undefined : 1000 * wholeNumber('--idle', flags.idle, 1, 1e6),
      onNote: say,
      onProgress: (at) => line.at(at.share, described(at, sweep.plan.objectives)),
    });
    line.end();
    const summary = summarise(sweep);
    if (flags.json) {
      printJson({ ...summary, complete: isDone, folder: sweep.address });
      return;
    }
    print(countsText(summary, isDone));
    if (isDone) print(`“${callOf('sweep', 'report', sweep.address)}” shows what came out.`);
    else say(`Go on with: ${command}`);
  } finally {
    release();
  }
}

const countsOf = ({ trials, done, failed }: Summary) => ({ trials, done, failed });

/** How far a sweep is; at its end those that are not done were pruned. */
function countsText({ trials, done, failed }: Summary, isOver: boolean): string {
  const pruned = isOver ? trials - done - failed : 0;
  return [
    `${done} of ${trials} trials were trained to the end`,
    ...(pruned > 0 ? [`${pruned} were not worth it`] : []),
    ...(failed > 0 ? [`${failed} failed (--retry tries them again)`] : []),
  ]
    .join(', ')
    .concat('.');
}

function described(
  { done, running, failed, waiting, promoted, trials, rate, best }: SweepProgress,
  objectives: readonly SweepObjective[],
): string {
  const values = best?.values.map((value, k) => `${objectives[k].name} ${readable(value)}`);
  return [
    `${done} of ${trials} done`,
    `${running} running`,
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(promoted > 0 ? [`${promoted} promoted`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(values ? [`best so far ${values.join(' with ')}`] : []),
    `${rate.toFixed(0)} steps a second`,
  ].join(', ');
}

const jobsOf = ({ jobs }: Flags) => (jobs === undefined ? undefined : wholeNumber('--jobs', jobs, 1, 256));
