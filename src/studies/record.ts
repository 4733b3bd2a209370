/**
 * What a study found, as a file that a repository keeps: each row over its seeds with the runs that it is made of, each claim with
 * its verdict. Pages of results are made from these files.
 */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readJson, writeJson } from '../runs/index.ts';
import type { ClaimVerdict } from './claims.ts';
import { departuresOf } from './report.ts';
import type { StudyReport } from './results.ts';

export interface StudyRecord {
  study: string;
  budget: string;
  /** The call that makes it again. */
  command: string;
  departures: readonly string[];
  rows: {
    name: string;
    seeds: number[];
    /** By column, over seeds. */
    mean: Record<string, number>;
    deviation: Record<string, number>;
    /** Each known by the hash of everything that decides it. */
    runs: { seed: number; run: string; steps: number; seconds: number; values: Record<string, number> }[];
  }[];
  claims: {
    claim: string;
    verdict: ClaimVerdict;
    reason?: string;
    effect?: number;
    interval?: readonly [number, number];
    seeds: readonly number[];
    test: string;
    comparisons: {
      better: string;
      worse: string;
      effect: number;
      interval?: readonly [number, number];
      p?: number;
      seeds: number;
    }[];
  }[];
}

export function recordOf(report: Omit<StudyReport, 'figures'>): StudyRecord {
  const { study, results } = report;
  return {
    study: study.name,
    budget: results.budget,
    command: results.command,
    departures: departuresOf(report),
    rows: results.arms.map(({ name, runs, cells }) => ({
      name,
      seeds: runs.map(({ seed }) => seed),
      mean: Object.fromEntries(Object.entries(cells).map(([column, { mean }]) => [column, mean])),
      deviation: Object.fromEntries(
        Object.entries(cells).flatMap(([column, { deviation }]) =>
          deviation === undefined ? [] : [[column, deviation]],
        ),
      ),
      runs: runs.map(({ seed, folder, steps, seconds, values }) => ({
        seed,
        run: basename(folder),
        steps,
        seconds,
        values,
      })),
    })),
    claims: results.claims.map(({ text, verdict, reason, effect, interval, seeds, test, comparisons }) => ({
      claim: text,
      verdict,
      reason,
      effect,
      interval,
      seeds,
      test,
      // A comparison without pairs has no numbers.
      comparisons: comparisons
        .filter((one) => one.seeds.length > 0)
        .map((one) => ({ ...one, seeds: one.seeds.length })),
    })),
  };
}

const heldSchema = z.object({ budget: z.string(), rows: z.array(z.object({ runs: z.array(z.unknown()) })) });
const rankOf = (budget: string) => ['quick', 'standard', 'paper'].indexOf(budget);

/**
 * Writes a study's record into a folder, unless there is one that holds more: of a larger budget, or more runs of the same. Gives
 * its path, and what kept it from being written.
 */
export async function writeRecord(folder: string, record: StudyRecord): Promise<{ path: string; kept?: string }> {
  const path = join(folder, `${record.study}.json`);
  const held = await readJson(path, heldSchema).catch(() => undefined);
  const count = ({ rows }: Pick<StudyRecord, 'rows'> | z.infer<typeof heldSchema>) =>
    rows.reduce((sum, { runs }) => sum + runs.length, 0);
  const isMore =
    held !== undefined &&
    (rankOf(held.budget) > rankOf(record.budget) || (held.budget === record.budget && count(held) > count(record)));
  if (isMore)
    return {
      path,
      kept: `“${path}” holds more (budget ${held.budget}, ${count(held)} runs) and was left as it is; remove it to have this result in its place.`,
    };
  await mkdir(folder, { recursive: true });
  await writeJson(path, record);
  return { path };
}
