/**
 * Carries out a study: each row with each seed is a run, known by the hash of everything that decides it. A run that is done is
 * used again, one that was stopped goes on, so that a study can be stopped at any moment and continued, and studies share runs.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { unknownName } from '../errors.ts';
import { metrics, type Scores } from '../metrics/index.ts';
import {
  createRun,
  inspectRun,
  type Json,
  lastLine,
  openRun,
  type Run,
  type RunSettings,
  readJson,
  readModelFile,
  sha256,
  toJson,
  writeJson,
} from '../runs/index.ts';
import { quoted } from '../shell.ts';
import {
  type Outcome,
  type Progress,
  settleRequest,
  type TrainHooks,
  type TrainRequest,
  trainInChild,
} from '../training/index.ts';
import { evaluate } from '../use/index.ts';
import { augmentationOf } from './augmentation.ts';
import { type ArmResult, armResult, type ClaimResult, checkClaim, type SeedResult } from './results.ts';
import { type Arm, type Budget, type MetricOptions, resultOf, type Study, type StudyBudget } from './study.ts';

export interface StudyOptions {
  budget: Budget;
  /** Where runs are kept and shared by studies. */
  root?: string;
  /** How many runs at once. */
  jobs?: number;
  /** Rows to run; all of the budget's if not given. */
  arms?: readonly string[];
  seeds?: readonly number[];
  /** Settings over all others. */
  set?: readonly string[];
  dataDir?: string;
  signal?: AbortSignal;
  onNote?: (sentence: string) => void;
  onProgress?: (share: number, what: string) => void;
  /** How a run is trained; in a child process unless given. */
  trainer?: (run: Run, hooks: TrainHooks) => Promise<Outcome>;
}

export interface StudyResults {
  study: string;
  budget: Budget;
  /** The call that does the same. */
  command: string;
  /** Settings that were given over the study's. */
  set: readonly string[];
  /** False if it was stopped before all runs were done. */
  complete: boolean;
  arms: ArmResult[];
  claims: ClaimResult[];
}

interface Job {
  arm: Arm;
  seed: number;
}

/** Runs what is not there yet, measures, and gathers the table. */
export async function runStudy(study: Study, options: StudyOptions): Promise<StudyResults> {
  const budget = study.budgets[options.budget];
  const arms = armsOf(study, options.arms ?? budget.arms);
  const jobs = (options.seeds ?? budget.seeds).flatMap((seed) => arms.map((arm): Job => ({ arm, seed })));
  const found = new Map<string, SeedResult[]>(arms.map(({ name }) => [name, []]));
  const failures = new Map<string, string>();
  const shares = new Array<number>(jobs.length).fill(0);
  let next = 0;
  const tell = (index: number, share: number, what: string) => {
    shares[index] = share;
    options.onProgress?.(shares.reduce((sum, one) => sum + one, 0) / jobs.length, what);
  };
  const lane = async () => {
    for (let at = next++; at < jobs.length && !options.signal?.aborted; at = next++) {
      const { arm, seed } = jobs[at];
      try {
        const result = await carryOut(study, options, arm, seed, (share, what) =>
          tell(at, share, `${arm.name}, seed ${seed}: ${what}`),
        );
        if (result) found.get(arm.name)?.push(result);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        failures.set(arm.name, message);
        options.onNote?.(`${arm.name}, seed ${seed}: ${message}`);
      }
      tell(at, 1, `${arm.name}, seed ${seed}`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, options.jobs ?? 1) }, lane));
  const results = arms.map((arm): ArmResult => {
    const runs = (found.get(arm.name) ?? []).sort((a, b) => a.seed - b.seed);
    const failure = failures.get(arm.name);
    return { ...armResult(arm, study.columns, runs), ...(failure !== undefined && { failure }) };
  });
  return {
    study: study.name,
    budget: options.budget,
    command: commandOf(study, options),
    set: options.set ?? [],
    complete: results.every(({ runs }) => runs.length === (options.seeds ?? budget.seeds).length),
    arms: results,
    claims: study.claims.map((claim) => checkClaim(claim, study.columns, results)),
  };
}

/** The request that a row with a seed stands for. */
function requestOf(
  study: Study,
  { budget, set = [], dataDir, jobs }: StudyOptions,
  arm: Arm,
  seed: number,
): TrainRequest {
  const { set: budgetSet, data } = study.budgets[budget];
  return {
    method: arm.method,
    data: arm.data ?? data ?? study.data,
    choice: { ...arm.choice, ...(dataDir !== undefined && { dataDir }) },
    ...(arm.labels && { labels: arm.labels }),
    ...(arm.preset !== undefined && { preset: arm.preset }),
    set: [...(study.set ?? []), ...(arm.set ?? []), ...budgetSet, ...(arm.setAt?.[budget] ?? []), ...set],
    seed,
    ...(jobs !== undefined && { jobs }),
    command: commandOf(study, { budget, set }),
  };
}

/** The rows of these names in the study's order, or all. */
function armsOf({ arms }: Study, wanted?: readonly string[]): Arm[] {
  if (wanted === undefined) return [...arms];
  const known = arms.map(({ name }) => name);
  for (const name of wanted) if (!known.includes(name)) throw unknownName('row', name, known);
  return arms.filter(({ name }) => wanted.includes(name));
}

