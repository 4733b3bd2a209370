/** Runs side by side: settings that differ, metrics, curves, traversals, and the trade-off between metrics and reconstruction. */

import { useMemo, useState } from 'preact/hooks';
import { betterArrow } from '../../../src/drawing/numbers.ts';
import { LineChart } from '../chart.tsx';
import { type Axis, ParallelCoordinates, TradeOff } from '../compare-charts.tsx';
import { bestOf, type Compared, differences, fetchCompared, lastReconstruction, metricRows } from '../compare-data.ts';
import { Traversals } from '../compare-traversals.tsx';
import { seriesOf } from '../curves.tsx';
import { numberText } from '../format.ts';
import type { PageProps } from '../main.tsx';
import { comparedRuns, compareHref, goTo, href } from '../router.ts';
import { bookkeeping } from '../run-groups.ts';
import { runs } from '../state.ts';
import { Check, Head, Note, Section, StateMark, Trouble, useLoaded, Waiting } from '../ui.tsx';

export function ComparePage({ route }: PageProps) {
  const names = comparedRuns(route.query);
  const key = JSON.stringify(names);
  const compared = useLoaded(() => fetchCompared(names), key);
  return (
    <>
      <Head title="Compare" about={names.length === 0 ? 'Choose runs to see them side by side.' : undefined} />
      <Chooser names={names} />
      {names.length > 0 && !compared && <Waiting what="Reading the runs …" />}
      {compared && 'error' in compared && <Trouble error={compared.error} />}
      {names.length > 0 && compared && 'value' in compared && (
        <>
          {compared.value.missing.map(({ name, why }) => (
            <Note key={name}>
              <p>
                {why} <a href={compareHref(names.filter((one) => one !== name))}>Leave it out</a>
              </p>
            </Note>
          ))}
          {compared.value.compared.length > 0 && <Comparison key={key} compared={compared.value.compared} />}
        </>
      )}
    </>
  );
}

