/**
 * The known columns of some items as metrics can use them. A column may have gaps (NaN): metrics that look at known columns then
 * see the rows that have them all. A column that is nearly empty, or the same in every row, is left out.
 */
import type { Numbers } from '../analysis/index.ts';
import type { CodeTable, FactorTable, Inputs, Need } from './metric.ts';
import { column } from './rows.ts';

/** Which rows and columns of a factor table are without gaps. */
export interface Complete {
  rows: Uint32Array;
  /** Places of the columns that are used. */
  columns: number[];
  /** Sentences on rows and columns that are left out for their gaps. */
  gaps: string[];
  /** And on columns that say nothing. */
  constant: string[];
}

type Table = { factors: readonly { name: string }[]; values: Numbers };

/** A metric with one of these needs looks at known columns, if there are any. */
const looking: readonly Need[] = ['factors', 'continuous factors', 'classes', 'blocks'];

/** The inputs of a metric, and what is to be said of them. */
export function inputsFor(needs: readonly Need[], inputs: Inputs): { inputs: Inputs; notes: string[] } {
  const { factors } = inputs;
  const n = inputs.codes?.n ?? factors?.n;
  if (factors === undefined || factors.n !== n) return { inputs, notes: [] };
  if (!needs.some((need) => looking.includes(need))) return { inputs: { ...inputs, factors: undefined }, notes: [] };
  const { rows, columns, gaps, constant } = completeRows(factors, factors.n);
  const isWhole = rows.length === factors.n && columns.length === factors.factors.length;
  return { inputs: isWhole ? inputs : cut(inputs, factors, rows, columns), notes: [...gaps, ...constant] };
}

/**
 * The rows in which the columns have values. Columns come in by how few gaps they have, and one that would cost more than half of
 * the rows that are left stays out.
 */
export function completeRows({ factors, values }: Table, n: number): Complete {
  const width = factors.length;
  const counts = factors.map((_, k) => {
    let count = 0;
    for (let i = 0; i < n; i++) if (Number.isNaN(values[i * width + k])) count++;
    return count;
  });
  const named = (places: readonly number[]) => places.map((k) => `“${factors[k].name}”`).join(', ');
  const sparse: number[] = [];
  const gappy: number[] = [];
  let rows = Uint32Array.from({ length: n }, (_, i) => i);
  for (const k of [...counts.keys()].sort((a, b) => counts[a] - counts[b])) {
    if (counts[k] === 0) continue;
    const left = rows.filter((i) => !Number.isNaN(values[i * width + k]));
    if (left.length * 2 < rows.length) sparse.push(k);
    else {
      gappy.push(k);
      rows = left;
    }
  }
  const used = [...factors.keys()].filter((k) => !sparse.includes(k));
  const same = used.filter((k) => rows.every((i) => values[i * width + k] === values[rows[0] * width + k]));
  const gaps: string[] = [];
  if (gappy.length > 0)
    gaps.push(
      `Known columns have gaps (${named(gappy)}): they are measured on the ${rows.length} of ${n} rows that have them all.`,
    );
  if (sparse.length > 0) gaps.push(`Known columns are missing in most rows, and so not measured: ${named(sparse)}.`);
  return {
    rows,
    columns: used.filter((k) => !same.includes(k)),
    gaps,
    constant: same.length === 0 ? [] : [`Known columns are the same in all rows, and so not measured: ${named(same)}.`],
  };
}

function cut(inputs: Inputs, factors: FactorTable, rows: Uint32Array, columns: readonly number[]): Inputs {
  const { codes, probabilities, labels } = inputs;
  const known = columns.map((k) => column(factors.values, factors.factors.length, k, rows));
  return {
    ...inputs,
    codes: codes && takenCodes(codes, rows),
    probabilities: probabilities && takenCodes(probabilities, rows),
    labels: labels && { ...labels, values: Uint16Array.from(rows, (row) => labels.values[row]) },
    factors:
      columns.length === 0
        ? undefined
        : {
            n: rows.length,
            factors: columns.map((k) => factors.factors[k]),
            values: Float64Array.from({ length: rows.length * columns.length }, (_, at) => {
              return known[at % columns.length][Math.floor(at / columns.length)];
            }),
          },
  };
}

function takenCodes(codes: CodeTable, rows: Uint32Array): CodeTable {
  const { values, d, logVariance, prior } = codes;
  return {
    ...codes,
    n: rows.length,
    values: taken(values, d, rows),
    logVariance: logVariance && taken(logVariance, d, rows),
    prior: prior && { mean: taken(prior.mean, d, rows), logVariance: taken(prior.logVariance, d, rows) },
  };
}

function taken(values: Numbers, width: number, rows: Uint32Array): Float64Array {
  const out = new Float64Array(rows.length * width);
  for (let i = 0; i < rows.length; i++)
    for (let j = 0; j < width; j++) out[i * width + j] = values[rows[i] * width + j];
  return out;
}
