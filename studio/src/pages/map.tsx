/** The map: codes of a block in the plane, by t-SNE, UMAP or two of its dimensions. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ModelBlock } from '../../../src/model/index.ts';
import type { RunDetail } from '../api.ts';
import { dimensionsByKl } from '../codes.ts';
import type { EmbedProgress, EmbedRequest } from '../embed-worker.ts';
import { numberText, roleTexts } from '../format.ts';
import { imageFacts } from '../image.ts';
import type { PageProps } from '../main.tsx';
import { type ColourChoice, fetchMap, itemSource, type MapData, meanItem } from '../map-data.ts';
import { Scatter } from '../scatter.tsx';
import { Strip } from '../strip.tsx';
import { Note, Trouble, useLoaded, Waiting } from '../ui.tsx';
import { WithRun } from '../with-model.tsx';

export function MapPage({ route }: PageProps) {
  return (
    <WithRun route={route} view="map">
      {(run) => <RunMap run={run} />}
    </WithRun>
  );
}

function RunMap({ run }: { run: RunDetail }) {
  const { model } = run;
  if (model?.encodes) return <MapOf run={run} blocks={model.blocks} />;
  const reason = model
    ? `${model.title} has no encoder, so items have no codes to map.`
    : 'This run has no model yet: it is written with the first checkpoint.';
  return (
    <Note>
      <p>{reason}</p>
    </Note>
  );
}

const kinds = ['t-SNE', 'UMAP', 'two dimensions'] as const;
type Kind = (typeof kinds)[number];
const counts = [500, 1000, 2000, 5000, 10_000];

function MapOf({ run, blocks }: { run: RunDetail; blocks: readonly ModelBlock[] }) {
  const [block, setBlock] = useState(
    blocks.find(({ role }) => role === 'salient') ?? blocks.find(({ kind }) => kind === 'gaussian') ?? blocks[0],
  );
  const [kind, setKind] = useState<Kind>(block.size > 2 ? 't-SNE' : 'two dimensions');
  const [count, setCount] = useState(1000);
  const data = useLoaded(() => fetchMap(run, block, count), `${block.name} ${count}`);
  return (
    <>
      <div class="row bar">
        <label class="row small soft">
          Block
          <select value={block.name} onChange={(event) => setBlock(blocks[event.currentTarget.selectedIndex])}>
            {blocks.map(({ name, role }) => (
              <option key={name} value={name}>
                {name}, {roleTexts[role]}
              </option>
            ))}
          </select>
        </label>
        <label class="row small soft">
          Placed by
          <select value={kind} onChange={(event) => setKind(kinds[event.currentTarget.selectedIndex])}>
            {kinds.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label class="row small soft">
          Items
          <select value={String(count)} onChange={(event) => setCount(Number(event.currentTarget.value))}>
            {counts.map((one) => (
              <option key={one} value={String(one)}>
                {numberText(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!data && <Waiting what={`Encoding ${numberText(count)} items …`} />}
      {data && 'error' in data && <Trouble error={data.error} />}
      {data && 'value' in data && (
        <Drawn key={`${block.name} ${count}`} run={run} block={block} data={data.value} kind={kind} count={count} />
      )}
    </>
  );
}

interface DrawnProps {
  run: RunDetail;
  block: ModelBlock;
  data: MapData;
  kind: Kind;
  /** How many items were asked for. */
  count: number;
}

