/** `untangle sweep` and `untangle worker`: many runs, here or wherever their folder can be reached. */
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { writeAtomically } from '../disk.ts';
import { readable } from '../drawing/index.ts';
import { callOf } from '../shell.ts';
import type { SweepObjective, SweepProgress } from '../sweep/index.ts';
import { wholeNumber } from './numbers.ts';
import { interruptible, print, printJson, progress, say, seconds, table } from './terminal.ts';

interface Flags {
  out?: string;
  jobs?: string;
  executor?: string;
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
    .option('--executor <address>', 'who carries out the trials: redis://HOST:PORT (otherwise this machine)')
    .option('--retry', 'try again what has failed')
    .option('--dry', 'only say what it would do, how long that takes and how much disk')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      '\nCtrl-C leaves; the same command goes on.\n\nExample:\n  untangle sweep beta.yaml --out sweeps/beta',
    )
    .action(runFile);
  sweep
    .command('report <place>')
    .description('what came out: the table, which setting matters, the best trial’s command, and a page')
    .option('--out <file>', 'the page to write (otherwise report.html in the sweep’s folder)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText('after', '\nExample:\n  untangle sweep report sweeps/beta')
    .action(report);
  program
    .command('worker <place>')
    .description('help with a sweep, from any machine that reaches its folder or its queue, until it is done or Ctrl-C')
    .option('--jobs <n>', 'runs at once, each with one worker (otherwise one for each core)')
    .option('--json', 'one machine-readable object on stdout')
    .addHelpText(
      'after',
      '\nExamples:\n  untangle worker /shared/sweeps/beta\n  untangle worker redis://queue.example:6379',
    )
    .action(work);
}

async function runFile(file: string, flags: Flags): Promise<void> {
  const { forgetFailures, openSweep, readSweepFile, storeAt } = await import('../sweep/index.ts');
  const plan = await readSweepFile(file);
  const out = flags.out ?? join('sweeps', basename(file, extname(file)));
  if (flags.dry) {
    await foretell(plan, flags);
    return;
  }
  const sweep = await openSweep(storeAt(out), plan);
  if (flags.retry) await forgetFailures(sweep);
  await carryOn(sweep, flags, callOf('sweep', file, ...(flags.out ? ['--out', out] : [])));
}

async function work(place: string, flags: Flags): Promise<void> {
  const { openSweepAt, workFromQueue } = await import('../sweep/index.ts');
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
  await carryOn(await openSweepAt(place), flags, callOf('worker', place));
}

async function report(place: string, flags: Flags): Promise<void> {
  const { bestText, importances, openSweepAt, summarise, sweepPage, tableOf } = await import('../sweep/index.ts');
  const sweep = await openSweepAt(place);
  await sweep.index.refresh();
  const summary = summarise(sweep);
  const out = flags.out ?? join(place, 'report.html');
  await writeAtomically(out, sweepPage(summary));
  if (flags.json) {
    printJson({ ...summary, importances: importances(summary), page: out });
    return;
  }
  const [head, rows] = tableOf(summary.rows, summary.objectives);
  print(table([head, ...rows]));
  if (summary.command !== undefined) print(`\n${bestText(summary)}\n  ${summary.command}`);
  print(`The page is ${out}.`);
}

async function foretell(plan: import('../sweep/index.ts').Plan, flags: Flags): Promise<void> {
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

async function carryOn(sweep: import('../sweep/index.ts').Sweep, flags: Flags, command: string): Promise<void> {
  const { runHere, summarise } = await import('../sweep/index.ts');
  const { signal, release } = interruptible('Stopping with checkpoints.');
  const line = progress();
  const total = sweep.plan.configurations.reduce((sum, { trials }) => sum + trials.length, 0);
  try {
    const isDone = await runHere(sweep, {
      jobs: jobsOf(flags),
      signal,
      executor: flags.executor,
      onNote: say,
      onProgress: (at) => line.at(at.share, described(at, sweep.plan.objectives)),
    });
    line.end();
    const summary = summarise(sweep);
    if (flags.json) {
      printJson({ ...summary, complete: isDone, folder: sweep.address });
      return;
    }
    const stopped = isDone ? total - summary.done - summary.failed : 0;
    print(
      [
        `${summary.done} of ${total} trials were trained to the end`,
        ...(stopped > 0 ? [`${stopped} were not worth it`] : []),
        ...(summary.failed > 0 ? [`${summary.failed} failed (--retry tries them again)`] : []),
      ]
        .join(', ')
        .concat('.'),
    );
    if (isDone) print(`“${callOf('sweep', 'report', sweep.address)}” shows what came out.`);
    else say(`Go on with: ${command}`);
  } finally {
    release();
  }
}

const isQueue = (place: string) => /^rediss?:\/\//.test(place);

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
