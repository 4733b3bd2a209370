/**
 * The live figures of the site, each a function that draws into an element: the mixer, the matrix of swaps and the training in the
 * tab, as the studio has them. A figure stands in a shadow of its own, so that its style and the page's keep apart.
 */
import { type ComponentChild, render } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { itemSize } from '../../src/model/index.ts';
import type { ModelFile } from '../../src/runs/index.ts';
import { imageFacts } from './image.ts';
import { useLatest } from './latest.ts';
import mixerStyle from './mixer.css?inline';
import { Mixer } from './mixer.tsx';
import { type BrowserModel, loadModel } from './model.ts';
import { Live, type LiveMethod } from './pages/live.tsx';
import pagesStyle from './pages/pages.css?inline';
import { asError, Toast } from './said.tsx';
import { SwapMatrix, swapped } from './swap-matrix.tsx';
import uiStyle from './ui.css?inline';

const runtime = new URL('./ort/', import.meta.url).href;

/** The mixer on the model that lies in a folder. */
export async function showMixer(element: HTMLElement, folder: string): Promise<void> {
  const model = await opened(folder);
  draw(element, <Mixer model={model} />);
}

/** Swaps of a model's salient block between items that lie beside it: background items in rows, target items in columns. */
export async function showSwaps(element: HTMLElement, folder: string): Promise<void> {
  const [model, items] = await Promise.all([opened(folder), numbersIn(`${folder}items.f32`)]);
  draw(element, <Swaps model={model} items={items} />);
}

/** A training in the tab. */
export async function showTraining(element: HTMLElement, methods: readonly LiveMethod[]): Promise<void> {
  draw(element, <Live methods={methods} runs={[]} runtime={runtime} />);
}

function Swaps({ model, items }: { model: BrowserModel; items: Float32Array }) {
  const blocks = model.file.blocks.filter((block) => model.takes(block));
  const [taken, setTaken] = useState(() => blocks.find(({ role }) => role === 'salient')?.name ?? blocks[0].name);
  const facts = imageFacts(model.file.data);
  const sides = useMemo(() => {
    const size = itemSize(model.file.data.shape);
    const all = Array.from({ length: items.length / size }, (_, i) => items.subarray(i * size, (i + 1) * size));
    return { rows: all.slice(0, all.length / 2), columns: all.slice(all.length / 2) };
  }, [model, items]);
  const made = useLatest(useCallback(() => swapped(model, sides, new Set([taken])), [model, sides, taken]));
  return (
    <div class="swaps">
      <fieldset class="row actions">
        <legend class="small soft">Taken from above; all else is from beside</legend>
        {blocks.map(({ name, role }) => (
          <label key={name} class="check">
            <input type="radio" name="taken" checked={taken === name} onChange={() => setTaken(name)} />
            <span>
              {name} <span class="soft small">{role}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {made && <SwapMatrix items={sides} made={made} facts={facts} data={model.file.data} />}
    </div>
  );
}

const models = new Map<string, Promise<BrowserModel>>();

function opened(folder: string): Promise<BrowserModel> {
  const known = models.get(folder);
  if (known) return known;
  const model = fetched(`${folder}model/model.json`)
    .then((response) => response.json())
    .then((file: ModelFile) =>
      loadModel(
        file,
        async (name) => new Uint8Array(await (await fetched(`${folder}model/${name}`)).arrayBuffer()),
        runtime,
      ),
    );
  models.set(folder, model);
  return model;
}

async function numbersIn(url: string): Promise<Float32Array> {
  return new Float32Array(await (await fetched(url)).arrayBuffer());
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (response.ok) return response;
  throw new Error(`${url} could not be loaded (${response.status}).`);
}

/** Styles of the studio are for a whole page; in a shadow the page is its host. */
const style = `${[uiStyle, mixerStyle, pagesStyle]
  .join('\n')
  .replace(/:root:not\(([^)]*)\)/g, ':host(:not($1))')
  .replace(/:root(\[[^\]]*\])/g, ':host($1)')
  .replace(/:root/g, ':host')
  .replace(/(^|[},\s])body(?=[\s,{])/g, '$1.page')}
.page { background: none; padding: 0; min-height: 0; display: block; }
.mixer { gap: 32px; grid-template-columns: minmax(200px, 260px) minmax(0, 1fr); }
.stage { position: static; }
.dimension { grid-template-columns: minmax(32px, 64px) minmax(80px, 1fr) 44px 80px; gap: 10px; margin: 0; padding: 3px 0; }
@media (max-width: 700px) { .mixer { grid-template-columns: minmax(0, 1fr); } }`;

function draw(element: HTMLElement, child: ComponentChild): void {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
  const sheet = document.createElement('style');
  sheet.textContent = style;
  const page = document.createElement('div');
  page.className = 'page';
  shadow.replaceChildren(sheet, page);
  try {
    render(
      <>
        {child}
        <Toast />
      </>,
      page,
    );
  } catch (thrown) {
    page.textContent = asError(thrown).message;
  }
}
