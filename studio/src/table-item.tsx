/** A row of a table as the decoder gives it, in the original units: a bar for each number, shares for each category. */
import { largest } from '../../src/model/index.ts';
import type { ModelFile } from '../../src/runs/index.ts';
import { numberText } from './format.ts';

type Data = ModelFile['data'];

/** Standardised values are shown within three deviations. */
const limit = 3;

export interface TableItemProps {
  item: Float32Array;
  data: Data;
  /** Items that say how far each number goes, and what they are. */
  range?: Float32Array | undefined;
  caption?: string | undefined;
}

export function TableItem({ item, data, range, caption }: TableItemProps) {
  const width = item.length;
  const spread = (at: number) => {
    if (!range) return undefined;
    const values = Array.from({ length: range.length / width }, (_, row) => range[row * width + at]);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled should be within a keyboard's reach
    <section class="rows" aria-label="The row of this code, in original units" tabIndex={0}>
      <table class="columns-table">
        {caption && <caption class="small soft number">{caption}</caption>}
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
    </section>
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

/** A value in its original unit with as many decimals as its spread asks for, or the likeliest category. */
function wordOf(item: Float32Array, column: ShownColumn): string {
  const { at } = column;
  if (column.kind === 'category') return column.categories[largest(item.subarray(at, at + column.categories.length))];
  const decimals = Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(column.deviation))));
  return (item[at] * column.deviation + column.mean).toFixed(decimals).replace('-', '−');
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
          title={`${name}: ${numberText((100 * positive[k]) / sum, 2)} %`}
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
