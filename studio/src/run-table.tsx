/** The list of runs as a table: a row each, of which only those in sight are in the page; a head that stays; groups that open. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { betterArrow } from '../../src/drawing/numbers.ts';
import type { RunRow } from '../../src/studio/runs.ts';
import { Spark } from './chart.tsx';
import { ago, numberText, value as words } from './format.ts';
import { href } from './router.ts';
import { bestIn, type RunColumn, type Sorting } from './run-columns.ts';
import { fieldOf } from './run-filter.ts';
import { type RunGroup, spreadAmong } from './run-groups.ts';
import { selected } from './state.ts';
import { StateMark } from './ui.tsx';

export interface RunTableProps {
  /** All runs in one group without a title, or groups. */
  groups: readonly RunGroup[];
  /** Whether a group's row says mean ± deviation, and its runs are folded away. */
  isSpread: boolean;
  columns: readonly RunColumn[];
  sorting: Sorting;
  onSort: (key: string) => void;
}

type Line = { kind: 'group'; group: RunGroup } | { kind: 'run'; run: RunRow };

/** Pixels of a row, as the style sheet has it. */
const rowHeight = 45;
/** Rows beyond the edge that are there already when one scrolls. */
const beyond = 12;
/** Where rows are cards of any height, so many are shown, and as many more when asked for. */
const cards = 60;