function Chooser({ names }: { names: readonly string[] }) {
  const all = runs.value;
  if (!all) return null;
  const toggle = (name: string, on: boolean) =>
    goTo(compareHref(on ? [...names, name] : names.filter((one) => one !== name)));
  return (
    <details open={names.length < 2} class="chooser">
      <summary>
        Runs: {names.length} of {all.length}
      </summary>
      <ul>
        {all.map(({ name, method, data, state }) => (
          <li key={name}>
            <Check checked={names.includes(name)} onChange={(on) => toggle(name, on)}>
              <span>
                {name} <span class="soft small">{[method, data].filter(Boolean).join(' on ')}</span>
              </span>
            </Check>
            {state !== 'done' && (
              <span class="small">
                <StateMark state={state} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Comparison({ compared }: { compared: readonly Compared[] }) {
  const names = compared.map(({ run }) => run.name);
  const settings = useMemo(() => differences(compared), [compared]);
  const metrics = useMemo(() => metricRows(compared), [compared]);
  const axes: Axis[] = [
    ...settings.flatMap(({ name, numbers }) =>
      numbers && !bookkeeping.has(name) ? [{ title: name, values: numbers }] : [],
    ),
    ...metrics.map(({ title, scores }) => ({ title, values: scores })),
  ].slice(0, 9);
  const header = (
    <tr>
      <td />
      {names.map((name) => (
        <th key={name} scope="col">
          <a href={href('runs', name)} title={name}>
            {name}
          </a>
        </th>
      ))}
    </tr>
  );
  return (
    <>
      <Section title="Settings that differ">
        {settings.length === 0 ? (
          <p class="soft">None: {names.length < 2 ? 'it is one run' : 'the runs have the same settings'}.</p>
        ) : (
          <div class="scroll">
            <table class="side-by-side">
              <thead>{header}</thead>
              <tbody>
                {settings.map(({ name, values }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {values.map((one, i) => (
                      <td key={names[i]} class="number">
                        {one}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Section>
      <Section title="Metrics">
        {metrics.length === 0 ? (
          <p class="soft">None of them is measured yet; “Evaluate” on a run’s page does that.</p>
        ) : (
          <div class="scroll">
            <table class="side-by-side">
              <thead>{header}</thead>
              <tbody>
                {metrics.map((row) => {
                  const best = bestOf(row);
                  return (
                    <tr key={`${row.title} ${row.scores.join()}`}>
                      <th scope="row">
                        {row.title} <span class="soft">{betterArrow(row.better)}</span>
                      </th>
                      {row.scores.map((score, i) => (
                        <td key={names[i]} class={i === best ? 'number best' : 'number'}>
                          {numberText(score)}
                          {i === best && <span class="hidden-visually"> (best)</span>}
                        </td>
                      ))}
                    </tr>
                  );
                })}
              </tbody>
            </table>
            <p class="small soft">
              Arrows say which way is better. Numbers of another version or other options stand in rows of their own.
            </p>
          </div>
        )}
      </Section>
      <Overlay compared={compared} />
      <Traversals compared={compared} />
      <TradeOffs compared={compared} />
      {names.length > 1 && axes.length > 1 && (
        <Section title="All at once">
          <ParallelCoordinates names={names} axes={axes} />
        </Section>
      )}
    </>
  );
}

function Overlay({ compared }: { compared: readonly Compared[] }) {
  const terms = [...new Set(compared.flatMap(({ lines }) => lines.flatMap(({ terms }) => Object.keys(terms))))];
  const [term, setTerm] = useState('loss');
  const [part, setPart] = useState<'terms' | 'validation'>('terms');
  const [log, setLog] = useState(false);
  const series = useMemo(
    () => compared.map(({ run, lines }, k) => seriesOf(lines, run.name, term, part, k)).filter(({ x }) => x.length > 0),
    [compared, term, part],
  );
  const controls = (
    <>
      <label class="row small soft">
        Term
        <select value={term} onChange={(event) => setTerm(event.currentTarget.value)}>
          {terms.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <Check looks="small soft" checked={part === 'validation'} onChange={(on) => setPart(on ? 'validation' : 'terms')}>
        Held out
      </Check>
      <Check looks="small soft" checked={log} onChange={setLog}>
        Log scale
      </Check>
    </>
  );
  return (
    <Section title="Curves" aside={controls}>
      {series.length === 0 ? (
        <p class="soft">No run has “{term}” here.</p>
      ) : (
        <LineChart
          label={`${term} of each run`}
          series={series}
          log={log}
          smoothing={part === 'terms' ? 0.6 : 0}
          height={280}
          yLabel={`${term}, per item`}
        />
      )}
    </Section>
  );
}

function TradeOffs({ compared }: { compared: readonly Compared[] }) {
  const metrics = metricRows(compared).filter(({ scores }) => scores.filter((score) => score !== undefined).length > 1);
  const [chosen, setChosen] = useState(0);
  const row = metrics[Math.min(chosen, metrics.length - 1)];
  if (!row) return null;
  const points = compared.flatMap((one, colour) => {
    const [x, y] = [lastReconstruction(one), row.scores[colour]];
    return x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)
      ? []
      : [{ name: one.run.name, x, y, colour }];
  });
  return (
    <Section
      title="Trade-off"
      aside={
        <label class="row small soft">
          Metric
          <select value={String(chosen)} onChange={(event) => setChosen(event.currentTarget.selectedIndex)}>
            {metrics.map(({ title }, k) => (
              <option key={title} value={String(k)}>
                {title}
              </option>
            ))}
          </select>
        </label>
      }
    >
      <p class="small soft">
        {row.title} against what reconstruction costs
        {row.better === 'lower' ? '; lower and further left is better' : '; higher and further left is better'}.
      </p>
      <TradeOff points={points} xTitle="reconstruction term on held-out items, in nats" yTitle={row.title} />
    </Section>
  );
}
