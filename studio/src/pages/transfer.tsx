/** Transfer: the matrix of swaps. Each cell takes the chosen part of the code from its column's item, all else from its row's. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { itemSize, type ModelBlock } from '../../../src/model/index.ts';
import type { ItemPart } from '../../../src/studio/items.ts';
import { api, type RunDetail } from '../api.ts';
import { dimensionsByKl } from '../codes.ts';
import { roleTexts } from '../format.ts';
import { imageFacts } from '../image.ts';
import { ItemPicker } from '../item-picker.tsx';
import { useLatest } from '../latest.ts';
import type { PageProps } from '../main.tsx';
import type { BrowserModel } from '../model.ts';
import { type Place, SwapMatrix, swapped, type Taken } from '../swap-matrix.tsx';
import { Check, Note, Trouble, Waiting } from '../ui.tsx';
import { WithModel, WithRun } from '../with-model.tsx';

/** Items along each side; rows of a table take more room. */
const [pictures, tableRows] = [6, 4];

export function TransferPage({ route }: PageProps) {
  return (
    <WithRun route={route} view="transfer">
      {(run) => (
        <WithModel run={run}>
          {(model) =>
            model.file.encodes ? (
              <Transfer run={run} model={model} />
            ) : (
              <Note>
                <p>{model.file.title} has no encoder, so items have no codes to swap.</p>
              </Note>
            )
          }
        </WithModel>
      )}
    </WithRun>
  );
}

function Transfer({ run, model }: { run: RunDetail; model: BrowserModel }) {
  const { blocks, data } = model.file;
  const facts = useMemo(() => imageFacts(data), [data]);
  const side = facts ? pictures : tableRows;
  const [taken, setTaken] = useState<Taken>(() => new Set([firstTaken(model)]));
  const [items, setItems] = useState<{ rows: Float32Array[]; columns: Float32Array[] }>();
  const [parts, setParts] = useState<{ rows: ItemPart; columns: ItemPart }>({
    rows: run.background ? 'background' : 'test',
    columns: 'test',
  });
  const [from, setFrom] = useState(0);
  const [changing, setChanging] = useState<Place>();
  const [error, setError] = useState<Error>();

  useEffect(() => {
    let left = false;
    const split = ({ values, count }: { values: Float32Array; count: number }) =>
      Array.from({ length: count }, (_, i) => values.slice(i * itemSize(data.shape), (i + 1) * itemSize(data.shape)));
    Promise.all([
      api.items(run.name, parts.rows, from, side),
      api.items(run.name, parts.columns, from + side, side),
    ]).then(
      ([rows, columns]) => !left && setItems({ rows: split(rows), columns: split(columns) }),
      (thrown: Error) => !left && setError(thrown),
    );
    return () => {
      left = true;
    };
  }, [run.name, data, parts, from, side]);

  const matrix = useLatest(
    useCallback(async () => {
      if (!items || items.rows.length === 0 || items.columns.length === 0) return undefined;
      return { items, made: await swapped(model, items, taken) };
    }, [model, items, taken]),
  );

  if (error) return <Trouble error={error} />;
  const toggle = (key: string) =>
    setTaken((now) => new Set(now.has(key) ? [...now].filter((one) => one !== key) : [...now, key]));
  const pick = (item: Float32Array) => {
    if (!changing) return;
    setItems(
      (now) =>
        now && { ...now, [changing.side]: now[changing.side].map((old, i) => (i === changing.index ? item : old)) },
    );
    setChanging(undefined);
  };
  const shown = blocks.filter((block) => model.takes(block));
  return (
    <>
      <p class="lead">
        Each picture has the chosen part of its code from the item above it, and all else from the item beside it.
      </p>
      <div class="transfer">
        <form class="taken" aria-label="What to take from the columns" onSubmit={(event) => event.preventDefault()}>
          <h2>Take from above</h2>
          {shown.map((block) => (
            <BlockChoice
              key={block.name}
              block={block}
              names={run.names[block.name] ?? {}}
              taken={taken}
              onToggle={toggle}
              open={shown.length === 1}
            />
          ))}
          <div class="row actions">
            <button type="button" onClick={() => setFrom(from + 2 * side)}>
              Other items
            </button>
            {run.background && (
              <label class="row small soft">
                Beside
                <select
                  value={parts.rows}
                  onChange={(event) =>
                    setParts({ ...parts, rows: event.currentTarget.value === 'background' ? 'background' : 'test' })
                  }
                >
                  <option value="background">background</option>
                  <option value="test">target</option>
                </select>
              </label>
            )}
          </div>
          <p class="small soft">Click an item at the edge to put another in its place.</p>
        </form>
        <div>
          {changing && (
            <div class="changing">
              <div class="row spread">
                <h3>Another item</h3>
                <button type="button" class="plain" onClick={() => setChanging(undefined)}>
                  Close
                </button>
              </div>
              <ItemPicker run={run} onPick={pick} />
            </div>
          )}
          {!matrix && <Waiting what="Encoding the items …" />}
          {matrix && <SwapMatrix {...matrix} facts={facts} data={data} onChange={setChanging} />}
        </div>
      </div>
    </>
  );
}

function BlockChoice({
  block,
  names,
  taken,
  onToggle,
  open,
}: {
  block: ModelBlock;
  names: Record<string, string>;
  taken: Taken;
  onToggle: (key: string) => void;
  open: boolean;
}) {
  return (
    <fieldset>
      <Check checked={taken.has(block.name)} onChange={() => onToggle(block.name)}>
        <span>
          {block.name} <span class="soft small">{roleTexts[block.role]}</span>
        </span>
      </Check>
      {block.kind === 'gaussian' && block.size > 1 && !taken.has(block.name) && (
        <details open={open}>
          <summary class="small">single dimensions</summary>
          <div class="dimensions">
            {dimensionsByKl(block).map((index) => (
              <Check
                key={index}
                looks="small"
                checked={taken.has(`${block.name} ${index}`)}
                onChange={() => onToggle(`${block.name} ${index}`)}
              >
                {names[index] || `${block.name} ${index}`}
              </Check>
            ))}
          </div>
        </details>
      )}
    </fieldset>
  );
}

/** The block that is worth swapping: the salient one, else the class, else the dimension that carries most. */
function firstTaken(model: BrowserModel): string {
  const blocks = model.file.blocks.filter((block) => model.takes(block));
  const found =
    blocks.find(({ role }) => role === 'salient') ??
    blocks.find(({ role }) => role === 'class-related') ??
    blocks.find(({ role }) => role === 'class');
  if (found) return found.name;
  return `${blocks[0].name} ${dimensionsByKl(blocks[0])[0]}`;
}