export function RunTable({ groups, isSpread, columns, sorting, onSort }: RunTableProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const lines = groups.flatMap((group): Line[] => {
    const members = group.runs.map((run): Line => ({ kind: 'run', run }));
    if (group.title === '') return members;
    return [{ kind: 'group', group }, ...(isSpread && !opened.has(group.key) ? [] : members)];
  });
  const { box, first, last, isCards, more } = useWindow(lines.length);
  const shown = lines.slice(first, last);
  const runs = groups.flatMap((group) => group.runs);
  // Numbers of other data are no rivals.
  const bestOn = new Map(
    [...new Set(runs.map(({ data }) => data))].map((data) => {
      const rivals = runs.filter((run) => run.data === data);
      return [
        data,
        new Map(
          columns.map((one) => [
            one.key,
            bestIn(
              rivals.map((run) => numberOf(run, one)),
              one.better,
            ),
          ]),
        ),
      ];
    }),
  );
  const fold = (key: string) =>
    setOpened((now) => new Set(now.has(key) ? [...now].filter((one) => one !== key) : [...now, key]));
  const span = columns.length + 2;
  const space = (rows: number) =>
    rows > 0 &&
    !isCards && (
      <tr class="space" style={{ height: `${rows * rowHeight}px` }}>
        <td colSpan={span} />
      </tr>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <section class="runs-box" ref={box} tabIndex={0} aria-label="Table of runs">
      <table class="runs" aria-rowcount={lines.length + 1}>
        <thead>
          <tr>
            <th>
              <span class="hidden-visually">Choose</span>
            </th>
            <Heading column={nameColumn} sorting={sorting} onSort={onSort} />
            {columns.map((column) => (
              <Heading key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {space(first)}
          {shown.map((line) =>
            line.kind === 'run' ? (
              <RunLine key={line.run.name} run={line.run} columns={columns} best={bestOn.get(line.run.data)} />
            ) : (
              <GroupLine
                key={`group ${line.group.key}`}
                group={line.group}
                columns={columns}
                isOpen={opened.has(line.group.key)}
                onFold={isSpread ? () => fold(line.group.key) : undefined}
              />
            ),
          )}
          {space(lines.length - last)}
        </tbody>
      </table>
      {isCards && last < lines.length && (
        <button type="button" onClick={more}>
          {Math.min(cards, lines.length - last)} more
        </button>
      )}
    </section>
  );
}

const nameColumn: RunColumn = { key: 'name', title: 'Run', kind: 'fact', isNumber: false };

function Heading({ column, sorting, onSort }: { column: RunColumn } & Pick<RunTableProps, 'sorting' | 'onSort'>) {
  const { key, title, isNumber, better } = column;
  const isSorted = sorting.key === key;
  return (
    <th class={isNumber ? 'number' : ''} aria-sort={isSorted ? (sorting.down ? 'descending' : 'ascending') : 'none'}>
      <button type="button" class="plain sort" onClick={() => onSort(key)}>
        {title}
        {better && (
          <span class="soft" title={`${better} is better`}>
            <span aria-hidden="true">{betterArrow(better)}</span>
            <span class="hidden-visually"> ({better} is better)</span>
          </span>
        )}
        <span aria-hidden="true">{isSorted ? (sorting.down ? '▾' : '▴') : ''}</span>
      </button>
    </th>
  );
}

const numberOf = (run: RunRow, { key, isNumber }: RunColumn): number | undefined => {
  const value = isNumber && key !== 'created' ? fieldOf(run, key) : undefined;
  return typeof value === 'number' ? value : undefined;
};

function RunLine({
  run,
  columns,
  best,
}: {
  run: RunRow;
  columns: readonly RunColumn[];
  best: Map<string, number | undefined> | undefined;
}) {
  const { name } = run;
  return (
    <tr>
      <td class="choose">
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={selected.value.has(name)}
          onChange={(event) => choose([name], event.currentTarget.checked)}
        />
      </td>
      <td class="name">
        <a href={href('runs', name)} title={name}>
          {name}
        </a>
      </td>
      {columns.map((column) => (
        <Cell key={column.key} run={run} column={column} best={best?.get(column.key)} />
      ))}
    </tr>
  );
}

function Cell({ run, column, best }: { run: RunRow; column: RunColumn; best: number | undefined }) {
  const { key, title, kind, isNumber } = column;
  if (key === 'state') return <StateCell run={run} />;
  if (key === 'loss')
    return (
      <td class={run.loss.length < 2 ? 'unknown' : ''}>
        <Spark values={run.loss.map(Number)} label="Loss" />
      </td>
    );
  if (key === 'created')
    return (
      <td class={run.created ? 'number soft small' : 'number soft small unknown'}>
        {run.created ? ago(run.created) : '–'}
      </td>
    );
  if (key === 'tag')
    return (
      <td class={run.tags.length > 0 ? 'tags' : 'unknown'} data-title={title}>
        {run.tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </td>
    );
  const value = fieldOf(run, key);
  const isBest = best !== undefined && value === best;
  const state = [isNumber ? 'number' : '', value === undefined ? 'unknown' : '', isBest ? 'best' : '', kind];
  return (
    <td class={state.filter(Boolean).join(' ')} data-title={title} title={key === 'note' ? run.note : undefined}>
      {typeof value === 'number' ? numberText(value) : value === undefined ? '–' : words(value)}
      {key === 'step' && run.steps !== undefined && run.steps !== run.step && (
        <span class="soft"> / {numberText(run.steps)}</span>
      )}
      {isBest && <span class="hidden-visually"> (best)</span>}
    </td>
  );
}

/** The state; what there is to say of it opens under it, by a finger or a key as by a mouse. */
function StateCell({ run: { state, sentence } }: { run: RunRow }) {
  if (sentence === undefined || state === 'done' || state === 'stopped')
    return (
      <td data-title="State">
        <StateMark state={state} />
      </td>
    );
  return (
    <td data-title="State">
      <details class="why">
        <summary>
          <StateMark state={state} />
        </summary>
        <p class="small">{sentence}</p>
      </details>
    </td>
  );
}

function GroupLine({
  group,
  columns,
  isOpen,
  onFold,
}: {
  group: RunGroup;
  columns: readonly RunColumn[];
  isOpen: boolean;
  onFold: (() => void) | undefined;
}) {
  const names = group.runs.map(({ name }) => name);
  const count = group.runs.length;
  return (
    <tr class="group">
      <td class="choose">
        <input
          type="checkbox"
          aria-label={`Choose all of ${group.title}`}
          checked={names.every((name) => selected.value.has(name))}
          onChange={(event) => choose(names, event.currentTarget.checked)}
        />
      </td>
      <th scope="row" class="name" title={group.title}>
        {onFold ? (
          <button type="button" class="plain" aria-expanded={isOpen} onClick={onFold}>
            <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {group.title}{' '}
            <span class="soft small">{count === 1 ? 'one seed' : `${count} seeds`}</span>
          </button>
        ) : (
          <>
            {group.title} <span class="soft small">{count}</span>
          </>
        )}
      </th>
      {columns.map((column) => {
        const spread =
          onFold && column.kind !== 'setting' && spreadAmong(group.runs.map((run) => numberOf(run, column)));
        return (
          <td key={column.key} class={spread && column.key !== 'seed' ? 'number' : 'unknown'} data-title={column.title}>
            {spread && column.key !== 'seed' && (
              <>
                {numberText(spread.mean)}
                {spread.deviation !== undefined && spread.deviation > 0 && (
                  <span class="soft"> ± {numberText(spread.deviation, 2)}</span>
                )}
              </>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function choose(names: readonly string[], on: boolean): void {
  const next = new Set(selected.value);
  for (const name of names)
    if (on) next.add(name);
    else next.delete(name);
  selected.value = next;
}

/** Which lines are in sight of the box that scrolls; on a phone, where rows are cards, the first ones and more when asked for. */
function useWindow(count: number) {
  const box = useRef<HTMLElement>(null);
  const [isCards, setCards] = useState(() => matchMedia('(max-width: 640px)').matches);
  const [most, setMost] = useState(cards);
  const [seen, setSeen] = useState({ top: 0, height: 900 });
  useEffect(() => {
    const query = matchMedia('(max-width: 640px)');
    const change = () => setCards(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      const height = element.clientHeight;
      // Whole blocks of rows, so that most scrolling draws nothing anew.
      const top = Math.floor(element.scrollTop / (6 * rowHeight)) * 6 * rowHeight;
      setSeen((now) => (now.top === top && now.height === height ? now : { top, height }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      watch.disconnect();
    };
  }, []);
  if (isCards) return { box, first: 0, last: Math.min(count, most), isCards, more: () => setMost(most + cards) };
  const first = Math.max(0, Math.floor(seen.top / rowHeight) - beyond);
  const last = Math.min(count, Math.ceil((seen.top + seen.height) / rowHeight) + 6 + beyond);
  return { box, first: Math.min(first, count), last, isCards, more: () => {} };
}
