/** What a comparison stands on: the settings that differ between runs, and their metrics, kept apart where they can't be compared. */
import type { LogLine } from '../../src/runs/index.ts';
import { api, type RunDetail } from './api.ts';
import { value } from './format.ts';
import { asError } from './said.tsx';

export interface Compared {
  run: RunDetail;
  lines: LogLine[];
}

export interface MissingRun {
  name: string;
  why: string;
}

/** Runs as far as they are there; of each other one, why it is not. */
export async function fetchCompared(
  names: readonly string[],
): Promise<{ compared: Compared[]; missing: MissingRun[] }> {
  const compared: Compared[] = [];
  const missing: MissingRun[] = [];
  const asked = names.map((name) => Promise.all([api.run(name), api.log(name).catch(() => [])]));
  for (const [i, answer] of (await Promise.allSettled(asked)).entries())
    if (answer.status === 'fulfilled') compared.push({ run: answer.value[0], lines: answer.value[1] });
    else missing.push({ name: names[i], why: asError(answer.reason).message });
  return { compared, missing };
}

export interface DifferenceRow {
  name: string;
  values: string[];
  /** Set where all are numbers. */
  numbers?: number[];
}

/** The settings in which runs differ, method and data first. */
export function differences(compared: readonly Compared[]): DifferenceRow[] {
  const all = compared.map(({ run }) => settingsOf(run));
  const names = [...new Set(all.flatMap((settings) => Object.keys(settings)))];
  return names
    .map((name): DifferenceRow => {
      const values = all.map((settings) => settings[name]);
      const numbers = values.map(Number);
      return {
        name,
        values: values.map(value),
        ...(values.every((one) => typeof one === 'number') && { numbers }),
      };
    })
    .filter(({ values }) => new Set(values).size > 1);
}

function settingsOf({ file }: RunDetail): Record<string, unknown> {
  if (!file) return {};
  const { target, background, ...rest } = file.data;
  return {
    method: file.method,
    preset: file.preset,
    data: target.source,
    where: target.condition,
    background: background?.source,
    'background where': background?.condition,
    ...rest,
    ...file.options,
    ...file.training,
  };
}

export interface MetricRow {
  title: string;
  better: 'higher' | 'lower' | undefined;
  /** Undefined where a run was not measured so. */
  scores: (number | undefined)[];
}

/** Metrics, a row for each version and set of options: only such numbers can be compared. */
export function metricRows(compared: readonly Compared[]): MetricRow[] {
  const rows = new Map<string, MetricRow>();
  for (const [i, { run }] of compared.entries())
    for (const { name, title, version, options, better, score } of run.evaluation?.results ?? []) {
      const key = JSON.stringify([name, version, options]);
      const row = rows.get(key) ?? {
        title,
        better: better === 'higher' || better === 'lower' ? better : undefined,
        scores: compared.map(() => undefined),
      };
      row.scores[i] = Number(score);
      rows.set(key, row);
    }
  return [...rows.values()];
}

/** Where the best score of a row stands; undefined if fewer than two are known, or nothing is better. */
export function bestOf({ better, scores }: MetricRow): number | undefined {
  const known = scores.flatMap((score, i) => (score !== undefined && Number.isFinite(score) ? [{ score, i }] : []));
  if (known.length < 2 || !better) return undefined;
  const sign = better === 'higher' ? 1 : -1;
  return known.reduce((best, one) => (sign * one.score > sign * best.score ? one : best)).i;
}

/** The last held-out reconstruction term, or the last of training where nothing is held out: nats per item. */
export function lastReconstruction({ lines }: Compared): number | undefined {
  for (let i = lines.length - 1; i >= 0; i--) {
    const found = lines[i].validation?.reconstruction;
    if (found !== undefined) return found;
  }
  return lines[lines.length - 1]?.terms.reconstruction;
}