function Drawn({ run, block, data, kind, count }: DrawnProps) {
  const { at, done, error } = useEmbedding(data, block, kind);
  const [shade, setShade] = useState(0);
  const [lasso, setLasso] = useState(false);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [pointed, setPointed] = useState<{ index: number; x: number; y: number }>();
  const colouring = data.colourings[shade];
  const items = useMemo(() => itemSource(run, data.targets), [run, data]);
  const { colours, colourOf, markOf } = colouring;
  const points = useMemo(() => at && { at, colours, colourOf, markOf }, [at, colours, colourOf, markOf]);
  const chosenSet = useMemo(() => new Set(chosen), [chosen]);
  if (error) return <Trouble error={new Error(error)} />;
  return (
    <div class="map">
      <div class="field-of-points">
        {points ? (
          <Scatter
            points={points}
            label={`${data.n} items by their code ${block.name}`}
            lasso={lasso}
            chosen={chosenSet}
            onPoint={(index, place) => setPointed(index === undefined ? undefined : { index, ...place })}
            onLasso={(indices) => {
              setChosen(indices);
              setLasso(false);
            }}
          />
        ) : (
          <div class="scatter blank">
            <p class="soft">Finding each item’s neighbours …</p>
          </div>
        )}
        {pointed && <Pointed {...pointed} run={run} data={data} items={items} />}
        {done < 1 && <progress max={1} value={done} aria-label={`${kind}: ${Math.round(100 * done)} %`} />}
      </div>
      <aside>
        <label class="row small soft">
          Coloured by
          <select value={String(shade)} onChange={(event) => setShade(event.currentTarget.selectedIndex)}>
            {data.colourings.map(({ name }, k) => (
              <option key={name} value={String(k)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Legend colouring={colouring} />
        {data.n < count && (
          <p class="small soft">The run holds out {numberText(data.n)} items: these are all of them.</p>
        )}
        <div class="row">
          <button type="button" aria-pressed={lasso} onClick={() => setLasso(!lasso)}>
            Lasso
          </button>
          {chosen.length > 0 && (
            <button type="button" class="plain soft" onClick={() => setChosen([])}>
              None
            </button>
          )}
        </div>
        {chosen.length === 0 ? (
          <p class="small soft">{lasso ? 'Draw around some points.' : 'Drag to move, wheel or pinch to zoom.'}</p>
        ) : (
          <Chosen indices={chosen} run={run} items={items} />
        )}
      </aside>
    </div>
  );
}

/** Positions as they come: at once for two dimensions, from a worker otherwise. */
function useEmbedding(
  { codes, n, d }: MapData,
  block: ModelBlock,
  kind: Kind,
): { at?: Float32Array; done: number; error?: string } {
  const [state, setState] = useState<{ at?: Float32Array; done: number; error?: string }>({ done: 0 });
  useEffect(() => {
    if (kind === 'two dimensions') {
      const [first, second = first] = dimensionsByKl(block);
      const at = new Float32Array(2 * n);
      for (let i = 0; i < n; i++) at.set([codes[i * d + first], d > 1 ? codes[i * d + second] : 0], 2 * i);
      setState({ at, done: 1 });
      return;
    }
    setState({ done: 0 });
    const worker = new Worker(new URL('../embed-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data: { done, embedding, error } }: MessageEvent<EmbedProgress>) =>
      setState((now) => ({
        at: embedding ?? now.at,
        done,
        error,
      })),
    );
    worker.addEventListener('error', (event) =>
      setState({ done: 1, error: event.message || 'The worker could not start.' }),
    );
    worker.postMessage({ kind, x: codes, n, d } satisfies EmbedRequest);
    return () => worker.terminate();
  }, [codes, n, d, block, kind]);
  return state;
}

const signs = ['●', '■', '▲'];

function Legend({ colouring: { name, legend } }: { colouring: ColourChoice }) {
  if (legend.length < 2) return null;
  return (
    <ul class="key" aria-label={`Colours of ${name}`}>
      {legend.map(({ word, colour, mark }) => (
        <li key={word}>
          <span aria-hidden="true" style={{ color: colour.startsWith('--') ? `var(${colour})` : colour }}>
            {signs[mark]}
          </span>{' '}
          {word}
        </li>
      ))}
    </ul>
  );
}

interface PointedProps {
  index: number;
  x: number;
  y: number;
  run: RunDetail;
  data: MapData;
  items: (i: number) => Promise<Float32Array>;
}

function Pointed({ index, x, y, run, data, items }: PointedProps) {
  const item = useLoaded(() => items(index), String(index));
  const facts = run.model && imageFacts(run.model.data);
  return (
    <div class="pointed" style={{ left: `${x + 14}px`, top: `${y + 14}px` }}>
      {facts && item && 'value' in item && <Strip items={item.value} facts={facts} columns={1} label="" />}
      <span class="small">
        {data.colourings
          .filter(({ name }) => name !== 'nothing')
          .slice(0, 3)
          .map(({ name, wordOf }) => (
            <span key={name}>
              {name} {wordOf(index)}
              <br />
            </span>
          ))}
      </span>
    </div>
  );
}

/** The mean is taken over so many at most. */
const mostItems = 2000;

function Chosen({
  indices,
  run,
  items,
}: {
  indices: readonly number[];
  run: RunDetail;
  items: (i: number) => Promise<Float32Array>;
}) {
  const facts = run.model && imageFacts(run.model.data);
  const loaded = useLoaded(() => Promise.all(indices.slice(0, mostItems).map(items)), indices.join());
  if (!facts) return <p class="small">{numberText(indices.length)} items</p>;
  if (!loaded) return <Waiting what="Fetching the items …" />;
  if ('error' in loaded) return <Trouble error={loaded.error} />;
  const all = loaded.value;
  return (
    <div class="chosen-items">
      <p>
        <strong class="number">{numberText(indices.length)}</strong> items
        {indices.length > mostItems && `, the mean over ${numberText(mostItems)} of them`}
      </p>
      <Strip items={meanItem(all)} facts={facts} columns={1} label={`Mean of ${indices.length} items`} class="mean" />
      <div class="items">
        {all.slice(0, 24).map((item, i) => (
          <Strip key={indices[i]} items={item} facts={facts} columns={1} label={`Item ${indices[i]}`} class="thumb" />
        ))}
      </div>
    </div>
  );
}
