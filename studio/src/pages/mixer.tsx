/** The mixer: a slider for each dimension of the code, and the picture that the decoder makes of it, in this browser. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Codes,
  type ModelBlock,
  priorOf,
  randomCodes,
  startingCodes,
  traversed,
  withChosenClasses,
} from '../../../src/model/index.ts';
import type { Names } from '../../../src/studio/names.ts';
import { api, type RunDetail } from '../api.ts';
import { BlockControls, type Dimension } from '../block-controls.tsx';
import { codesOfQuery, codesQuery, traversalValues } from '../codes.ts';
import { imageFacts, itemOfImage } from '../image.ts';
import { ItemPicker } from '../item-picker.tsx';
import type { PageProps } from '../main.tsx';
import type { BrowserModel } from '../model.ts';
import { Strip } from '../reconstructions.tsx';
import { href, type Route, replaceAddress } from '../router.ts';
import { say } from '../state.ts';
import { TableItem } from '../table-item.tsx';
import { asError, copy, Head, RunTabs, runLine, Trouble, useLoaded, Waiting } from '../ui.tsx';
import { useLatest, WithModel } from '../with-model.tsx';

export function MixerPage({ route }: PageProps) {
  const name = route.path[1];
  const run = useLoaded(() => api.run(name), name);
  if (!run) return <Waiting what={`Opening ${name} …`} />;
  if ('error' in run) return <Trouble error={run.error} />;
  return (
    <>
      <Head title={name} about={runLine(run.value)} />
      <RunTabs name={name} current="mixer" />
      <WithModel run={run.value}>{(model) => <Mixer run={run.value} model={model} route={route} />}</WithModel>
    </>
  );
}

const stripLength = 9;

function Mixer({ run, model, route }: { run: RunDetail; model: BrowserModel; route: Route }) {
  const { file } = model;
  const { blocks } = file;
  const facts = useMemo(() => imageFacts(file.data), [file]);
  const [codes, setCodes] = useState<Codes>(() => codesOfQuery(route.query, blocks));
  const [looked, setLooked] = useState<Dimension>();
  const [given, setGiven] = useState<Float32Array>();
  const [names, setNames] = useState<Names>(run.names);
  const [picking, setPicking] = useState(false);
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  const picture = useLatest(useCallback(() => model.decode(codes, 1), [model, codes]));
  const strip = useLatest(
    useCallback(async () => {
      if (!looked) return undefined;
      const values = traversalValues(priorOf(looked.block, codes), looked.index, stripLength);
      return {
        ...looked,
        values,
        items: await model.decode(traversed(codes, looked.block, looked.index, values), values.length),
      };
    }, [model, blocks, codes, looked]),
  );

  useEffect(() => {
    const timer = setTimeout(
      () => replaceAddress(`${href('runs', run.name, 'mixer')}?${codesQuery(codes, blocks)}`),
      300,
    );
    return () => clearTimeout(timer);
  }, [codes, blocks, run.name]);

  const startFrom = useCallback(
    async (item: Float32Array) => {
      const encoded = await model.encode(item);
      setCodes(withChosenClasses(encoded, blocks));
      setGiven(item);
    },
    [model, blocks],
  );
  const startFromFile = async (image: Blob | undefined) => {
    if (!image || !facts) return;
    try {
      await startFrom(await itemOfImage(image, facts));
      say('The code is now that of your image. It has not left this browser.');
    } catch (thrown) {
      say(asError(thrown).message);
    }
  };
  const rename = async (block: string, index: number, text: string) => {
    setNames((now) => ({ ...now, [block]: { ...now[block], [index]: text } }));
    try {
      await api.nameDimension(run.name, block, index, text);
    } catch (thrown) {
      say(asError(thrown).message);
    }
  };
  const takesImages = facts !== undefined && file.encodes;
  const shown = blocks.filter((block) => model.takes(block) || decidesPrior(block, blocks));
  const title = looked && (names[looked.block.name]?.[looked.index] || `${looked.block.name} ${looked.index}`);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: an image may be dropped anywhere; a button does the same.
    <div
      class={over ? 'mixer over' : 'mixer'}
      onDragOver={(event) => {
        if (takesImages) {
          event.preventDefault();
          setOver(true);
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        startFromFile(event.dataTransfer?.files[0]);
      }}
    >
      <section class="stage" aria-label="What the decoder makes of the code">
        <div class="view">
          {facts && picture ? (
            <div class="picture">
              <Strip items={picture} facts={facts} columns={1} label="The picture of this code" class="decoded" />
            </div>
          ) : null}
          {!facts && picture && <TableItem item={picture} data={file.data} range={strip?.items} />}
          {facts && (
            <figure class="traversal" aria-live="off">
              {strip ? (
                <button
                  type="button"
                  class="strip"
                  onClick={(event) => setCodes(movedTo(codes, strip, event))}
                  aria-label={`Traversal of ${title}; a click moves the dimension there`}
                >
                  <Strip items={strip.items} facts={facts} columns={stripLength} label={`Traversal of ${title}`} />
                </button>
              ) : (
                <div
                  class="strip blank"
                  style={{ aspectRatio: `${stripLength * (facts.shape.width + 1)} / ${facts.shape.height}` }}
                />
              )}
              <figcaption class="small soft">
                {strip
                  ? `${title}, from −2.3 to 2.3 deviations of the prior`
                  : 'Point at a dimension to see what it does.'}
              </figcaption>
            </figure>
          )}
        </div>
        <div class="row actions">
          <button
            type="button"
            onClick={() => {
              setCodes(startingCodes(blocks));
              setGiven(undefined);
            }}
          >
            Reset
          </button>
          <button
            type="button"
            onClick={() => {
              setCodes(randomCodes(blocks, freshSeed()));
              setGiven(undefined);
            }}
          >
            Random
          </button>
          {file.encodes && (
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
            onChange={(event) => startFromFile(event.currentTarget.files?.[0])}
          />
        </div>
        <div class="row actions">
          <button
            type="button"
            class="plain soft"
            onClick={() => {
              replaceAddress(`${href('runs', run.name, 'mixer')}?${codesQuery(codes, blocks)}`);
              copy(location.href, 'The link to this code is');
            }}
          >
            Copy link
          </button>
          {facts && (
            <button type="button" class="plain soft" onClick={() => savePicture(run.name)}>
              Save PNG
            </button>
          )}
        </div>
        {picking && <ItemPicker run={run} onPick={startFrom} />}
        {given && facts && (
          <div class="row given">
            <Strip items={given} facts={facts} columns={1} label="The item that this code was made of" class="thumb" />
            <span class="small soft">The item that you started from.</span>
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
            looked={looked}
            onCodes={setCodes}
            onLook={setLooked}
            onName={(index, text) => rename(block.name, index, text)}
          />
        ))}
      </form>
    </div>
  );
}

function decidesPrior(block: ModelBlock, blocks: readonly ModelBlock[]): boolean {
  return blocks.some(({ prior, dependsOn }) => prior && dependsOn === block.name);
}

function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

function movedTo(
  codes: Codes,
  strip: { block: ModelBlock; index: number; values: number[] },
  event: MouseEvent,
): Codes {
  const box = event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : undefined;
  if (!box) return codes;
  const place = Math.floor(((event.clientX - box.left) / box.width) * strip.values.length);
  const changed = codes[strip.block.name].slice();
  changed[strip.index] = strip.values[Math.min(strip.values.length - 1, Math.max(0, place))];
  return { ...codes, [strip.block.name]: changed };
}

/** The picture, at least 256 pixels wide, as a file. */
function savePicture(name: string): void {
  const drawn = document.querySelector('canvas.decoded');
  if (!(drawn instanceof HTMLCanvasElement)) return;
  const factor = Math.max(1, Math.ceil(256 / drawn.width));
  const large = document.createElement('canvas');
  large.width = drawn.width * factor;
  large.height = drawn.height * factor;
  const context = large.getContext('2d');
  if (!context) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(drawn, 0, 0, large.width, large.height);
  const link = document.createElement('a');
  link.download = `${name}.png`;
  link.href = large.toDataURL('image/png');
  link.click();
}
