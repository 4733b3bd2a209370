/** What a dimension does to rows of a table: the columns that change most, in their own units. */
import type { Explanation, ToldChange } from './explanation.ts';

/** A column as the model's numbers hold it: one number of a given scale, or a share for each category. */
export type ExplainedColumn =
  | { kind: 'number'; name: string; at: number; deviation: number }
  | { kind: 'category'; name: string; at: number; categories: readonly string[] };

/** The part of the change below which a column is not told. */
const least = 0.08;
const most = 12;

/** Explains traversals of rows of `width` numbers, each from the lowest value to the highest. */
export function explainTable(
  traversals: readonly Float32Array[],
  width: number,
  columns: readonly ExplainedColumn[],
): Explanation {
  const change = Array.from({ length: width }, (_, at) => {
    const ends = traversals.map((rows) => rows[rows.length - width + at] - rows[at]);
    return ends.reduce((sum, end) => sum + end, 0) / ends.length;
  });
  const measured = columns.map((column) => {
    const own = change.slice(column.at, column.at + (column.kind === 'number' ? 1 : column.categories.length));
    return { column, own, energy: own.reduce((sum, one) => sum + one * one, 0) };
  });
  const total = measured.reduce((sum, { energy }) => sum + energy, 0);
  // A hundredth of a deviation over the whole traversal is nothing.
  if (total < 1e-4) return { changes: [], explained: 0, isSeveral: false, name: 'does next to nothing' };
  const changes = measured
    .sort((a, b) => b.energy - a.energy)
    .slice(0, most)
    .flatMap(({ column, own, energy }): ToldChange[] => {
      const share = energy / total;
      return share < least ? [] : [{ kind: column.name, share, ...columnWords(column, own) }];
    });
  const told = changes.slice(0, 2);
  const explained = told.reduce((sum, { share }) => sum + share, 0);
  const isSeveral = explained < 0.5;
  return {
    changes,
    explained,
    isSeveral,
    name: isSeveral ? 'several things' : told.map(({ words }) => words).join(' and '),
  };
}

function columnWords(column: ExplainedColumn, own: readonly number[]): Omit<ToldChange, 'kind' | 'share'> {
  if (column.kind === 'category') {
    const [up, down] = [own.indexOf(Math.max(...own)), own.indexOf(Math.min(...own))];
    return { words: `${column.name} from ${column.categories[down]} to ${column.categories[up]}` };
  }
  const amount = own[0] * column.deviation;
  const size = Math.abs(amount);
  const places = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(size || 1))));
  return { words: `${column.name} ${amount > 0 ? '+' : '−'}${size.toFixed(places)}`, amount };
}
