/** The report of a sweep as a page that stands alone. */
import {
  barChart,
  betterArrow,
  type Drawing,
  escaped,
  htmlFigure,
  htmlPage,
  htmlParagraph,
  htmlTable,
  readable,
  scatterChart,
} from '../../drawing/index.ts';
import type { SweepObjective } from '../search/ranking.ts';
import type { Agreement } from './agreement.ts';
import { type Importance, importances } from './importance.ts';
import type { Summary, SummaryRow } from './summary.ts';

/**
 * `agreeing` are the settings by UDR, where that was measured.
 *
 * @example sweepPage(summarise(sweep)) // HTML
 */
export function sweepPage(summary: Summary, agreeing: readonly Agreement[] = []): string {
  const { name, objectives, trials, done, failed, steps, wholeSteps, rows, command } = summary;
  const drawing = tradeOff(summary);
  const matters = importances(summary);
  const failures = rows.filter((row) => row.failure !== undefined);
  const saved =
    steps < wholeSteps ? `, ${percent(steps / wholeSteps)} of what training all of them to the end takes` : '';
  const body = [
    `<h1>Sweep ${escaped(name)}</h1>`,
    htmlParagraph(
      `${rows.length} settings with ${rows[0]?.seeds.length ?? 0} seeds each, ${done} of ${trials} trials trained to the end${failed > 0 ? `, ${failed} failed` : ''}; ${steps} steps${saved}.`,
      'about',
    ),
    command === undefined
      ? ''
      : `<div class="answer"><p>${escaped(bestText(summary))}</p><p><code>${escaped(command)}</code></p></div>`,
    drawing === undefined ? '' : `<h2>Trade-off</h2>${htmlFigure(drawing)}`,
    '<h2>Settings, the best first</h2>',
    htmlParagraph(
      `Means over seeds, ± a standard deviation, with the 95 % interval of a bootstrap. “Behind” is how far the best is ahead with the same seeds: where its interval holds 0, these seeds do not tell the two apart.`,
      'about',
    ),
    htmlTable(...tableOf(rows, objectives)),
    ...(matters.length > 0 ? ['<h2>Which setting matters</h2>', ...matters.map(matterText)] : []),
    ...(agreeing.length > 0 ? ['<h2>Without factors</h2>', agreementText(summary, agreeing)] : []),
    ...(failures.length > 0
      ? [
          '<h2>What failed</h2>',
          htmlTable(
            ['settings', 'why'],
            failures.map((row) => [pointText(row), row.failure ?? '']),
          ),
        ]
      : []),
  ];
  return htmlPage(`Sweep ${name}`, body.filter((part) => part !== '').join('\n'));
}

/** The table for a page or a terminal: its head, and a row for every configuration. */
export function tableOf(rows: readonly SummaryRow[], objectives: readonly SweepObjective[]): [string[], string[][]] {
  const names = [...new Set(rows.flatMap(({ point }) => Object.keys(point)))];
  const head = [
    ...(names.length === 0 ? ['settings'] : names),
    ...objectives.flatMap(({ name, better }) => [`${name} ${betterArrow(better)}`, '±', '95 %', 'behind']),
    'steps',
    'front',
  ];
  const cells = rows.map((row) => [
    ...(names.length === 0 ? ['as given'] : names.map((name) => `${row.point[name] ?? '–'}`)),
    ...objectives.flatMap(({ name }) => {
      const { mean, low, high, deviation } = row.values[name];
      const behind = row.behind[name];
      return [
        readable(mean),
        Number.isNaN(deviation) ? '–' : readable(deviation),
        intervalText(low, high),
        behind === undefined || row === rows[0]
          ? '–'
          : `${readable(behind.mean)} ${intervalText(behind.low, behind.high)}`,
      ];
    }),
    `${row.step}`,
    row.isOnFront ? '●' : '',
  ]);
  return [head, cells];
}

/** The best configuration in words. */
export function bestText({ rows: [best], objectives }: Summary): string {
  const numbers = objectives.map(({ name }) => `${name} ${readable(best.values[name].mean)}`).join(', ');
  return `Best: ${pointText(best)} (${numbers}).`;
}

const pointText = ({ point }: SummaryRow) =>
  Object.entries(point)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || 'the settings as given';

const intervalText = (low: number, high: number) => (Number.isNaN(low) ? '–' : `${readable(low)} to ${readable(high)}`);

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** Two objectives against each other: all that were trained to the end, and the front that nothing beats. */
function tradeOff({ rows, objectives: [first, second] }: Summary): Drawing | undefined {
  if (second === undefined) return undefined;
  const last = Math.max(...rows.map(({ step }) => step));
  const points = (isOnFront: boolean) =>
    rows
      .filter((row) => row.step === last && row.isOnFront === isOnFront && Number.isFinite(row.values[first.name].mean))
      .map(({ values: { [second.name]: x, [first.name]: y } }) => ({
        x: x.mean,
        y: y.mean,
        ...(!Number.isNaN(x.deviation) && { xDeviation: x.deviation, yDeviation: y.deviation }),
      }))
      .sort((a, b) => a.x - b.x);
  const series = [
    { name: 'the front', points: points(true), joined: true },
    { name: 'others', points: points(false) },
  ].filter((one) => one.points.length > 0);
  if (series.length === 0) return undefined;
  const label = ({ name, better }: SweepObjective) => `${name} (${better} is better)`;
  return scatterChart({
    title: `${first.name} against ${second.name}, after ${last} steps`,
    series,
    x: { label: label(second) },
    y: { label: label(first) },
  });
}

/** The settings by how far the models of their seeds agree, and how well that goes with the first objective. */
function agreementText({ rows, objectives: [first] }: Summary, agreeing: readonly Agreement[]): string {
  const about = `How far the models of a setting's seeds take the data apart in the same way (UDR): this needs no factor. The seed beside it is the one whose model agrees most with the others.`;
  const cells = agreeing.map(({ row, udr, seeds }) => {
    const most = seeds.reduce((best, one) => (one.udr > best.udr ? one : best));
    return [pointText(rows[row]), readable(udr), `${most.seed}`, readable(rows[row].values[first.name].mean)];
  });
  return `${htmlParagraph(about, 'about')}${htmlTable(['settings', 'UDR', 'seed', first.name], cells)}`;
}

/** The setting whose models agree most, in words. */
export function agreementSentence({ rows }: Summary, [first]: readonly Agreement[]): string {
  const most = first.seeds.reduce((best, one) => (one.udr > best.udr ? one : best));
  return `Without factors, by UDR: ${pointText(rows[first.row])} (${readable(first.udr)}), seed ${most.seed}.`;
}

function matterText({ objective, step, configurations, explained, settings }: Importance): string {
  const bars = settings.map(({ name, importance }) => ({ label: name, value: Math.max(0, importance) }));
  const about = `A random forest of ${configurations} settings at ${step} steps explains ${percent(Math.max(0, explained))} of the variance of ${objective} that it has not seen. A bar is how much its squared error grows, over that variance, when the setting is shuffled${explained < 0.2 ? '; with so little explained, read nothing into the order' : ''}.`;
  return `${htmlFigure(barChart({ title: objective, groups: [{ name: 'settings', bars }], value: { label: 'importance' } }))}${htmlParagraph(about, 'about')}`;
}
