/**
 * Carries out a study: each row with each seed is a run, known by the hash of everything that decides it. A run that is done is
 * used again, one that was stopped goes on, so that a study can be stopped at any moment and continued, and studies share runs.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { unknownName } from '../errors.ts';
import type { LabelValues } from '../options/index.ts';
import type { Run } from '../runs/index.ts';
import { callOf, flagsOf } from '../shell.ts';
import { type Carrier, type SweepProgress, type Trial, trialOf } from '../sweep/index.ts';
import { settler, type TrainRequest } from '../training/index.ts';
import { type ClaimResult, checkClaim } from './claims.ts';
import { type ArmResult, armResult, bestResult, type SeedResult } from './results.ts';
import { measureRow } from './scores.ts';
import type { Arm, Budget, Study } from './study.ts';
import { trainTrials } from './trainings.ts';

export interface StudyOptions {
  budget: Budget;
  /** Where runs are kept and shared by studies. */
  root?: string;
  /** How many runs at once; one for each core unless given. */
  jobs?: number;
  /** Who trains: the address of a queue, or a cluster's scheduler; processes of this machine unless given. */
  executor?: string;
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
  carrier?: Carrier;
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

/** A row with a seed, and the trial that it is. */
interface Job {
  arm: Arm;
  seed: number;
  trial: Trial;
}

/** Runs what is not there yet, measures, and gathers the table. */
export async function runStudy(study: Study, given: StudyOptions): Promise<StudyResults> {
  const options = withJobs(study, given);
  const { onNote = () => {}, onProgress = () => {} } = options;
  const budget = study.budgets[options.budget];
  const arms = armsOf(study, options.arms ?? budget.arms);
  const seeds = options.seeds ?? budget.seeds;
  const failures = new Map<string, string>();
  const fail = (arm: string, seed: number, message: string) => {
    failures.set(arm, message);
    onNote(`${arm}, seed ${seed}: ${message}`);
  };
  const jobs = await jobsOf(study, options, arms, seeds, fail);
  // Two rows may be the same run.
  const jobsOfTrial = groupedBy(jobs, ({ trial }) => trial.name);
  const found = new Map<string, SeedResult[]>(arms.map(({ name }) => [name, []]));
  let measured = 0;
  let trained = 0;
  const measure = async (trial: Trial, run: Run) => {
    for (const job of jobsOfTrial.get(trial.name) ?? []) {
      const row = found.get(job.arm.name);
      if (row === undefined || row.some(({ seed }) => seed === job.seed)) continue;
      const who = `${job.arm.name}, seed ${job.seed}`;
      const tell = (share: number, what: string) =>
        onProgress(0.9 * trained + (0.1 * (measured + share)) / jobs.length, `${who}: ${what}`);
      try {
        row.push(await measureRow(study, options.budget, job, run, tell));
      } catch (error) {
        fail(job.arm.name, job.seed, messageOf(error));
      }
      measured++;
    }
  };
  const atOnce = limiter(options.jobs);
  const trials = [...jobsOfTrial.values()].map(([{ trial }]) => trial);
  const failed = await trainTrials(trials, {
    name: `${study.name}-${options.budget}`,
    root: options.root ?? join('runs', 'studies'),
    jobs: options.jobs,
    executor: options.executor,
    signal: options.signal,
    carrier: options.carrier,
    onNote,
    onProgress: (at) => {
      trained = at.share;
      onProgress(0.9 * trained + (0.1 * measured) / jobs.length, trainingText(at));
    },
    onRun: (trial, run) => atOnce(() => measure(trial, run)),
  });
  for (const [name, message] of failed)
    for (const { arm, seed } of jobsOfTrial.get(name) ?? []) fail(arm.name, seed, message);
  const rows = arms.map((arm): ArmResult => {
    const runs = (found.get(arm.name) ?? []).sort((a, b) => a.seed - b.seed);
    const failure = failures.get(arm.name);
    return { ...armResult(arm, study.columns, runs), failure };
  });
  const bests = (study.bests ?? []).flatMap((best) => bestResult(best, study.columns, rows) ?? []);
  const results = [...rows, ...bests];
  return {
    study: study.name,
    budget: options.budget,
    command: commandOf(study, given),
    set: options.set ?? [],
    complete: rows.every(({ runs }) => runs.length === seeds.length),
    arms: results,
    claims: study.claims.map((claim) => checkClaim(claim, study.columns, results)),
  };
}

