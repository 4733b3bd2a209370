/** All runs in one live table: sort, filter, group, choose some to compare, delete. */

import { useMemo, useState } from 'preact/hooks';
import type { RunRow } from '../../../src/studio/runs.ts';
import { api } from '../api.ts';
import { Spark } from '../chart.tsx';
import { ago, number } from '../format.ts';
import { compareHref, href } from '../router.ts';
import { say, sayTrouble } from '../said.tsx';
import { runs, selected } from '../state.ts';
import { Confirm, Head, StateMark, Waiting } from '../ui.tsx';

const groupings = ['', 'method', 'data', 'state', 'seed'] as const;
type Grouping = (typeof groupings)[number];

interface Sorting {
  key: string;
  down: boolean;
}

export function RunsPage() {
  const [filter, setFilter] = useState('');
  const [group, setGroup] = useState<Grouping>('');
  const [sorting, setSorting] = useState<Sorting>({ key: 'created', down: true });
  const [doomed, setDoomed] = useState<readonly string[]>();
  const all = runs.value;
  const metrics = useMemo(() => commonMetrics(all ?? []), [all]);
  const found = useMemo(
    () =>
      sorted(
        (all ?? []).filter((run) => matches(run, filter)),
        sorting,
      ),
    [all, filter, sorting],
  );
  if (!all) return <Waiting what="Asking the server for its runs …" />;
  if (all.length === 0) return <NoRuns />;
  const known = new Set(all.map(({ name }) => name));
  const chosen = [...selected.value].filter((name) => known.has(name));
  const sections = grouped(found, group);
  const sort = (key: string) =>
    setSorting((now) => ({
      key,
      down: now.key === key ? !now.down : key !== 'name' && key !== 'method' && key !== 'data',
    }));

  return (
    <>
      <Head title="Runs" about={`${all.length === 1 ? 'One run' : `${all.length} runs`}${running(all)}.`}>
        <a class="button main" href={href('new')}>
          New run
        </a>
      </Head>
      <div class="row bar">
        <input
          type="search"
          placeholder="Filter: a name, method, data or state"
          aria-label="Filter runs"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <label class="row small soft">
          Group by
          <select value={group} onChange={(event) => setGroup(groupings[event.currentTarget.selectedIndex])}>
            {groupings.map((one) => (
              <option key={one} value={one}>
                {one || 'nothing'}
              </option>
            ))}
          </select>
        </label>
        {chosen.length > 0 && (
          <fieldset class="row chosen" aria-label="With the chosen runs">
            <span class="soft">{chosen.length} chosen</span>
            <a class="button" href={compareHref(chosen)}>
              Compare
            </a>
            <button type="button" class="danger" onClick={() => setDoomed(chosen)}>
              Delete …
            </button>
            <button
              type="button"
              class="plain soft"
              onClick={() => {
                selected.value = new Set();
              }}
            >
              None
            </button>
          </fieldset>
        )}
      </div>
      {found.length === 0 && <p class="empty">No run has “{filter}” in its name, method, data or state.</p>}
      {found.length > 0 && <RunTable sections={sections} metrics={metrics} sorting={sorting} onSort={sort} />}
      {doomed && (
        <Confirm
          question={doomed.length === 1 ? `Delete “${doomed[0]}”?` : `Delete ${doomed.length} runs?`}
          about="Their folders go from the disk, with models, logs and pictures. That can’t be undone."
          yes="Delete"
          onNo={() => setDoomed(undefined)}
          onYes={() => {
            setDoomed(undefined);
            remove(doomed);
          }}
        />
      )}
    </>
  );
}

interface TableProps {
  /** Groups with their titles; one without a title if there is no grouping. */
  sections: readonly [string, RunRow[]][];
  metrics: readonly string[];
  sorting: Sorting;
  onSort: (key: string) => void;
}

