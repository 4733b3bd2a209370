/**
 * The mixer: a slider for each dimension of the code, and what the decoder makes of it. The studio's page of that name and the
 * page of an export both show it.
 */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Codes,
  type ModelBlock,
  priorOf,
  randomCodes,
  startingCodes,
  traversed,
  withChosenClasses,
  withValue,
} from '../../src/model/index.ts';
import type { Names } from '../../src/studio/names.ts';
import { BlockControls, type Dimension } from './block-controls.tsx';
import { between, dimensionsByKl, sliderRange } from './codes.ts';
import type { Explanations } from './explanations.ts';
import { signedText } from './format.ts';
import { gapOf, type ImageFacts, imageFacts, itemOfImage } from './image.ts';
import { useLatest } from './latest.ts';
import type { BrowserModel } from './model.ts';
import { asError, toast } from './said.tsx';
import { Strip } from './strip.tsx';
import { TableItem } from './table-item.tsx';
import './choices.css';
import './mixer.css';

const stripLength = 9;

export interface MixerProps {
  model: BrowserModel;
  /** The code before anything is moved. */
  from?: Codes;
  onCodes?: (codes: Codes) => void;
  /** What dimensions do, as far as it is measured. */
  explanations?: Explanations;
  /** Names that people gave to dimensions. */
  names?: Names;
  onName?: (block: string, index: number, name: string) => void;
  /** Where items of the data are, a choice of one to start from. */
  picker?: (onPick: (item: Float32Array) => void) => ComponentChildren;
  /** More that can be done. */
  children?: ComponentChildren;
}

