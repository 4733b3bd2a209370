/** All runs in one live table: filter, sort, group, choose columns, choose some to compare, delete. The address holds how it looks. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api } from '../api.ts';
import type { PageProps } from '../main.tsx';
import { compareHref, href, replaceAddress } from '../router.ts';
import { columnsOf, type RunColumn, type Sorting, sortedRuns, usualColumns } from '../run-columns.ts';
import { filterOf, type RunTest } from '../run-filter.ts';
import { groupsBy, groupsOfSeeds, type RunGroup } from '../run-groups.ts';
import { RunTable } from '../run-table.tsx';
import { asError, sayTrouble, toast } from '../said.tsx';
import { runs, selected } from '../state.ts';
import { Check, Confirm, Head, Waiting } from '../ui.tsx';

const groupings = ['', 'seeds as one', 'method', 'data', 'state', 'seed', 'tag'] as const;
type Grouping = (typeof groupings)[number];

export function RunsPage({ route: { query } }: PageProps) {
  const [filter, setFilter] = useState(query.get('filter') ?? '');
  const [group, setGroup] = useState<Grouping>(groupings.find((one) => one === query.get('group')) ?? '');
  const [sorting, setSorting] = useState<Sorting>(() => sortingOf(query.get('sort')));
  const [columns, setColumns] = useState<readonly string[] | undefined>(query.get('columns')?.split(' '));
  const [doomed, setDoomed] = useState<readonly string[]>();
  const all = runs.value;
  const every = useMemo(() => columnsOf(all ?? []), [all]);
  const shown = useMemo(() => columns ?? usualColumns(all ?? []), [columns, all]);
  const test = useMemo(() => testOf(filter), [filter]);
  const groups = useMemo((): RunGroup[] => {
    const found = sortedRuns((all ?? []).filter(test.passes), sorting);
    if (group === 'seeds as one') return groupsOfSeeds(found);
    return group === '' ? [{ key: '', title: '', runs: found }] : groupsBy(found, group);
  }, [all, test, sorting, group]);
  useEffect(() => {
    const held = new URLSearchParams();
    if (filter) held.set('filter', filter);
    if (group) held.set('group', group);
    if (sorting.key !== 'created' || !sorting.down) held.set('sort', `${sorting.down ? '-' : ''}${sorting.key}`);
    if (columns) held.set('columns', columns.join(' '));
    const text = held.toString();
    replaceAddress(text === '' ? href() : `${href()}?${text}`);
  }, [filter, group, sorting, columns]);

  if (!all) return <Waiting what="Asking the server for its runs …" />;
  if (all.length === 0) return <NoRuns />;
  const known = new Set(all.map(({ name }) => name));
  const chosen = [...selected.value].filter((name) => known.has(name));
  const count = groups.reduce((sum, { runs: members }) => sum + members.length, 0);
  const sort = (key: string) =>
    setSorting((now) => ({
      key,
      down: now.key === key ? !now.down : every.find((one) => one.key === key)?.isNumber === true,
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
          placeholder="Filter: a word, or beta > 4 and data = mnist"
          aria-label="Filter runs"
          aria-invalid={test.problem !== undefined}
          aria-describedby="filter-problem"
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
        <ColumnChooser every={every} shown={shown} onShown={setColumns} />
        {chosen.length > 0 && (
          <fieldset class="row chosen" aria-label="With the chosen runs">
            <span class="soft">{chosen.length} chosen</span>
            <a class="button" href={compareHref(chosen)}>
              Compare
            </a>
            <TagButton names={chosen} />
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
      <p id="filter-problem" class="small problem">
        {test.problem}
      </p>
      {count === 0 ? (
        <p class="empty">No run fits “{filter}”.</p>
      ) : (
        <RunTable
          groups={groups}
          isSpread={group === 'seeds as one'}
          columns={shown.flatMap((key) => every.find((one) => one.key === key) ?? [])}
          sorting={sorting}
          onSort={sort}
        />
      )}
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

/** Which columns there are, by kind; those that are ticked are shown. */
function ColumnChooser({
  every,
  shown,
  onShown,
}: {
  every: readonly RunColumn[];
  shown: readonly string[];
  onShown: (keys: readonly string[] | undefined) => void;
}) {
  const kinds = { fact: 'Facts', metric: 'Metrics', setting: 'Settings' } as const;
  const toggle = (key: string, on: boolean) => onShown(on ? [...shown, key] : shown.filter((one) => one !== key));
  return (
    <details class="column-chooser">
      <summary class="small">Columns</summary>
      <div class="column-choices">
        {(['fact', 'metric', 'setting'] as const).map((kind) => (
          <fieldset key={kind}>
            <legend class="small">{kinds[kind]}</legend>
            {every
              .filter((one) => one.kind === kind)
              .map(({ key, title }) => (
                <Check key={key} looks="small" checked={shown.includes(key)} onChange={(on) => toggle(key, on)}>
                  {title}
                </Check>
              ))}
          </fieldset>
        ))}
        <button type="button" onClick={() => onShown(undefined)}>
          The usual ones
        </button>
      </div>
    </details>
  );
}

/** Puts a tag on the chosen runs. */
function TagButton({ names }: { names: readonly string[] }) {
  const [tag, setTag] = useState<string>();
  if (tag === undefined)
    return (
      <button type="button" onClick={() => setTag('')}>
        Tag …
      </button>
    );
  const put = async (event: Event) => {
    event.preventDefault();
    try {
      for (const name of names) {
        const before = runs.value?.find((run) => run.name === name)?.tags ?? [];
        if (tag.trim() !== '') await api.note(name, { tags: [...before, tag] });
      }
    } catch (thrown) {
      sayTrouble(thrown);
    }
    setTag(undefined);
  };
  return (
    <form class="row" onSubmit={put}>
      <input
        type="text"
        aria-label="A tag for the chosen runs"
        placeholder="tag"
        maxLength={60}
        value={tag}
        ref={(field) => field?.focus()}
        onInput={(event) => setTag(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setTag(undefined)}
      />
      <button type="submit">Put</button>
    </form>
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
  toast(names.length === 1 ? `“${names[0]}” is deleted.` : `${names.length} runs are deleted.`);
}

function running(all: readonly { state: string }[]): string {
  const count = all.filter(({ state }) => state === 'running').length;
  return count === 0 ? '' : `, ${count} of them in training`;
}

/** The filter; while it is being typed and makes no sense yet, all runs pass. */
function testOf(filter: string): { passes: RunTest; problem?: string } {
  try {
    return { passes: filterOf(filter) };
  } catch (thrown) {
    return { passes: () => true, problem: asError(thrown).message };
  }
}

function sortingOf(text: string | null): Sorting {
  if (!text) return { key: 'created', down: true };
  return { key: text.replace(/^-/, ''), down: text.startsWith('-') };
}