/** The call that runs a study with these options. */
function commandOf({ name }: Study, { budget, arms, seeds, set = [] }: StudyOptions): string {
  return [
    `untangle reproduce ${name} --budget ${budget}`,
    ...(arms ? [`--arms ${quoted(arms.join(','))}`] : []),
    ...(seeds ? [`--seeds ${seeds.join(',')}`] : []),
    ...(set.length > 0 ? [`--set ${set.map(quoted).join(' ')}`] : []),
  ].join(' ');
}

async function carryOut(
  study: Study,
  options: StudyOptions,
  arm: Arm,
  seed: number,
  onProgress: (share: number, what: string) => void,
): Promise<SeedResult | undefined> {
  const { settings } = await settleRequest(requestOf(study, options, arm, seed));
  const run = await runOf(options.root ?? join('runs', 'studies'), settings);
  if ((await inspectRun(run.folder)).state !== 'done') {
    const outcome = await (options.trainer ?? trainInChild)(run, {
      ...(options.signal && { signal: options.signal }),
      onNote: (sentence) => options.onNote?.(sentence),
      onProgress: (progress: Progress) => onProgress((0.9 * progress.step) / progress.steps, trainingText(progress)),
    });
    if (outcome.state === 'stopped') return undefined;
  }
  const scores = await scoresOf(
    study,
    { items: options.budget === 'quick' ? 1000 : 20_000, ...study.budgets[options.budget] },
    { arm, seed },
    run,
    (share, what) => onProgress(0.9 + 0.1 * share, what),
  );
  const { steps } = run.file.training;
  return { seed, folder: run.folder, steps, seconds: secondsOf(run), values: valuesOf(study, scores) };
}

/** The name of the run of these settings. How its work is shared out does not tell runs apart. */
export async function nameOfRun({ command: _, training, ...rest }: RunSettings): Promise<string> {
  const { workers: _workers, threads: _threads, ...trained } = training;
  const hash = (await sha256(new TextEncoder().encode(toJson({ ...rest, training: trained })))).slice(0, 16);
  return `${rest.method}-${hash}`;
}

/** The run of these settings: the one that is there, or a new one. */
async function runOf(root: string, settings: RunSettings): Promise<Run> {
  const name = await nameOfRun(settings);
  const folder = join(root, name);
  const { state } = await inspectRun(folder);
  if (state !== 'damaged') return await openRun(folder);
  return await createRun(root, settings, name);
}

const savedSchema = z.object({ step: z.number(), request: z.string(), scores: z.custom<Json>() });

/** The study's metrics of a run; measured once, and kept beside the run. */
async function scoresOf(
  study: Study,
  { items, metricOptions }: Pick<StudyBudget, 'metricOptions'> & { items: number },
  { arm, seed }: Job,
  run: Run,
  onProgress: (share: number, what: string) => void,
): Promise<Measured> {
  const names = [...new Set(study.columns.map(resultOf))];
  const options = merged(metricOptions, study.metricOptions, arm.metricOptions);
  const request = toJson({ names, options, items, part: study.part ?? 'test', version: 1 });
  const path = join(run.folder, `scores-${(await sha256(new TextEncoder().encode(request))).slice(0, 8)}.json`);
  const step = (await readModelFile(run.folder))?.step ?? 0;
  const saved = await readJson(path, savedSchema).catch(() => undefined);
  // Written below by this function, whose own results they are.
  if (saved?.request === request && saved.step === step) return saved.scores as unknown as Measured;
  const part = study.part ?? 'test';
  const asked = [...new Set(study.columns.map(({ metric }) => metric))];
  const isOfImages = (name: string) => metrics[name].needs.includes('augmentation');
  const ofCodes = asked.filter((name) => !isOfImages(name));
  const { scores } = await evaluate(run, { names: ofCodes, options, items, part, onProgress });
  const results: Measured['results'] = [...scores.results];
  for (const name of asked.filter(isOfImages)) {
    const parts = await augmentationOf(run.folder, seed, { ...options[name], onProgress });
    results.push({ name, score: parts.baseline, parts });
  }
  await writeJson(path, { step, request, scores: { ...scores, results } });
  return { results };
}

/** What a study reads of an evaluation. */
interface Measured {
  results: Pick<Scores['results'][number], 'name' | 'score' | 'parts'>[];
}

/** Options of each metric, the later over the earlier. */
function merged(...layers: (MetricOptions | undefined)[]): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const layer of layers)
    for (const [metric, options] of Object.entries(layer ?? {})) all[metric] = { ...all[metric], ...options };
  return all;
}

function valuesOf({ columns }: Study, { results }: Measured): Record<string, number> {
  const values: Record<string, number> = {};
  for (const column of columns) {
    const { name, part, attribute, factor = 1 } = column;
    const result = results.find((one) => one.name === resultOf(column));
    const found = part === undefined ? result?.score : result?.parts[part];
    const value = attribute === undefined ? found : entryOf(result?.parts.attributes, found, attribute);
    if (typeof value === 'number') values[name] = value * factor;
  }
  return values;
}

/** The entry of a list that stands where its name does in the list of names. */
function entryOf(names: unknown, list: unknown, name: string): unknown {
  return Array.isArray(names) && Array.isArray(list) ? list[names.indexOf(name)] : undefined;
}

const secondsOf = (run: Run) => lastLine(join(run.folder, 'log.jsonl'))?.seconds ?? 0;

function trainingText({ step, steps, rate, left }: Progress): string {
  return `step ${step} of ${steps}, ${rate.toFixed(1)} a second, ${Math.round(left)} s left`;
}
