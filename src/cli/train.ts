/** `untangle train`: settles a run, trains it in a process of its own, shows how it goes, and says what to do next. */
import { basename, dirname } from 'node:path';
import { UntangleError } from '../errors.ts';
import { parseFlags, parseOptions, requestOptions } from '../options/index.ts';
import { findRun, lengthenRun, openRun, type Run, readConfigFile, readRunFile } from '../runs/index.ts';
import { callOf } from '../shell.ts';
import { foundPresets } from '../studies/index.ts';
import {
  type Outcome,
  type Progress,
  prepareRun,
  repeatRun,
  requestOf,
  type TrainRequest,
  trainInChild,
} from '../training/index.ts';
import { wholeNumber } from './numbers.ts';
import { print, printJson, say, seconds } from './terminal.ts';

/** The flags that say more than what is trained on what. */
export interface TrainFlags {
  config?: string;
  from?: string;
  set?: string[];
  steps?: string;
  epochs?: string;
  out?: string;
  resume?: boolean | string;
  tensorboard?: boolean;
  mlflow?: string;
  json?: boolean;
}

export async function train(method: string | undefined, flags: TrainFlags): Promise<void> {
  const run = flags.resume ? await runToResume(method, flags) : await newRun(method, flags);
  say(
    `${flags.resume ? 'Going on with' : 'Training'} ${run.file.method} on ${run.file.data.target.source} in ${run.folder}: ` +
      `${run.file.training.steps} steps, ${run.file.training.workers} worker(s), seed ${run.file.training.seed}. Ctrl-C stops and keeps it.`,
  );
  const outcome = await follow(run, flags);
  const { folder } = run;
  if (flags.json) printJson({ run: run.name, folder, ...outcome });
  else {
    const what = outcome.state === 'done' ? 'Done' : 'Stopped';
    const hasTrained = Object.keys(outcome.terms).length > 0;
    print(
      hasTrained ? `${what} at step ${outcome.step}: ${termsText(outcome.terms)}` : 'There was nothing left to train.',
    );
    if (outcome.message) print(outcome.message);
    print(`The run is in ${folder}.`);
  }
  if (outcome.state === 'stopped') say(`Go on with:  ${callOf('train', '--resume', folder)}`);
  else say(`Look:  ${callOf('picture', folder, 'traversal')}\nMeasure:  ${callOf('evaluate', folder)}`);
}

interface FollowOptions extends Pick<TrainFlags, 'tensorboard' | 'mlflow'> {
  /** Stops this long after the first step. */
  milliseconds?: number;
}

