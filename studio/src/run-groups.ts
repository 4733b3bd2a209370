/** Runs in groups: by a column, or seeds as one, where runs that differ in nothing but their seed are one line with mean ± deviation. */
import type { RunRow } from '../../src/studio/runs.ts';
import { fieldOf } from './run-filter.ts';

export interface RunGroup {
  /** Tells groups apart. */
  key: string;
  title: string;
  runs: RunRow[];
}

/** Settings that say how a training is watched and carried out, not what it learns. */
export const bookkeeping = new Set([
  'logEvery',
  'validateEvery',
  'checkpointEvery',
  'checkpointMinutes',
  'workers',
  'threads',
]);

/** Groups by a column, in the order in which they come. */
export function groupsBy(runs: readonly RunRow[], field: string): RunGroup[] {
  return collected(runs, (run) => {
    const value = fieldOf(run, field);
    return value === undefined || value === '' ? `no ${field}` : field === 'seed' ? `seed ${value}` : `${value}`;
  }).map(({ key, runs: members }) => ({ key, title: key, runs: members }));
}

/** Runs that are the same but for their seed. What tells a group from others of its method on its data stands in its title. */
export function groupsOfSeeds(runs: readonly RunRow[]): RunGroup[] {
  const groups = collected(runs, (run) =>
    JSON.stringify([run.method ?? run.name, run.data, run.background, run.conditions, settingsOf(run)]),
  );
  const kinds = collected(runs, kindOf);
  return groups.map(({ key, runs: members }) => {
    const [first] = members;
    const kin = kinds.find((kind) => kind.key === kindOf(first))?.runs ?? [];
    const told = settingsOf(first)
      .filter(([name, value]) => kin.some((run) => run.settings[name] !== value))
      .map(([name, value]) => `${name} ${value}`);
    const of = [first.method ?? first.name, first.data && `on ${first.data}`].filter(Boolean).join(' ');
    return { key, title: [of, ...told].join(', '), runs: members };
  });
}

const kindOf = ({ method, data, background }: RunRow) => JSON.stringify([method, data, background]);

const settingsOf = ({ settings }: RunRow) =>
  Object.entries(settings)
    .filter(([name]) => name !== 'seed' && !bookkeeping.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));

function collected(runs: readonly RunRow[], keyOf: (run: RunRow) => string): { key: string; runs: RunRow[] }[] {
  const groups = new Map<string, RunRow[]>();
  for (const run of runs) {
    const key = keyOf(run);
    const members = groups.get(key);
    if (members) members.push(run);
    else groups.set(key, [run]);
  }
  return [...groups].map(([key, members]) => ({ key, runs: members }));
}

export interface Spread {
  mean: number;
  /** The deviation of a sample; undefined for a single value. */
  deviation: number | undefined;
  count: number;
}

/** Mean and deviation of what is known. */
export function spreadAmong(values: readonly (number | undefined)[]): Spread | undefined {
  const known = values.filter((value): value is number => value !== undefined && Number.isFinite(value));
  const count = known.length;
  if (count === 0) return undefined;
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : undefined, count };
}
