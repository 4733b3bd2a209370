/** The curves of a run: every term of its loss, and what each dimension carries. */
import { useMemo, useState } from 'preact/hooks';
import type { LogLine } from '../../src/runs/index.ts';
import type { RunDetail } from './api.ts';
import { type ChartSeries, LineChart } from './chart.tsx';
import { Check, Section } from './ui.tsx';

export function Curves({ lines, running }: { lines: LogLine[] | undefined; running: boolean }) {
  const [log, setLog] = useState(false);
  const [smoothing, setSmoothing] = useState(0.6);
  const series = useMemo(() => termSeries(lines ?? []), [lines]);
  const [scale, ...others] = useMemo(() => byScale(series), [series]);
  const controls = (
    <>
      <label class="row small soft">
        Smoothing
        <input
          type="range"
          min="0"
          max="0.98"
          step="0.02"
          value={smoothing}
          onInput={(event) => setSmoothing(Number(event.currentTarget.value))}
        />
      </label>
      <Check looks="small soft" checked={log} onChange={setLog}>
        Log scale
      </Check>
    </>
  );
  return (
    <Section title="Curves" aside={controls}>
      {lines && series.length === 0 && (
        <p class="soft">{running ? 'The first line of the log comes in a moment.' : 'The log is empty.'}</p>
      )}
      <div class="columns">
        {[...(scale ? [scale] : []), ...others].map((one, k) => (
          <div key={one[0].name}>
            <h3>{titleOf(one, k)}</h3>
            <LineChart label={titleOf(one, k)} series={one} log={log} smoothing={smoothing} yLabel="per item" />
          </div>
        ))}
      </div>
    </Section>
  );
}

/** What stands together in a chart: the largest terms first. */
function titleOf(series: readonly ChartSeries[], k: number): string {
  const names = [...new Set(series.map(({ name }) => name.replace(/, held out$/, '')))];
  if (k === 0 && names.length > 2) return 'Terms of the loss';
  return names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
}

/** How much each dimension carries, over the looks at the held-out part: entries `kl z[3]`. */
export function KlOverTime({ lines, names }: { lines: readonly LogLine[]; names: RunDetail['names'] }) {
  const series = useMemo(() => {
    const looks = lines.filter(({ validation }) => validation);
    const keys = [...new Set(looks.flatMap(({ validation = {} }) => Object.keys(validation)))].filter((key) =>
      /^kl .+\[\d+\]$/.test(key),
    );
    const list = keys.map((key) => {
      const [, block, index] = /^kl (.+)\[(\d+)\]$/.exec(key) ?? [];
      const given = names[block]?.[index];
      return seriesOf(looks, given ? `${block} ${index}: ${given}` : `${block} ${index}`, key, 'validation', 0);
    });
    return list.sort((a, b) => b.y[b.y.length - 1] - a.y[a.y.length - 1]).map((one, colour) => ({ ...one, colour }));
  }, [lines, names]);
  if (series.length === 0) return null;
  return (
    <Section title="What each dimension carries">
      <p class="soft small">KL to the prior on held-out items, in nats. A dimension at 0 is not used.</p>
      <LineChart label="KL of each dimension over the steps" series={series} height={240} yLabel="KL in nats" />
    </Section>
  );
}

/** One term over the steps. */
export function seriesOf(
  lines: readonly LogLine[],
  title: string,
  term: string,
  part: 'terms' | 'validation',
  colour: number,
): ChartSeries {
  const measured = lines.filter((line) => line[part]?.[term] !== undefined);
  return {
    name: title,
    x: measured.map(({ step }) => step),
    y: measured.map((line) => line[part]?.[term] ?? Number.NaN),
    colour,
    sparse: part === 'validation',
  };
}

/** Every term of the training, and of the held-out part where it was measured. */
function termSeries(lines: readonly LogLine[]): ChartSeries[] {
  const names = [...new Set(lines.flatMap(({ terms }) => Object.keys(terms)))];
  const training = names.map((name, colour) => seriesOf(lines, name, name, 'terms', colour));
  const validation = names.map((name, k) => seriesOf(lines, `${name}, held out`, name, 'validation', names.length + k));
  return [...training, ...validation].filter(({ x }) => x.length > 0);
}

/** Terms of very different size would flatten each other: they get a chart each size. */
function byScale(series: readonly ChartSeries[]): ChartSeries[][] {
  const charts: { size: number; members: ChartSeries[] }[] = [];
  const size = ({ y }: ChartSeries) =>
    Math.max(
      1e-6,
      ...y
        .slice(Math.floor(y.length / 2))
        .filter(Number.isFinite)
        .map(Math.abs),
    );
  const plain = (name: string) => name.replace(/, held out$/, '');
  for (const one of [...series].sort((a, b) => size(b) - size(a))) {
    const partner = charts.find(({ members }) => members.some(({ name }) => plain(name) === plain(one.name)));
    const fits = partner ?? charts.find((chart) => size(one) > chart.size / 12);
    if (fits) fits.members.push(one);
    else charts.push({ size: size(one), members: [one] });
  }
  return charts.map(({ members }) => members.map((one, colour) => ({ ...one, colour })));
}
