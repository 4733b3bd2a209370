/** `untangle train`: settles a run, trains it in a process of its own, shows how it goes, and says what to do next. */

import { basename, dirname } from 'node:path';
import { defined } from '../defined.ts';
import { duration } from '../duration.ts';
import { UntangleError } from '../errors.ts';
import { parseFlags, parseOptions, trainOptions } from '../options/index.ts';
import { needPlugins, pluginFlags } from '../plugins/index.ts';
import { checkLonger, findRun, openRun, type Run, readConfigFile, readRunFile } from '../runs/index.ts';
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
import { lookBack } from '../use/index.ts';
import { seedNumbers } from './reproduce.ts';
import { interruptible, print, printJson, say } from './terminal.ts';
import { trainOverSeeds } from './train-seeds.ts';
import type { TrainFlags } from './training-verbs.ts';

export async function train(method: string | undefined, flags: TrainFlags): Promise<void> {
  const asked = flags.resume || flags.from ? undefined : await requestFrom(method, flags);
  if (asked?.seeds !== undefined) {
    await trainOverSeeds(asked.request, seedNumbers(asked.seeds), flags);
    return;
  }
  const { run, ...watchers } = await runFor(method, flags, asked);
  say(
    `${flags.resume ? 'Going on with' : 'Training'} ${run.file.method} on ${run.file.data.target.source} in ${run.folder}: ` +
      `${watchers.steps ?? run.file.training.steps} steps, ${run.file.training.workers} worker(s), seed ${run.file.training.seed}. Ctrl-C stops and keeps it.`,
  );
  const outcome = await follow(run, watchers);
  const { folder } = run;
  // A word on the training is no part of it: whatever keeps it from being said, the run is there.
  const findings = outcome.state === 'done' ? await lookBack(run).catch(() => []) : [];
  if (flags.json) printJson({ run: run.name, folder, ...outcome, findings });
  else {
    const what = outcome.state === 'done' ? 'Done' : 'Stopped';
    const hasTrained = Object.keys(outcome.terms).length > 0;
    print(
      hasTrained ? `${what} at step ${outcome.step}: ${termsText(outcome.terms)}` : 'There was nothing left to train.',
    );
    if (outcome.message) print(outcome.message);
    for (const { sentence, help } of findings) print(`${sentence} (${help})`);
    print(`The run is in ${folder}.`);
  }
  const next = (...words: string[]) => callOf(...words, ...pluginFlags(run.file));
  if (outcome.state === 'stopped') say(`Go on with:  ${next('train', '--resume', folder)}`);
  else
    say(
      [
        `Look:  ${next('picture', folder, 'traversal')}`,
        `Measure:  ${next('evaluate', folder)}`,
        ...(run.file.data.background === undefined ? [] : [`Tell the two apart:  ${next('contrast', folder)}`]),
      ].join('\n'),
    );
}

/** Who is told how a training goes, beside the run's log. */
interface Watchers {
  tensorboard?: boolean | undefined;
  mlflow?: string | undefined;
}

interface FollowOptions extends Watchers {
  /** Makes the run longer. */
  steps?: number | undefined;
  /** Stops this long after the first step. */
  milliseconds?: number;
}

/** Trains with a progress line; the first Ctrl-C stops with a checkpoint, the second ends at once. */
export async function follow(run: Run, flags: FollowOptions = {}): Promise<Outcome> {
  const { signal, stop, release } = interruptible('Stopping after this step, with a checkpoint.');
  let timer: NodeJS.Timeout | undefined;
  let end = Number.POSITIVE_INFINITY;
  const line = progressLine();
  try {
    return await trainInChild(run, {
      signal,
      onProgress: (progress) => {
        if (flags.milliseconds !== undefined && timer === undefined) {
          end = performance.now() + flags.milliseconds;
          timer = setTimeout(stop, flags.milliseconds);
        }
        line.at({ ...progress, left: Math.min(progress.left, Math.max(0, (end - performance.now()) / 1000)) });
      },
      onNote: (sentence) => {
        line.end();
        say(sentence);
      },
      ...defined({ steps: flags.steps, tensorboard: flags.tensorboard, mlflow: flags.mlflow }),
    });
  } finally {
    clearTimeout(timer);
    line.end();
    release();
  }
}