export function Mixer({ model, from, onCodes, explanations = {}, names = {}, onName, picker, children }: MixerProps) {
  const { file } = model;
  const { blocks } = file;
  const facts = useMemo(() => imageFacts(file.data), [file]);
  const [codes, setCodes] = useState(() => from ?? startingCodes(blocks));
  const [start, setStart] = useState(() => startingCodes(blocks));
  const [looked, setLooked] = useState(() => mostTelling(model));
  const [given, setGiven] = useState<Float32Array>();
  const [picking, setPicking] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  const picture = useLatest(useCallback(() => model.decode(codes, 1), [model, codes]));
  const strip = useLatest(
    useCallback(async () => {
      if (!looked) return undefined;
      const { block, index } = looked;
      const { low, high } = sliderRange(priorOf(block, codes), index, codes[block.name][index]);
      const values = between(low, high, stripLength);
      const items = await model.decode(traversed(codes, block, index, values), values.length);
      return { ...looked, values, items };
    }, [model, codes, looked]),
  );
  useEffect(() => onCodes?.(codes), [codes, onCodes]);

  const startAt = (code: Codes, item?: Float32Array) => {
    setStart(code);
    setCodes(code);
    setGiven(item);
  };
  const startFrom = async (item: Float32Array) => {
    try {
      startAt(withChosenClasses(await model.encode(item), blocks), item);
    } catch (thrown) {
      toast(`It could not be encoded: ${asError(thrown).message}`);
    }
  };
  const startFromFile = async (image: File | undefined) => {
    if (!image || !facts) return;
    try {
      await startFrom(await itemOfImage(image, facts));
    } catch (thrown) {
      toast(asError(thrown).message);
    }
  };
  const takesImages = facts !== undefined && file.encodes;
  const over = useDropped(takesImages, startFromFile);
  const shown = blocks.filter((block) => model.takes(block) || decidesPrior(block, blocks));
  const title = looked && (names[looked.block.name]?.[looked.index] || `${looked.block.name} ${looked.index}`);
  const caption =
    strip && `${title} from ${signedText(strip.values[0])} to ${signedText(strip.values[strip.values.length - 1])}`;

  return (
    <div class={over ? 'mixer over' : 'mixer'}>
      <section class="stage" aria-label="What the decoder makes of the code">
        <div class="view">
          {facts && picture && (
            <div class="picture">
              <Strip items={picture} facts={facts} columns={1} label="The picture of this code" class="decoded" />
            </div>
          )}
          {!facts && picture && (
            <TableItem
              item={picture}
              data={file.data}
              range={strip?.items}
              caption={caption && `The light band is where ${caption} takes a column.`}
            />
          )}
          {facts && strip && (
            <figure class="traversal" aria-live="off">
              <button
                type="button"
                class="strip"
                onClick={(event) =>
                  setCodes(withValue(codes, strip.block, strip.index, valueUnder(strip.values, event)))
                }
                aria-label={`Traversal of ${title}; a click moves the dimension there`}
              >
                <Strip items={strip.items} facts={facts} columns={stripLength} label={`Traversal of ${title}`} />
                <Mark at={codes[strip.block.name][strip.index]} values={strip.values} facts={facts} />
              </button>
              <figcaption class="small soft number">{caption}</figcaption>
            </figure>
          )}
        </div>
        <div class="row actions">
          <button type="button" onClick={() => setCodes(start)}>
            Reset
          </button>
          <button type="button" onClick={() => setCodes(randomCodes(blocks, freshSeed()))}>
            Random
          </button>
          {picker && file.encodes && (
            <button type="button" aria-expanded={picking} onClick={() => setPicking(!picking)}>
              Data item
            </button>
          )}
          {takesImages && (
            <button type="button" onClick={() => chooser.current?.click()}>
              Image …
            </button>
          )}
          <input
            ref={chooser}
            type="file"
            accept="image/*"
            hidden
            aria-label="An image to start from"
            onChange={({ currentTarget }) => {
              startFromFile(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
        </div>
        {children && <div class="row actions">{children}</div>}
        {picking && picker?.(startFrom)}
        {given && facts && (
          <div class="row given">
            <Strip items={given} facts={facts} columns={1} label="The item that you started from" class="thumb" />
            <span class="small soft">The item that you started from.</span>
            <button type="button" class="plain soft" onClick={() => startAt(startingCodes(blocks))}>
              Leave it
            </button>
          </div>
        )}
        {takesImages && !given && !picking && <p class="small soft">Or drop an image anywhere on this page.</p>}
      </section>
      <form class="controls" aria-label="The code" autocomplete="off" onSubmit={(event) => event.preventDefault()}>
        {shown.map((block) => (
          <BlockControls
            key={block.name}
            block={block}
            blocks={blocks}
            variables={file.data.variables ?? [{ name: 'Class', classes: file.data.classes ?? [] }]}
            codes={codes}
            names={names[block.name] ?? {}}
            explanations={explanations}
            looked={looked}
            onCodes={setCodes}
            onLook={setLooked}
            onName={onName && ((index, text) => onName(block.name, index, text))}
          />
        ))}
      </form>
    </div>
  );
}

/** Where the code stands on the strip. */
function Mark({ at, values, facts }: { at: number; values: readonly number[]; facts: ImageFacts }) {
  const last = values.length - 1;
  const place = Math.round(((at - values[0]) / (values[last] - values[0])) * last);
  const { width } = facts.shape;
  const share = (pixels: number) => `${(100 * pixels) / (values.length * (width + gapOf(facts)) - gapOf(facts))}%`;
  return <span class="place" style={{ left: share(place * (width + gapOf(facts))), width: share(width) }} />;
}

/** The dimension that carries most, which is shown until a person looks at another. */
function mostTelling(model: BrowserModel): Dimension | undefined {
  const all = model.file.blocks
    .filter((block) => block.kind === 'gaussian' && model.takes(block) && !block.class)
    .map((block): Dimension => ({ block, index: dimensionsByKl(block)[0] }));
  const kl = ({ block, index }: Dimension) => block.kl?.[index] ?? 0;
  return all.sort((a, b) => kl(b) - kl(a))[0];
}

/** Takes a file that is dropped anywhere on the page; tells whether one is held over it. */
function useDropped(takes: boolean, onFile: (file: File | undefined) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onFile);
  take.current = onFile;
  useEffect(() => {
    if (!takes) return;
    const stop = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void) =>
      document.addEventListener(name, listener, stop);
    on('dragover', (event) => {
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', () => setOver(false));
    on('drop', (event) => {
      event.preventDefault();
      setOver(false);
      take.current(event.dataTransfer?.files[0]);
    });
    return () => stop.abort();
  }, [takes]);
  return over;
}

function decidesPrior(block: ModelBlock, blocks: readonly ModelBlock[]): boolean {
  return blocks.some(({ prior, dependsOn }) => prior && dependsOn === block.name);
}

function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

/** The value of the picture of a strip that was clicked. */
function valueUnder(values: readonly number[], { currentTarget, clientX }: MouseEvent): number {
  const { left, width } = currentTarget instanceof Element ? currentTarget.getBoundingClientRect() : new DOMRect();
  const place = Math.floor(((clientX - left) / width) * values.length);
  return values[Math.min(values.length - 1, Math.max(0, place))];
}