function RunTable({ sections, metrics, sorting, onSort }: TableProps) {
  const column = (key: string, title: string, right = false) => (
    <th
      class={right ? 'number' : ''}
      aria-sort={sorting.key === key ? (sorting.down ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" class="plain sort" onClick={() => onSort(key)}>
        {title}
        <span aria-hidden="true">{sorting.key === key ? (sorting.down ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
  return (
    <table class="runs">
      <thead>
        <tr>
          <th>
            <span class="hidden-visually">Choose</span>
          </th>
          {column('name', 'Run')}
          {column('method', 'Method')}
          {column('data', 'Data')}
          {column('state', 'State')}
          {column('step', 'Steps', true)}
          <th>Loss</th>
          {metrics.map((name) => column(`metric ${name}`, name, true))}
          {column('created', 'Made', true)}
        </tr>
      </thead>
      {sections.map(([title, members]) => (
        <tbody key={title}>
          {title && (
            <tr class="group">
              <th scope="rowgroup" colSpan={8 + metrics.length}>
                {title} <span class="soft small">{members.length}</span>
              </th>
            </tr>
          )}
          {members.map((run) => (
            <Row key={run.name} run={run} metrics={metrics} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row({ run, metrics }: { run: RunRow; metrics: readonly string[] }) {
  const { name, state, sentence, method, data, step, steps, loss, created } = run;
  const choose = (on: boolean) => {
    const next = new Set(selected.value);
    if (on) next.add(name);
    else next.delete(name);
    selected.value = next;
  };
  return (
    <tr>
      <td class="choose">
        <input
          type="checkbox"
          aria-label={`Choose ${name}`}
          checked={selected.value.has(name)}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
      </td>
      <td class="name">
        <a href={href('runs', name)} title={name}>
          {name}
        </a>
      </td>
      <td class={method ? '' : 'unknown'} data-title="Method">
        {method ?? '–'}
      </td>
      <td class={data ? '' : 'unknown'} data-title="Data">
        {data ?? '–'}
      </td>
      <td title={sentence}>
        <StateMark state={state} />
      </td>
      <td class={step === undefined ? 'number unknown' : 'number'} data-title="Steps">
        {step === undefined ? '–' : number(step)}
        {steps !== undefined && steps !== step && <span class="soft"> / {number(steps)}</span>}
      </td>
      <td class={loss.length < 2 ? 'unknown' : ''}>
        <Spark values={loss.map(Number)} label="Loss" />
      </td>
      {metrics.map((metric) => (
        <td key={metric} class={run.metrics[metric] === undefined ? 'number unknown' : 'number'} data-title={metric}>
          {number(run.metrics[metric])}
        </td>
      ))}
      <td class={created ? 'number soft small' : 'number soft small unknown'}>{created ? ago(created) : '–'}</td>
    </tr>
  );
}

function NoRuns() {
  return (
    <div class="empty">
      <h1>No runs yet</h1>
      <p>A run is one training of one method on one dataset. Start one here, or watch a small one learn in this tab.</p>
      <div class="row">
        <a class="button main" href={href('new')}>
          Start a run
        </a>
        <a class="button" href={href('live')}>
          Train in the browser
        </a>
      </div>
    </div>
  );
}

async function remove(names: readonly string[]): Promise<void> {
  for (const name of names) {
    try {
      await api.remove(name);
    } catch (thrown) {
      sayTrouble(thrown);
      return;
    }
    selected.value = new Set([...selected.value].filter((one) => one !== name));
    runs.value = runs.value?.filter((run) => run.name !== name);
  }
  say(names.length === 1 ? `“${names[0]}” is deleted.` : `${names.length} runs are deleted.`);
}

function running(all: readonly RunRow[]): string {
  const count = all.filter(({ state }) => state === 'running').length;
  return count === 0 ? '' : `, ${count} of them in training`;
}

/** The metrics that most runs have, the first four. */
function commonMetrics(all: readonly RunRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { metrics } of all) for (const name of Object.keys(metrics)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name]) => name);
}

function matches({ name, method, data, background, state }: RunRow, filter: string): boolean {
  const text = [name, method, data, background, state].join(' ').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function sorted(list: RunRow[], { key, down }: Sorting): RunRow[] {
  const by = (run: RunRow): string | number | undefined => {
    if (key.startsWith('metric ')) return run.metrics[key.slice(7)];
    if (key === 'step') return run.step;
    if (key === 'name' || key === 'method' || key === 'data' || key === 'state' || key === 'created') return run[key];
    return undefined;
  };
  return list.sort((a, b) => {
    const [x, y] = [by(a), by(b)];
    // What is not known stands last in both directions.
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    const order =
      typeof x === 'number' && typeof y === 'number'
        ? x - y
        : String(x).localeCompare(String(y), 'en', { numeric: true });
    return down ? -order : order;
  });
}

function grouped(list: readonly RunRow[], by: Grouping): [string, RunRow[]][] {
  if (by === '') return list.length > 0 ? [['', [...list]]] : [];
  const groups = new Map<string, RunRow[]>();
  for (const run of list) {
    const value = run[by];
    const title = value === undefined ? `no ${by}` : by === 'seed' ? `seed ${value}` : String(value);
    groups.set(title, [...(groups.get(title) ?? []), run]);
  }
  return [...groups];
}