/** Trains with a progress line; the first Ctrl-C stops with a checkpoint, the second ends at once. */
export async function follow(run: Run, flags: FollowOptions = {}): Promise<Outcome> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let end = Number.POSITIVE_INFINITY;
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130);
    say('\nStopping after this step, with a checkpoint. Ctrl-C again ends at once.');
    stop.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const line = progressLine();
  try {
    return await trainInChild(run, {
      signal: stop.signal,
      onProgress: (progress) => {
        if (flags.milliseconds !== undefined && timer === undefined) {
          end = performance.now() + flags.milliseconds;
          timer = setTimeout(() => stop.abort(), flags.milliseconds);
        }
        line.at({ ...progress, left: Math.min(progress.left, Math.max(0, (end - performance.now()) / 1000)) });
      },
      onNote: (sentence) => {
        line.end();
        say(sentence);
      },
      ...(flags.tensorboard && { tensorboard: true }),
      ...(flags.mlflow !== undefined && { mlflow: flags.mlflow }),
    });
  } finally {
    clearTimeout(timer);
    line.end();
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

async function runToResume(method: string | undefined, flags: TrainFlags): Promise<Run> {
  const { resume, out, steps } = flags;
  const changing = changingWord(method, flags, ['resume', 'steps']);
  if (changing !== undefined)
    throw new UntangleError(`--resume goes on with a run as it was made; ${changing} would change it.`, {
      kind: 'call',
      hint: 'Only --steps may be given, to make it longer.',
    });
  const run = await resumed(resume, out);
  return steps === undefined ? run : await lengthenRun(run, wholeNumber('--steps', steps, 1));
}

async function resumed(resume: TrainFlags['resume'], out: string | undefined): Promise<Run> {
  if (typeof resume === 'string') return await findRun(resume);
  if (out !== undefined) return await openRun(out);
  throw new UntangleError('--resume needs to know which run: its folder or its name.', {
    kind: 'call',
    hint: 'As in: untangle train --resume runs/beta-vae-dsprites-1',
  });
}

/** The first word of a call that would change a run that is there; what is only said of where and how to tell does not. */
function changingWord(method: string | undefined, flags: TrainFlags, own: readonly string[]): string | undefined {
  const allowed = [...own, 'out', 'json', 'tensorboard', 'mlflow'];
  const mixed = Object.keys(flags).find((name) => !allowed.includes(name));
  return method ?? (mixed === undefined ? undefined : `--${mixed}`);
}

async function newRun(method: string | undefined, flags: TrainFlags): Promise<Run> {
  const place = flags.out === undefined ? {} : { root: dirname(flags.out), name: basename(flags.out) };
  if (flags.from !== undefined) {
    const changing = changingWord(method, flags, ['from']);
    if (changing !== undefined)
      throw new UntangleError(`--from repeats a run as it was; ${changing} would change it.`, { kind: 'call' });
    return await repeatRun(await readRunFile(flags.from), place.root, place.name);
  }
  const { run, notes } = await prepareRun({ ...(await requestFrom(method, flags)), ...place });
  for (const note of notes) say(note);
  return run;
}

/** The call's flags over the config file's settings. */
async function requestFrom(given: string | undefined, flags: TrainFlags): Promise<TrainRequest> {
  const { config } = flags;
  const file = config === undefined ? undefined : await readConfigFile(config);
  const said = {
    ...parseOptions(requestOptions, file?.settings, `setting of “${config}”`),
    ...parseFlags(requestOptions, { ...flags, method: given }),
  };
  const { method, data } = said;
  if (method === undefined || data === undefined)
    throw new UntangleError(
      method === undefined ? 'Which method is to be trained?' : 'Which data is to be learned from?',
      {
        kind: 'call',
        hint: 'As in: untangle train beta-vae --data dsprites-small. “untangle methods” and “untangle data list” show what there is.',
      },
    );
  const set = [
    ...(flags.set ?? []),
    ...(flags.steps === undefined ? [] : [`steps=${wholeNumber('--steps', flags.steps, 1)}`]),
    ...(flags.epochs === undefined ? [] : [`epochs=${flags.epochs}`]),
  ];
  return {
    ...requestOf({ ...said, method, data }),
    presets: foundPresets[method],
    ...(file && { file: { path: file.path, values: file.options } }),
    set,
    command: callOf(...process.argv.slice(2)),
  };
}

/** The state of a training on one line of a terminal, or as JSON lines elsewhere. */
function progressLine() {
  let last = 0;
  let shown = false;
  return {
    at(progress: Progress) {
      const now = performance.now();
      const isTerminal = process.stderr.isTTY === true;
      const isLast = progress.step === progress.steps;
      if (!isLast && now - last < (isTerminal ? 100 : 2000)) return;
      last = now;
      if (!isTerminal) {
        process.stderr.write(`${JSON.stringify(rounded(progress))}\n`);
        return;
      }
      const { step, steps, epoch, rate, left, terms } = progress;
      const text = `${step}/${steps}  epoch ${epoch.toFixed(1)}  ${rate.toFixed(1)}/s  ${seconds(left * 1000)} left  ${termsText(terms)}`;
      process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns ?? 120) - 1)}`);
      shown = true;
    },
    end() {
      if (shown) process.stderr.write('\r\x1b[K');
      shown = false;
    },
  };
}

function rounded({ terms, ...rest }: Progress) {
  const short = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null);
  const round = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, short(value)]));
  return { ...round(rest), terms: round(terms) };
}

export function termsText(terms: Record<string, number>): string {
  return Object.entries(terms)
    .map(([name, value]) => `${name} ${Math.abs(value) >= 100 ? value.toFixed(1) : value.toPrecision(4)}`)
    .join(', ');
}
