/** Items of a run's data to choose from, a page at a time. */
import { useState } from 'preact/hooks';
import { itemSize } from '../../src/model/index.ts';
import type { ItemPart } from '../../src/studio/items.ts';
import { api, type RunDetail } from './api.ts';
import { numberText } from './format.ts';
import { imageFacts } from './image.ts';
import { Strip } from './strip.tsx';
import { Trouble, useLoaded, Waiting } from './ui.tsx';

const pageSize = 24;

export function ItemPicker({
  run,
  onPick,
}: {
  run: RunDetail;
  onPick: (item: Float32Array, index: number, part: ItemPart) => void;
}) {
  const [part, setPart] = useState<ItemPart>('test');
  const [from, setFrom] = useState(0);
  const { name, model } = run;
  const page = useLoaded(async () => {
    const [items, labels] = await Promise.all([
      api.items(name, part, from, pageSize),
      api.labels(name, part, from, pageSize).catch(() => ({})),
    ]);
    return { ...items, ...labels };
  }, `${name} ${part} ${from}`);
  if (!model) return null;
  const facts = imageFacts(model.data);
  const size = itemSize(model.data.shape);
  if (page && 'error' in page) return <Trouble error={page.error} />;
  const loaded = page?.value;
  const labelOf = (i: number) => {
    const { labels } = loaded ?? {};
    return labels ? labels.names[labels.values[i]] : undefined;
  };
  return (
    <fieldset class="picker" aria-label="Items of the data">
      {!loaded && <Waiting what="Fetching items …" />}
      <div class={facts ? 'items' : 'items words'}>
        {loaded &&
          Array.from({ length: loaded.count }, (_, i) => {
            const item = loaded.values.subarray(i * size, (i + 1) * size);
            const title = `Item ${from + i}${labelOf(i) === undefined ? '' : `, ${labelOf(i)}`}`;
            return (
              <button
                type="button"
                key={from + i}
                class="plain item"
                title={title}
                aria-label={title}
                onClick={() => onPick(item.slice(), from + i, part)}
              >
                {facts ? <Strip items={item} facts={facts} columns={1} label="" /> : title}
              </button>
            );
          })}
      </div>
      <div class="row small">
        <button type="button" class="plain" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - pageSize))}>
          ← Before
        </button>
        <span class="soft number">
          {loaded ? `${numberText(from + 1)}–${numberText(from + loaded.count)} of ${numberText(loaded.total)}` : ''}
        </span>
        <button
          type="button"
          class="plain"
          disabled={!loaded || from + pageSize >= loaded.total}
          onClick={() => setFrom(from + pageSize)}
        >
          After →
        </button>
        {run.background && (
          <select
            aria-label="Which set"
            value={part}
            onChange={(event) => {
              setPart(event.currentTarget.value === 'background' ? 'background' : 'test');
              setFrom(0);
            }}
          >
            <option value="test">target</option>
            <option value="background">background</option>
          </select>
        )}
      </div>
    </fieldset>
  );
}
