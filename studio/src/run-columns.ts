/** The columns that the list of runs can have: what every run has, each setting, each metric; how they sort, and which is best. */
import type { RunRow } from '../../src/studio/runs.ts';
import { fieldOf } from './run-filter.ts';

export interface RunColumn {
  key: string;
  title: string;
  kind: 'fact' | 'setting' | 'metric';
  better?: 'higher' | 'lower';
  isNumber: boolean;
}

const facts: RunColumn[] = [
  { key: 'method', title: 'Method', kind: 'fact', isNumber: false },
  { key: 'data', title: 'Data', kind: 'fact', isNumber: false },
  { key: 'background', title: 'Background', kind: 'fact', isNumber: false },
  { key: 'state', title: 'State', kind: 'fact', isNumber: false },
  { key: 'step', title: 'Steps', kind: 'fact', isNumber: true },
  { key: 'loss', title: 'Loss', kind: 'fact', isNumber: false },
  { key: 'seed', title: 'Seed', kind: 'fact', isNumber: true },
  { key: 'tag', title: 'Tags', kind: 'fact', isNumber: false },
  { key: 'note', title: 'Note', kind: 'fact', isNumber: false },
  { key: 'created', title: 'Made', kind: 'fact', isNumber: true },
];

/** Every column that these runs give rise to. */
export function columnsOf(runs: readonly RunRow[]): RunColumn[] {
  const settings = new Map<string, boolean>();
  const metrics = new Map<string, RunColumn>();
  for (const run of runs) {
    for (const [key, value] of Object.entries(run.settings))
      settings.set(key, (settings.get(key) ?? true) && typeof value === 'number');
    for (const key of Object.keys(run.metrics)) {
      const better = run.better[key];
      metrics.set(key, { key, title: key, kind: 'metric', isNumber: true, ...(better && { better }) });
    }
  }
  const named = [...settings].filter(([key]) => !facts.some((fact) => fact.key === key));
  return [
    ...facts,
    ...[...metrics.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
    ...named.sort().map(([key, isNumber]): RunColumn => ({ key, title: key, kind: 'setting', isNumber })),
  ];
}

/** The columns that are shown until somebody chooses: what a run is and does, and the three metrics that most runs have. */
export function usualColumns(runs: readonly RunRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { metrics } of runs)
    for (const name of Object.keys(metrics)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const common = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const tagged = runs.some(({ tags }) => tags.length > 0) ? ['tag'] : [];
  return ['method', 'data', 'state', 'step', 'loss', ...tagged, ...common.map(([name]) => name), 'created'];
}

export interface Sorting {
  key: string;
  down: boolean;
}

/** Runs by a column; what is not known stands last in both directions. */
export function sortedRuns(runs: readonly RunRow[], { key, down }: Sorting): RunRow[] {
  const known = (value: unknown) => value !== undefined && !Number.isNaN(value);
  return runs
    .map((run) => ({ run, value: fieldOf(run, key) }))
    .sort((a, b) => {
      if (!known(a.value) || !known(b.value)) return Number(known(b.value)) - Number(known(a.value));
      const order =
        typeof a.value === 'number' && typeof b.value === 'number'
          ? a.value - b.value
          : `${a.value}`.localeCompare(`${b.value}`, 'en', { numeric: true });
      return down ? -order : order;
    })
    .map(({ run }) => run);
}

/** The best value of a column among runs; undefined where nothing is better, or fewer than two are known. */
export function bestIn(values: readonly (number | undefined)[], better: RunColumn['better']): number | undefined {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value));
  if (known.length < 2 || better === undefined) return undefined;
  return known.reduce((best, one) =>
    one !== undefined && best !== undefined && one > best === (better === 'higher') ? one : best,
  );
}
