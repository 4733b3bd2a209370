/** The controls of one block: a slider for each dimension in the order of its KL, or a choice of class. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Codes, largest, type ModelBlock, priorOf, withClass, withValue } from '../../src/model/index.ts';
import { dimensionsByKl, quiet, sliderRange } from './codes.ts';
import type { Explanations } from './explanations.ts';
import { roleTexts, signedText } from './format.ts';

export interface Dimension {
  block: ModelBlock;
  index: number;
}

export interface BlockProps {
  block: ModelBlock;
  blocks: readonly ModelBlock[];
  /** Where labels told the names of classes: each variable's, in the order of the class blocks. */
  variables: readonly { name: string; classes: readonly string[] }[];
  codes: Codes;
  /** Names that people gave to dimensions. */
  names: Record<string, string>;
  /** What dimensions do, by block and index. */
  explanations: Explanations;
  looked: Dimension | undefined;
  onCodes: (codes: Codes) => void;
  onLook: (dimension: Dimension) => void;
  /** Undefined where dimensions can't be named. */
  onName?: ((index: number, name: string) => void) | undefined;
}

export function BlockControls(props: BlockProps) {
  const { block, codes } = props;
  const { dependsOn } = block;
  // Another class's own factors do nothing to this class's picture.
  if (block.class !== undefined && dependsOn && largest(codes[dependsOn]) !== block.class) return null;
  return (
    <fieldset class="block">
      <legend>
        {block.name} <span class="soft small">{roleTexts[block.role]}</span>
      </legend>
      {block.kind === 'categorical' ? <ClassChoice {...props} /> : <Sliders {...props} />}
    </fieldset>
  );
}

function ClassChoice({ block, blocks, variables, codes, onCodes }: BlockProps) {
  const chosen = largest(codes[block.name]);
  const variable = variables[blocks.filter(({ kind }) => kind === 'categorical').indexOf(block)];
  const known = variable?.classes.length === block.size ? variable : undefined;
  return (
    <div class="choices" role="radiogroup" aria-label={known?.name ?? `Class of ${block.name}`}>
      {Array.from({ length: block.size }, (_, k) => (
        <label key={k} class={k === chosen ? 'choice on' : 'choice'}>
          <input
            class="hidden-visually"
            type="radio"
            name={`class ${block.name}`}
            checked={k === chosen}
            onChange={() => onCodes(withClass(codes, block, k, blocks))}
          />
          {known?.classes[k] ?? k}
        </label>
      ))}
    </div>
  );
}

const mostAtOnce = 16;

function Sliders(props: BlockProps) {
  const { block } = props;
  const order = dimensionsByKl(block);
  // Without a KL there is no telling which ones matter: the first stand for all.
  const isQuiet = (index: number) => (block.kl ? Number(block.kl[index]) < quiet : index >= mostAtOnce);
  const [loud, silent] = [order.filter((index) => !isQuiet(index)), order.filter(isQuiet)];
  const few = silent.length === 1 ? 'One dimension carries' : `${silent.length} dimensions carry`;
  return (
    <>
      {loud.map((index) => (
        <Slider key={index} {...props} index={index} />
      ))}
      {silent.length > 0 && (
        <details>
          <summary class="small">{block.kl ? `${few} next to nothing` : `${silent.length} more dimensions`}</summary>
          {silent.map((index) => (
            <Slider key={index} {...props} index={index} />
          ))}
        </details>
      )}
    </>
  );
}

function Slider({
  block,
  codes,
  names,
  explanations,
  looked,
  onCodes,
  onLook,
  onName,
  index,
}: BlockProps & { index: number }) {
  const [naming, setNaming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasNaming = useRef(false);
  const isLeaving = useRef(false);
  // Who named a dimension by the keyboard goes on from its button.
  useLayoutEffect(() => {
    isLeaving.current = false;
    if (naming) field.current?.select();
    else if (wasNaming.current && document.activeElement === document.body) button.current?.focus();
    wasNaming.current = naming;
  }, [naming]);
  const now = codes[block.name][index];
  const prior = priorOf(block, codes);
  const { deviation, low, high } = sliderRange(prior, index, now);
  const plain = `${block.name} ${index}`;
  const id = `code-${block.name.replace(/\W+/g, '-')}-${index}`;
  const title = names[index] || plain;
  const does = explanations[plain];
  // What it does is proposed as its name.
  const proposed = does && !does.isSeveral && does.changes.length > 0 ? does.name : '';
  const kl = block.kl === undefined ? undefined : Number(block.kl[index]);
  const most = Math.max(1e-9, ...(block.kl ?? []).map(Number));
  const isLooked = looked?.block === block && looked.index === index;
  const look = () => onLook({ block, index });
  const keep = (text: string) => {
    if (!naming) return;
    setNaming(false);
    if (text.trim() !== (names[index] ?? '')) onName?.(index, text.trim());
  };
  return (
    <div class={isLooked ? 'dimension looked' : 'dimension'} onPointerEnter={look} onFocusIn={look}>
      {naming ? (
        // Without keys the slider's element would be taken for this one, and its number with it.
        <input
          key="name"
          type="text"
          class="naming"
          maxLength={60}
          defaultValue={names[index] ?? proposed}
          placeholder={plain}
          aria-label={`A name for ${plain}`}
          ref={field}
          onBlur={({ currentTarget: { value } }) => {
            // A proposal that was only looked at is not taken.
            if (!isLeaving.current) keep(value === proposed ? (names[index] ?? '') : value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            // The button that comes back would be pressed by the same key.
            event.preventDefault();
            // An element that is taken away loses the focus, too.
            isLeaving.current = true;
            if (event.key === 'Enter') keep(event.currentTarget.value);
            else setNaming(false);
          }}
        />
      ) : onName === undefined ? (
        <label class="title" for={id}>
          {plain}
        </label>
      ) : (
        <button
          key="title"
          ref={button}
          type="button"
          class="plain title"
          title="Give it a name"
          aria-label={`${names[index] ? `${title} ${plain}` : title}: give it a name`}
          onClick={() => setNaming(true)}
        >
          {title}
          {names[index] && <span class="soft small"> {plain}</span>}
        </button>
      )}
      <input
        key="slider"
        type="range"
        id={id}
        min={low}
        max={high}
        step="any"
        value={now}
        style={{ '--middle': (prior.mean[index] - low) / (high - low) }}
        aria-label={onName && title}
        aria-valuetext={signedText(now)}
        aria-describedby={kl === undefined ? undefined : `${id}-kl`}
        onInput={(event) => onCodes(withValue(codes, block, index, Number(event.currentTarget.value)))}
        onKeyDown={(event) => {
          // With any step allowed, browsers move by a hundredth of the range; a tenth of a deviation is a better stride.
          const move = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 5, PageDown: -5 }[event.key];
          if (move === undefined) return;
          event.preventDefault();
          onCodes(withValue(codes, block, index, Math.min(high, Math.max(low, now + 0.1 * move * deviation))));
        }}
      />
      <output class="number" for={id}>
        {signedText(now)}
      </output>
      {does && (
        <span class="does small soft" title={does.changes.map(({ words }) => words).join('; ')}>
          {does.isSeveral && does.changes.length > 0
            ? `${does.name}: ${does.changes.map(({ words }) => words).join('; ')}`
            : does.name}
        </span>
      )}
      {kl !== undefined && (
        <span class="kl" title="KL in nats: how much it carries">
          <span style={{ width: `${Math.max(0, (100 * kl) / most)}%` }} />
          <small id={`${id}-kl`}>KL {kl.toFixed(2)}</small>
        </span>
      )}
    </div>
  );
}
