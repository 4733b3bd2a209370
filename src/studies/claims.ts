/**
 * Whether an ordering that a paper claims holds: each row against each of the next place, paired by seeds, by Student's paired
 * test. A claim holds when all of its comparisons do; it does not when one of them is the other way round beyond chance.
 */
import { pairedTest } from '../analysis/index.ts';
import type { ArmResult } from './results.ts';
import type { Claim, Column } from './study.ts';

export type ClaimVerdict = 'holds' | 'does not hold' | 'not settled';

/** How far one row is ahead of another with the same seeds; above zero as the claim would have it. */
export interface ClaimComparison {
  better: string;
  worse: string;
  effect: number;
  interval: readonly [number, number] | undefined;
  p: number | undefined;
  seeds: readonly number[];
}

export interface ClaimResult {
  text: string;
  verdict: ClaimVerdict;
  /** Why it is not settled. */
  reason?: string;
  /** The comparison that decides: the weakest, or the one that is most the other way round. */
  effect?: number;
  interval?: readonly [number, number];
  /** The seeds that all of its rows have. */
  seeds: readonly number[];
  test: string;
  comparisons: readonly ClaimComparison[];
  /** The means of its rows. */
  evidence: string;
}

/** Fewer seeds make no verdict. */
const fewestSeeds = 5;

const level = 0.95;

export function checkClaim(claim: Claim, columns: readonly Column[], arms: readonly ArmResult[]): ClaimResult {
  const column = columns.find(({ name }) => name === claim.column);
  if (column === undefined) throw new Error(`a claim names the column “${claim.column}”`);
  const places = claim.order.map((place) => [place].flat());
  const values = new Map(places.flat().map((row) => [row, valuesBySeed(arms, row, claim.column)]));
  const comparisons = places
    .slice(1)
    .flatMap((place, i) =>
      places[i].flatMap((better) => place.map((worse) => compared(better, worse, values, column))),
    );
  const [first, ...others] = [...values.values()];
  const seeds = [...first.keys()].filter((seed) => others.every((row) => row.has(seed)));
  const found = {
    text: claim.text,
    seeds,
    test: testText(comparisons.length),
    comparisons,
    evidence: evidenceOf(places, values, column),
  };
  const missing = [...values].filter(([, row]) => row.size === 0).map(([row]) => row);
  if (missing.length > 0)
    return { ...found, verdict: 'not settled', reason: `nothing was measured of ${missing.join(', ')}` };
  const { verdict, decisive } = judged(comparisons);
  const numbers = { effect: decisive.effect, interval: decisive.interval };
  if (seeds.length < fewestSeeds)
    return {
      ...found,
      ...numbers,
      verdict: 'not settled',
      reason: `${seeds.length === 1 ? 'one seed' : `${seeds.length} seeds`}, where a verdict takes ${fewestSeeds}`,
    };
  if (verdict !== 'not settled') return { ...found, ...numbers, verdict };
  return {
    ...found,
    ...numbers,
    verdict,
    reason: `${decisive.better} and ${decisive.worse} can't be told apart by these seeds`,
  };
}

function valuesBySeed(arms: readonly ArmResult[], row: string, column: string): Map<number, number> {
  const runs = arms.find(({ name }) => name === row)?.runs ?? [];
  return new Map(
    runs.filter(({ values }) => Number.isFinite(values[column])).map(({ seed, values }) => [seed, values[column]]),
  );
}

function compared(
  better: string,
  worse: string,
  values: ReadonlyMap<string, ReadonlyMap<number, number>>,
  { better: direction }: Column,
): ClaimComparison {
  const sign = direction === 'higher' ? 1 : -1;
  const [one, other] = [values.get(better), values.get(worse)];
  const pairs = [...(one ?? [])].flatMap(([seed, value]) => {
    const beside = other?.get(seed);
    return beside === undefined ? [] : [{ seed, difference: sign * (value - beside) }];
  });
  const { mean, low, high, p } = pairedTest(
    pairs.map(({ difference }) => difference),
    level,
  );
  const hasInterval = pairs.length > 1;
  return {
    better,
    worse,
    effect: mean,
    interval: hasInterval ? [low, high] : undefined,
    p: hasInterval ? p : undefined,
    seeds: pairs.map(({ seed }) => seed),
  };
}

/**
 * A claim of several comparisons says that all are so: each has to be beyond chance by itself. That one of them is the other way
 * round is looked for in all, so it takes as many times more.
 */
function judged(comparisons: readonly ClaimComparison[]): { verdict: ClaimVerdict; decisive: ClaimComparison } {
  const lowest = (end: (one: ClaimComparison) => number) => comparisons.reduce((a, b) => (end(b) < end(a) ? b : a));
  const alpha = (1 - level) / comparisons.length;
  const reversed = comparisons.filter(({ effect, p }) => effect < 0 && (p ?? 1) < alpha);
  if (reversed.length > 0)
    return { verdict: 'does not hold', decisive: lowest(({ interval, effect }) => interval?.[1] ?? effect) };
  const weakest = lowest(({ interval, effect }) => interval?.[0] ?? effect);
  return { verdict: (weakest.interval?.[0] ?? 0) > 0 ? 'holds' : 'not settled', decisive: weakest };
}

function testText(comparisons: number): string {
  const one = 'Student\u2019s paired test over seeds, two-sided, 95 %';
  return comparisons === 1
    ? one
    : `${one}; holds if all ${comparisons} comparisons do, does not if one is reversed at 5 % / ${comparisons}`;
}

function evidenceOf(
  places: readonly (readonly string[])[],
  values: ReadonlyMap<string, ReadonlyMap<number, number>>,
  { digits, better }: Column,
): string {
  const meanAt = (row: string) => {
    const all = [...(values.get(row)?.values() ?? [])];
    return all.length === 0 ? '–' : (all.reduce((sum, value) => sum + value, 0) / all.length).toFixed(digits);
  };
  return places
    .map((rows) => rows.map((row) => `${row} ${meanAt(row)}`).join(', '))
    .join(better === 'higher' ? ' > ' : ' < ');
}
