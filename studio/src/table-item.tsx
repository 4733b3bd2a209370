/** A row of a table as the decoder gives it, in the original units: a bar for each number, shares for each category. */
import type { ModelFile } from '../../src/runs/index.ts';
import { number } from './format.ts';

type Data = ModelFile['data'];

/** Standardised values are shown within three deviations. */
const limit = 3;

export function TableItem({ item, data, range }: { item: Float32Array; data: Data; range?: Float32Array | undefined }) {
  const width = item.length;
  const spread = (at: number) => {
    if (!range) return undefined;
    const values = Array.from({ length: range.length / width }, (_, row) => range[row * width + at]);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  return (
    <table class="columns-table">
      <caption class="hidden-visually">The row of this code, in original units</caption>
      <tbody>
        {columnsOf(data).map((column) => (
          <tr key={column.name}>
            <th scope="row">{column.name}</th>
            <td>
              {column.kind === 'number' ? (
                <Bar value={item[column.at]} spread={spread(column.at)} />
              ) : (
                <Shares
                  values={item.subarray(column.at, column.at + column.categories.length)}
                  names={column.categories}
                />
              )}
            </td>
            <td class="number">{wordOf(item, column)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The same in words alone, where there is little room. */
export function TableWords({ item, data }: { item: Float32Array; data: Data }) {
  return (
    <span class="row-words">
      {columnsOf(data).map((column) => (
        <span key={column.name}>
          <span class="soft">{column.name}</span> <span class="number">{wordOf(item, column)}</span>
        </span>
      ))}
    </span>
  );
}

/** A value in its original unit, or the likeliest category. */
function wordOf(item: Float32Array, column: ShownColumn): string {
  return column.kind === 'number'
    ? number(item[column.at] * column.deviation + column.mean)
    : column.categories[best(item, column.at, column.categories.length)];
}

function Bar({ value, spread }: { value: number; spread: readonly [number, number] | undefined }) {
  const place = (one: number) => 50 + 50 * Math.max(-1, Math.min(1, one / limit));
  const [from, to] = [Math.min(50, place(value)), Math.max(50, place(value))];
  return (
    <span class="bar" aria-hidden="true">
      {spread && (
        <span
          class="spread"
          style={{ left: `${place(spread[0])}%`, width: `${place(spread[1]) - place(spread[0])}%` }}
        />
      )}
      <span class="value" style={{ left: `${from}%`, width: `${Math.max(0.8, to - from)}%` }} />
      <span class="middle" />
    </span>
  );
}

function Shares({ values, names }: { values: Float32Array; names: readonly string[] }) {
  const positive = Array.from(values, (value) => Math.max(0, value));
  const sum = positive.reduce((total, value) => total + value, 0) || 1;
  return (
    <span class="shares">
      {names.map((name, k) => (
        <span
          key={name}
          title={`${name}: ${number((100 * positive[k]) / sum, 2)} %`}
          style={{ flexGrow: positive[k] / sum, background: `var(--s${k % 7})` }}
        />
      ))}
    </span>
  );
}

type ShownColumn =
  | { kind: 'number'; name: string; at: number; mean: number; deviation: number }
  | { kind: 'category'; name: string; at: number; categories: string[] };

function columnsOf({ shape, transformation }: Data): ShownColumn[] {
  if (!transformation) {
    const columns = shape.kind === 'table' ? shape.columns : [];
    return columns.map((name, at) => ({ kind: 'number', name, at, mean: 0, deviation: 1 }));
  }
  let at = 0;
  return transformation.columns.map((column): ShownColumn => {
    const start = at;
    at += column.kind === 'number' ? 1 : column.categories.length;
    return column.kind === 'number'
      ? { kind: 'number', name: column.name, at: start, mean: column.mean, deviation: column.deviation }
      : { kind: 'category', name: column.name, at: start, categories: column.categories };
  });
}

function best(item: Float32Array, at: number, count: number): number {
  let found = 0;
  for (let k = 1; k < count; k++) if (item[at + k] > item[at + found]) found = k;
  return found;
}
