/** `untangle sweep` and `untangle worker`: many runs, here or wherever their folder can be reached. */

import { basename, dirname, extname, join } from 'node:path';
import { stringify } from 'yaml';
import { createFolder, writeAtomically } from '../disk.ts';
import { readable } from '../drawing/index.ts';
import { duration } from '../duration.ts';
import { UntangleError } from '../errors.ts';
import { callOf } from '../shell.ts';
import {
  agreementSentence,
  agreements,
  bestText,
  estimate,
  followOptuna,
  forgetFailures,
  importances,
  isQueue,
  isS3,
  isSlurm,
  jobManifest,
  journalOf,
  openSweep,
  openSweepAt,
  type Plan,
  parseSweepFile,
  readSweepFile,
  releaseHeld,
  runHere,
  type Summary,
  type Sweep,
  type SweepObjective,
  type SweepProgress,
  storeAt,
  submitToSlurm,
  summarise,
  sweepNameOf,
  sweepPage,
  tableOf,
  trialsParquet,
  workFromQueue,
} from '../sweep/index.ts';
import { interruptible, print, printJson, progress, say, table } from './terminal.ts';
import type { KubernetesFlags, ReportFlags, SweepFlags, WorkerFlags } from './training-verbs.ts';

export async function sweep(file: string, flags: SweepFlags): Promise<void> {
  const plan = await readSweepFile(file);
  const out = flags.out ?? join('sweeps', basename(file, extname(file)));
  if (flags.dry) {
    await foretell(plan, flags);
    return;
  }
  if (flags.optuna !== undefined) {
    await followJournal(file, flags.optuna, out, flags);
    return;
  }
  const opened = await openSweep(storeAt(out), plan);
  if (flags.retry) await forgetFailures(opened);
  if (flags.executor !== undefined && isSlurm(flags.executor) && !flags.watch) {
    await leaveToSlurm(opened, flags.executor, flags);
    return;
  }
  await carryOn(opened, flags, callOf('sweep', file, ...(flags.out ? ['--out', out] : [])));
}

export async function worker(place: string, flags: WorkerFlags): Promise<void> {
  if (isQueue(place)) {
    const { signal, release } = interruptible('Stopping with checkpoints.');
    const line = progress();
    const onProgress = (done: number, running: number) => line.at(0, `${done} done, ${running} running`);
    say('Waiting for work; Ctrl-C leaves.');
    await workFromQueue(place, { jobs: flags.jobs, signal, onNote: say, onProgress });
    line.end();
    release();
    return;
  }
  const opened = await openSweepAt(place);
  // A task of Slurm looks after those of its kind that Slurm has put back and holds; whoever submitted them has left.
  const tending =
    process.env.SLURM_JOB_ID === undefined
      ? undefined
      : setInterval(() => void releaseHeld(opened).catch((error) => say(error.message)), 60_000);
  try {
    await carryOn(opened, flags, callOf('worker', place));
  } finally {
    clearInterval(tending);
  }
}

export function sweepOnKubernetes(place: string, flags: KubernetesFlags): void {
  const { image } = flags;
  if (image === undefined)
    throw new UntangleError('A Job needs the image of a container.', {
      kind: 'call',
      hint: 'Give the one in which untangle is installed, as in --image registry/untangle:0.1.0.',
    });
  print(stringify(jobManifest({ ...flags, place, image }), { aliasDuplicateObjects: false }).trimEnd());
}

/** Trains what Optuna asks for, until as many trials are over as the file's search names, or until Ctrl-C. */
async function followJournal(file: string, journal: string, out: string, flags: SweepFlags): Promise<void> {
  const { signal, release } = interruptible('Stopping with checkpoints.');
  const sweepFile = await parseSweepFile(file);
  const { search } = sweepFile;
  say(`Waiting for what is asked for in ${journal}; Ctrl-C leaves.`);
  try {
    const opened = await followOptuna(journal, sweepFile, sweepNameOf(file), storeAt(out), {
      trials: search.kind === 'grid' ? undefined : search.trials,
      jobs: flags.jobs,
      executor: flags.executor,
      signal,
      onNote: say,
    });
    const summary = summarise(opened);
    if (flags.json) printJson({ ...summary, folder: opened.address });
    else print(countsText(summary, false));
  } finally {
    release();
  }
}

/** Puts workers into Slurm's queue, and says how it stands. */
async function leaveToSlurm(sweep: Sweep, executor: string, flags: SweepFlags & WorkerFlags): Promise<void> {
  const { arrays, submitted, present, released } = await submitToSlurm(executor, sweep, flags.jobs);
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

export async function reportSweep(place: string, flags: ReportFlags): Promise<void> {
  const opened = await openSweepAt(place);
  await opened.index.refresh();
  const summary = summarise(opened);
  // What lies in an object store is reported here.
  const out = flags.out ?? join(isS3(place) ? join('sweeps', opened.plan.name) : place, 'report.html');
  await createFolder(dirname(out));
  const line = progress();
  const agreeing = flags.udr ? await agreements(opened, summary, line.at) : [];
  line.end();
  await writeAtomically(out, sweepPage(summary, agreeing));
  const trials = join(dirname(out), 'trials.parquet');
  await writeAtomically(trials, trialsParquet(opened));
  if (flags.optuna !== undefined) await writeAtomically(flags.optuna, journalOf(opened));
  if (flags.json) {
    const udr = flags.udr ? agreeing : undefined;
    printJson({ ...summary, importances: importances(summary), agreements: udr, page: out, table: trials });
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

async function foretell(plan: Plan, flags: SweepFlags & WorkerFlags): Promise<void> {
  const facts = await estimate(plan, flags.jobs);
  if (flags.json) {
    printJson(facts);
    return;
  }
  const pruned = plan.rungs.steps.length > 1 ? ', with what is pruned' : '';
  print(
    `${facts.trials} trials (${plan.configurations.length} settings, ${facts.seeds} seeds), ${facts.steps} steps in all${pruned}.`,
  );
  print(
    `About ${duration(facts.seconds)} with ${facts.jobs} at once (${facts.rate.toFixed(1)} steps a second each, measured now), and ${(facts.bytes / 2 ** 20).toFixed(0)} MB of disk.`,
  );
}

async function carryOn(sweep: Sweep, flags: SweepFlags & WorkerFlags, command: string): Promise<void> {
  const { signal, release } = interruptible('Stopping with checkpoints.');
  const line = progress();
  try {
    const isDone = await runHere(sweep, {
      jobs: flags.jobs,
      signal,
      executor: flags.executor,
      patience: flags.idle === undefined ? undefined : 1000 * flags.idle,
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
    // Whoever started it sees that it was stopped, and may start it again.
    if (signal.aborted && flags.idle !== undefined) process.exitCode = 143;
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