/** With no more runs at once than there are: what is over of the cores goes to workers inside a run. */
function withJobs(study: Study, options: StudyOptions): StudyOptions & { jobs: number } {
  if (options.jobs !== undefined) return { ...options, jobs: options.jobs };
  const budget = study.budgets[options.budget];
  const rows = (options.arms ?? budget.arms ?? study.arms).length;
  return { ...options, jobs: Math.min(availableParallelism(), rows * (options.seeds ?? budget.seeds).length) };
}

/** The trials of all rows and seeds; a row whose settings or data are wrong is told and left out. */
async function jobsOf(
  study: Study,
  options: StudyOptions,
  arms: readonly Arm[],
  seeds: readonly number[],
  fail: (arm: string, seed: number, message: string) => void,
): Promise<Job[]> {
  const settle = settler();
  const jobs: Job[] = [];
  for (const seed of seeds)
    for (const arm of arms)
      try {
        const { settings } = await settle(armRequest(study, options, arm, seed));
        jobs.push({ arm, seed, trial: await trialOf(settings) });
      } catch (error) {
        fail(arm.name, seed, messageOf(error));
      }
  return jobs;
}

/** The request that a row with a seed stands for. */
export function armRequest(
  study: Study,
  { budget, set = [], dataDir, jobs, executor }: StudyOptions,
  arm: Arm,
  seed: number,
): TrainRequest {
  const { set: budgetSet, data, labels: most } = study.budgets[budget];
  return {
    method: arm.method,
    data: arm.data ?? data ?? study.data,
    choice: { ...arm.choice, dataDir },
    labels: arm.labels && atMost(arm.labels, most),
    preset: arm.preset,
    set: [...(study.set ?? []), ...(arm.set ?? []), ...budgetSet, ...(arm.setAt?.[budget] ?? []), ...set],
    seed,
    ...(executor === undefined ? { jobs } : { workers: 1 }),
    command: commandOf(study, { budget, set }),
  };
}

/** Labels at most, where a number of them was given. */
function atMost(labels: LabelValues, most = Number.POSITIVE_INFINITY): LabelValues {
  return labels.labels === undefined ? labels : { ...labels, labels: Math.min(labels.labels, most) };
}

/** The rows of these names in the study's order, or all. */
export function armsOf({ arms }: Study, wanted?: readonly string[]): Arm[] {
  if (wanted === undefined) return [...arms];
  const known = arms.map(({ name }) => name);
  for (const name of wanted) if (!known.includes(name)) throw unknownName('row', name, known);
  return arms.filter(({ name }) => wanted.includes(name));
}

/** The call that runs a study with these options. */
function commandOf({ name }: Study, { budget, arms, seeds, set = [] }: StudyOptions): string {
  const settings = set.length > 0 ? ['--set', ...set] : [];
  return callOf('reproduce', name, ...flagsOf({ budget, arms, seeds }), ...settings);
}

function groupedBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Lets so many tasks run at once; the others wait their turn. */
function limiter(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const lanes = Array.from({ length: Math.max(1, most) }, () => Promise.resolve());
  let next = 0;
  return (task) => {
    const lane = next++ % lanes.length;
    const result = lanes[lane].then(task);
    lanes[lane] = result.then(
      () => {},
      () => {},
    );
    return result;
  };
}

function trainingText({ done, running, failed, trials, rate }: SweepProgress): string {
  const failures = failed > 0 ? `, ${failed} failed` : '';
  return `${done} of ${trials} runs trained, ${running} under way${failures}, ${rate.toFixed(1)} steps a second`;
}
