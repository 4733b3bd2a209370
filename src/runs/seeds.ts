/** Runs that differ in their seed alone: the same question asked several times, so that its answer has a mean and a spread. */
import { toJson } from './json.ts';
import type { RunFile } from './run.ts';

/** What the seeds of a group make of a number: the mean, and the deviation over seeds (with n − 1). */
export interface SeedSpread {
  mean: number;
  deviation: number;
  seeds: number;
}

/**
 * The places of runs that differ in their seed alone, for each such group of two or more. How a batch was shared out, and where a
 * plugin lies, tell nothing apart.
 *
 * @example seedGroups([vaeOfSeed1, other, vaeOfSeed2]) // [[0, 2]]
 */
export function seedGroups(files: readonly (RunFile | undefined)[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [at, file] of files.entries()) {
    if (file === undefined) continue;
    const { method, preset, options, data, plugins } = file;
    const { seed: _, workers: __, threads: ___, ...training } = file.training;
    const key = toJson({
      method,
      preset,
      options,
      data,
      training,
      plugins: plugins?.map(({ sha256 }) => sha256) ?? [],
    });
    groups.set(key, [...(groups.get(key) ?? []), at]);
  }
  const isOfSeeds = (places: number[]) => new Set(places.map((at) => files[at]?.training.seed)).size === places.length;
  return [...groups.values()].filter((places) => places.length > 1 && isOfSeeds(places));
}

/** The spread of numbers over seeds; undefined unless all are finite. */
export function spreadOf(values: readonly unknown[]): SeedSpread | undefined {
  const numbers = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  if (numbers.length < 2 || numbers.length < values.length) return undefined;
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const squares = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (numbers.length - 1)), seeds: numbers.length };
}