async function runToResume(
  method: string | undefined,
  flags: TrainFlags,
): Promise<Watchers & { run: Run; steps?: number }> {
  const { resume, out, steps, tensorboard, mlflow } = flags;
  const changing = changingWord(method, flags, ['resume', 'steps']);
  if (changing !== undefined)
    throw new UntangleError(`--resume goes on with a run as it was made; ${changing} would change it.`, {
      kind: 'call',
      hint: 'Only --steps may be given, to make it longer.',
    });
  const found = await resumed(resume, out);
  needPlugins(found.file);
  if (steps === undefined) return { run: found, tensorboard, mlflow };
  checkLonger(found, steps);
  return { run: found, steps, tensorboard, mlflow };
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

/** The run that is trained: one that is there, one that repeats another, or a new one of what was asked for. */
async function runFor(
  method: string | undefined,
  flags: TrainFlags,
  asked: Awaited<ReturnType<typeof requestFrom>> | undefined,
): Promise<Watchers & { run: Run; steps?: number }> {
  const { from, out, tensorboard, mlflow } = flags;
  if (asked !== undefined) {
    const { run, notes } = await prepareRun(asked.request);
    for (const note of notes) say(note);
    return { run, tensorboard: asked.tensorboard, mlflow: asked.mlflow };
  }
  if (flags.resume || from === undefined) return await runToResume(method, flags);
  const changing = changingWord(method, flags, ['from']);
  if (changing !== undefined)
    throw new UntangleError(`--from repeats a run as it was; ${changing} would change it.`, { kind: 'call' });
  const { root, name } = placeOf(out);
  return { run: await repeatRun(await readRunFile(from), root, name), tensorboard, mlflow };
}

function placeOf(out: string | undefined): { root?: string; name?: string } {
  return out === undefined ? {} : { root: dirname(out), name: basename(out) };
}

/** The call's flags over the config file's settings. */
async function requestFrom(
  given: string | undefined,
  flags: TrainFlags,
): Promise<Watchers & { request: TrainRequest; seeds: string | undefined }> {
  const { config, seeds } = flags;
  const file = config === undefined ? undefined : await readConfigFile(config);
  const {
    steps: stepsInFile,
    epochs: epochsInFile,
    ...written
  } = parseOptions(trainOptions, file?.settings, `setting of “${config}”`);
  const { steps, epochs, ...typed } = parseFlags(trainOptions, { ...flags, method: given });
  const { method, data, out, tensorboard, mlflow, ...said } = { ...written, ...typed };
  if (method === undefined || data === undefined)
    throw new UntangleError(
      method === undefined ? 'Which method is to be trained?' : 'Which data is to be learned from?',
      {
        kind: 'call',
        hint: 'As in: untangle train beta-vae --data dsprites-small. “untangle methods” and “untangle data list” show what there is.',
      },
    );
  if (seeds !== undefined && (said.seed !== undefined || tensorboard || mlflow))
    throw new UntangleError('--seeds makes several runs; --seed, --tensorboard and --mlflow are of one.', {
      kind: 'call',
    });
  const length = Object.entries(defined({ steps, epochs })).map(([name, value]) => `${name}=${value}`);
  const lengthInFile = defined({ steps: stepsInFile, epochs: epochsInFile });
  const request = {
    ...requestOf({ ...said, method, data }),
    ...placeOf(out),
    presets: foundPresets[method],
    file: file && { path: file.path, values: { ...file.options, ...lengthInFile } },
    set: [...(flags.set ?? []), ...length],
    command: callOf(...process.argv.slice(2)),
  };
  return { request, tensorboard, mlflow, seeds };
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
      const text = `${step}/${steps}  epoch ${epoch.toFixed(1)}  ${rate.toFixed(1)}/s  ${duration(left)} left  ${termsText(terms)}`;
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
