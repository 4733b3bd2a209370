/** All results of a sweep as one table, a row for each trial at each rung: for notebooks and for whatever reads Parquet. */
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Value } from '../search/space.ts';
import type { Sweep } from '../sweep.ts';
import { stepAt } from '../trial.ts';

type Cell = Value | undefined;

/**
 * Columns of what is known of the trials, in the order of the plan: `trial`, `seed`, `step`, `seconds`, `failure`, then a column
 * for each setting that was tried (`set.beta`) and for each number (`mig`). A trial without a result has one row, without numbers.
 *
 * @example trialColumns(sweep).get('set.beta') // [1, 1, 4, 4]
 */
export function trialColumns({ plan, index }: Pick<Sweep, 'plan' | 'index'>): Map<string, Cell[]> {
  const rows = plan.configurations.flatMap(({ point, trials }) =>
    trials.flatMap((trial) => {
      const { name, seed } = trial;
      const about = { trial: name, seed, failure: index.failureOf(trial)?.message };
      const settings = Object.fromEntries(Object.entries(point).map(([key, value]) => [`set.${key}`, value]));
      const steps = new Set(plan.rungs.steps.map((rung) => stepAt(trial, rung)));
      const results = [...steps].flatMap((step) => index.resultAt(trial, step) ?? []);
      if (results.length === 0) return [{ ...about, ...settings }];
      return results.map(({ step, seconds, values }) => ({ ...about, step, seconds, ...settings, ...values }));
    }),
  ) as Record<string, Cell>[];
  const first = ['trial', 'seed', 'step', 'seconds', 'failure'];
  const others = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !first.includes(name));
  const isSetting = (name: string) => name.startsWith('set.');
  const names = [...first, ...others.filter(isSetting), ...others.filter((name) => !isSetting(name)).sort()];
  return new Map(names.map((name) => [name, rows.map((row) => row[name])]));
}

/** The same as the bytes of a Parquet file. A setting that was a number here and a name there becomes text. */
export function trialsParquet(sweep: Pick<Sweep, 'plan' | 'index'>): Uint8Array {
  const columnData = [...trialColumns(sweep)].map(([name, cells]) => {
    const type = typeOf(name, cells);
    const data = cells.map((cell) => (cell === undefined ? null : type === 'STRING' ? `${cell}` : cell));
    return { name, data, type, nullable: true };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function typeOf(name: string, cells: readonly Cell[]): 'STRING' | 'BOOLEAN' | 'INT32' | 'DOUBLE' {
  const known = new Set(cells.filter((cell) => cell !== undefined).map((cell) => typeof cell));
  if (name === 'seed' || name === 'step') return 'INT32';
  if (known.size !== 1 || known.has('string')) return known.size === 0 && name !== 'failure' ? 'DOUBLE' : 'STRING';
  return known.has('boolean') ? 'BOOLEAN' : 'DOUBLE';
}
