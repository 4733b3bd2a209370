/** What came out of a sweep: a row for every configuration with its seeds as one, the best first, and which of them nothing beats. */
import { bootstrapMean, type Interval, variance } from '../../analysis/index.ts';
import { methodNamed } from '../../methods/index.ts';
import { callOf, flagsOf } from '../../shell.ts';
import { resolveSettings } from '../../training/index.ts';
import type { Configuration, Plan } from '../plan.ts';
import { paretoFront, ranked } from '../search/ranking.ts';
import type { Point } from '../search/space.ts';
import type { Sweep } from '../sweep.ts';
import { stepAt, type Trial, type TrialResult, trialFolder } from '../trial.ts';

export interface SummaryRow {
  point: Point;
  /** The rung's step that its seeds have all come to; 0 if none. */
  step: number;
  /** By objective: over seeds, with the interval of the mean. */
  values: Record<string, Interval & { deviation: number }>;
  /** By objective: how far the best configuration is ahead with the same seeds. */
  behind: Record<string, Interval>;
  isOnFront: boolean;
  seeds: readonly { seed: number; trial: string; folder: string; values?: Readonly<Record<string, number>> }[];
  failure?: string;
}

export interface Summary {
  name: string;
  objectives: Plan['objectives'];
  trials: number;
  done: number;
  failed: number;
  /** Steps that were made, and those that training all to the end would take. */
  steps: number;
  wholeSteps: number;
  rows: SummaryRow[];
  /** The call that trains the best configuration again. */
  command?: string;
}

/** Puts together what a sweep's index knows. */
export function summarise({ plan, index }: Sweep): Summary {
  const { objectives, rungs, configurations } = plan;
  const last = rungs.steps[rungs.steps.length - 1];
  const trials = configurations.flatMap((one) => one.trials);
  const reached = (trial: Trial) => stepAt(trial, rungs.steps.findLast((step) => index.resultAt(trial, step)) ?? 0);
  const facts = configurations.map((configuration) => {
    const step = rungs.steps.findLast((one) => configuration.trials.every((trial) => index.resultAt(trial, one))) ?? 0;
    const results = configuration.trials.flatMap((trial) => index.resultAt(trial, step) ?? []);
    return { configuration, step, results };
  });
  const ordered = [...new Set(facts.map(({ step }) => step))]
    .sort((a, b) => b - a)
    .flatMap((step) => {
      const here = facts.filter((one) => one.step === step);
      const numbers = here.map(({ results }) =>
        objectives.map(({ name }) => (results.length === 0 ? Number.NaN : meanOf(results, name))),
      );
      const front = step === last ? new Set(paretoFront(objectives, numbers)) : new Set<number>();
      return ranked(objectives, numbers).map((at) => ({ ...here[at], isOnFront: front.has(at) }));
    });
  const best = ordered[0];
  const rows = ordered.map(({ configuration, step, results, isOnFront }): SummaryRow => {
    const failure = configuration.trials.flatMap((trial) => index.failureOf(trial)?.message ?? [])[0];
    return {
      point: configuration.point,
      step,
      values: Object.fromEntries(objectives.map(({ name }) => [name, valueOver(results, name)])),
      behind:
        step === best.step && step > 0
          ? Object.fromEntries(objectives.map((objective) => [objective.name, lead(best.results, results, objective)]))
          : {},
      isOnFront,
      seeds: configuration.trials.map((trial) => ({
        seed: trial.seed,
        trial: trial.name,
        folder: trialFolder(trial.name),
        values: index.resultAt(trial, step)?.values,
      })),
      failure,
    };
  });
  return {
    name: plan.name,
    objectives,
    trials: trials.length,
    done: trials.filter((trial) => index.resultAt(trial, last)).length,
    failed: trials.filter((trial) => index.failureOf(trial)).length,
    steps: trials.reduce((sum, trial) => sum + reached(trial), 0),
    wholeSteps: trials.reduce((sum, trial) => sum + stepAt(trial, last), 0),
    rows,
    command: best !== undefined && best.step > 0 ? commandOf(best.configuration) : undefined,
  };
}

function meanOf(results: readonly TrialResult[], name: string): number {
  return results.reduce((sum, { values }) => sum + (values[name] ?? Number.NaN), 0) / results.length;
}

function valueOver(results: readonly TrialResult[], name: string): SummaryRow['values'][string] {
  const values = results.map((one) => one.values[name] ?? Number.NaN);
  if (values.length === 0) return { mean: Number.NaN, low: Number.NaN, high: Number.NaN, deviation: Number.NaN };
  return { ...bootstrapMean(values), deviation: values.length > 1 ? Math.sqrt(variance(values, 1)) : Number.NaN };
}

/** The paired differences of two configurations with the same seeds, positive where the first is better. */
function lead(
  best: readonly TrialResult[],
  other: readonly TrialResult[],
  { name, better }: Plan['objectives'][number],
): Interval {
  const sign = better === 'higher' ? 1 : -1;
  return bootstrapMean(
    best.map((one, i) => sign * ((one.values[name] ?? Number.NaN) - (other[i].values[name] ?? Number.NaN))),
  );
}

/** The training of a configuration with its first seed, as one would type it. */
function commandOf({ trials: [{ settings }] }: Configuration): string {
  const { method, preset, data, options, training } = settings;
  const usual = resolveSettings(methodNamed(method), { preset });
  const asUsual: Record<string, unknown> = { ...usual.training, ...usual.options };
  const { seed, workers: _workers, threads: _threads, ...rest } = training;
  const own = Object.entries({ ...rest, ...options }).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(asUsual[key]),
  );
  const set = own.map(([key, value]) => `${key}=${Array.isArray(value) ? value.join(',') : value}`);
  const { target, background, ...labels } = data;
  const flags = {
    data: target.source,
    where: target.condition,
    background: background?.source === target.source ? undefined : background?.source,
    backgroundWhere: background?.condition,
    ...target.options,
    ...labels,
    preset,
    seed,
  };
  return callOf('train', method, ...flagsOf(flags), ...(set.length === 0 ? [] : ['--set', ...set]));
}
