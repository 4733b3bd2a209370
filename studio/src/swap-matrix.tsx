/** The matrix of swaps: each cell takes the chosen part of the code from its column's item, all else from its row's. */
import { type Codes, itemSize } from '../../src/model/index.ts';
import type { ImageFacts } from './image.ts';
import type { BrowserModel } from './model.ts';
import { Strip } from './strip.tsx';
import { TableWords } from './table-item.tsx';

/** What is taken from the columns: whole blocks, or single dimensions as `z 3`. */
export type Taken = ReadonlySet<string>;
export type Place = { side: 'rows' | 'columns'; index: number };

interface MatrixProps {
  items: { rows: Float32Array[]; columns: Float32Array[] };
  /** Row after row. */
  made: Float32Array;
  facts: ImageFacts | undefined;
  data: BrowserModel['file']['data'];
  /** Without it, items at the edge stay. */
  onChange?: (place: Place) => void;
}

export function SwapMatrix({ items: { rows, columns }, made, facts, data, onChange }: MatrixProps) {
  const size = itemSize(data.shape);
  const show = (item: Float32Array, label: string) =>
    facts ? <Strip items={item} facts={facts} columns={1} label={label} /> : <TableWords item={item} data={data} />;
  const edge = (which: Place['side'], index: number, item: Float32Array) => {
    if (!onChange) return show(item, `${which === 'rows' ? 'Row' : 'Column'} ${index + 1}`);
    const label = `${which === 'rows' ? 'Row' : 'Column'} ${index + 1}: choose another item`;
    return (
      <button
        type="button"
        class="plain item"
        aria-label={label}
        title={label}
        onClick={() => onChange({ side: which, index })}
      >
        {show(item, '')}
      </button>
    );
  };
  return (
    <div class={facts ? '' : 'scroll'}>
      <table class={facts ? 'matrix' : 'matrix wide'}>
        <caption class="hidden-visually">Swaps: columns give the chosen part, rows all else</caption>
        <thead>
          <tr>
            <td />
            {columns.map((item, c) => (
              <th key={c} scope="col">
                {edge('columns', c, item)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((item, r) => (
            <tr key={r}>
              <th scope="row">{edge('rows', r, item)}</th>
              {columns.map((_, c) => {
                const at = r * columns.length + c;
                return (
                  <td key={c}>
                    {show(made.subarray(at * size, (at + 1) * size), `Row ${r + 1} with the part of column ${c + 1}`)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export async function swapped(
  model: BrowserModel,
  { rows, columns }: { rows: Float32Array[]; columns: Float32Array[] },
  taken: Taken,
): Promise<Float32Array> {
  const [ofRows, ofColumns] = [await model.encode(joined(rows)), await model.encode(joined(columns))];
  const count = rows.length * columns.length;
  const codes: Codes = {};
  for (const { name, size } of model.file.blocks) {
    const values = new Float32Array(count * size);
    for (let r = 0; r < rows.length; r++)
      for (let c = 0; c < columns.length; c++)
        for (let k = 0; k < size; k++) {
          const isTaken = taken.has(name) || taken.has(`${name} ${k}`);
          values[(r * columns.length + c) * size + k] = isTaken
            ? ofColumns[name][c * size + k]
            : ofRows[name][r * size + k];
        }
    codes[name] = values;
  }
  return await model.decode(codes, count);
}

function joined(items: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(items.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const item of items) {
    out.set(item, at);
    at += item.length;
  }
  return out;
}
