/** What a study found: the numbers of each row over its seeds, beside the paper's. */
import type { ClaimResult } from './claims.ts';
import type { BestOf, Budget, Column, Study, Theirs } from './study.ts';

/** One run's numbers, by column. */
export interface SeedResult {
  seed: number;
  folder: string;
  steps: number;
  seconds: number;
  values: Record<string, number>;
}

export interface MeanCell {
  mean: number;
  /** Standard deviation over seeds (n − 1); undefined for one seed. */
  deviation?: number;
  seeds: number;
  theirs?: Theirs;
}

export interface ArmResult {
  name: string;
  method: string;
  runs: SeedResult[];
  cells: Record<string, MeanCell>;
  /** Why the row is empty. */
  failure?: string;
}

/** What a report is made of. */
export interface StudyReport {
  study: Study;
  results: {
    budget: Budget;
    command: string;
    set: readonly string[];
    complete: boolean;
    arms: readonly ArmResult[];
    claims: readonly ClaimResult[];
  };
  /** Pictures, with the file that Markdown names. */
  figures: readonly { title: string; file: string; png: Uint8Array }[];
}

/** The row of an arm from its runs. */
export function armResult(
  { name, method, theirs }: Study['arms'][number],
  columns: readonly Column[],
  runs: SeedResult[],
): ArmResult {
  const cells: Record<string, MeanCell> = {};
  for (const column of columns) {
    const values = runs.map((run) => run.values[column.name]).filter((value) => Number.isFinite(value));
    if (values.length === 0) continue;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    cells[column.name] = {
      mean,
      seeds: values.length,
      deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : undefined,
      theirs: theirs?.[column.name],
    };
  }
  return { name, method, runs, cells };
}

/** The best of some rows by a column's mean, as a row of its own; undefined where none was measured. */
export function bestResult(
  { name, arms, column, theirs }: BestOf,
  columns: readonly Column[],
  rows: readonly ArmResult[],
): ArmResult | undefined {
  const sign = columns.find((one) => one.name === column)?.better === 'higher' ? 1 : -1;
  const signed = ({ cells }: ArmResult) => sign * (cells[column]?.mean ?? Number.NaN);
  const [best] = rows
    .filter((row) => arms.includes(row.name) && !Number.isNaN(signed(row)))
    .sort((a, b) => signed(b) - signed(a));
  return best && armResult({ name, method: best.method, ...(theirs && { theirs }) }, columns, best.runs);
}

export const meanOf = (theirs: Theirs) => (typeof theirs === 'number' ? theirs : theirs.mean);
