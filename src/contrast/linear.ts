/**
 * Contrastive PCA as a report (Abid et al. 2018): where the target's items lie for the few values of α that differ, how much of
 * either set's variance is left there, whether known labels come apart, and, for tables, which columns make the directions.
 */
import {
  type ContrastivePca,
  type ContrastKernel,
  contrastivePca,
  contrastiveSweep,
  kernelFeatures,
  project,
  silhouette,
  targetVaries,
} from '../analysis/index.ts';
import type { Dataset, Opened } from '../data/index.ts';
import {
  barChart,
  type Drawing,
  escaped,
  htmlFigure,
  htmlPage,
  htmlParagraph,
  htmlTable,
  pointMap,
  readable,
} from '../drawing/index.ts';
import { evenly, itemPoints, lookedAt, named } from './looked-at.ts';

export interface LinearModel {
  alpha: number;
  /** Variances along the two directions. */
  target: number[];
  background: number[];
  /** The silhouette of the target's labels in the plane, where labels are known. */
  labels: number | undefined;
  /** For tables: the columns by their weight in either direction, the largest first. */
  loadings?: { column: string; weights: number[] }[];
}

/** The target's items in the plane of an α, and the columns that make it. */
export interface LinearFigures {
  scatter: Drawing;
  chart?: Drawing;
}

export interface LinearReport {
  data: Record<'target' | 'background', { name: string; items: number }>;
  models: LinearModel[];
  notes: string[];
}

const mostPoints = 1500;
const shownColumns = 8;

/** @example linearReport(await chooseData('mice.csv', { … })) */
export function linearReport(
  { target, background }: Extract<Opened, { kind: 'contrast' }>,
  alphas?: readonly number[],
  kernel?: ContrastKernel,
): { report: LinearReport; figures: LinearFigures[]; csv: string } {
  // A kernel compares each two items.
  const most = kernel && 500;
  const items = evenly(target, most);
  const columns = lookedAt(target);
  const points = {
    target: itemPoints(target, items, columns),
    background: itemPoints(background, evenly(background, most), columns),
  };
  const sets = kernel ? kernelFeatures(points, kernel) : points;
  const all =
    alphas === undefined ? contrastiveSweep(sets).models : alphas.map((alpha) => contrastivePca({ ...sets, alpha }));
  const models = all.filter((model) => model.alpha === 0 || targetVaries(model));
  const left = all.filter((model) => !models.includes(model)).map(({ alpha }) => readable(alpha));
  const places = models.map((model) => project(model, sets.target.x, sets.target.n));
  const labels = target.labels && Array.from(items, (item) => target.labels?.values[item] ?? 0);
  const report: LinearReport = {
    data: {
      target: { name: target.name, items: target.length },
      background: { name: background.name, items: background.length },
    },
    models: models.map((model, m) => described(model, places[m], target, labels, kernel ? 'of a kernel' : columns)),
    notes:
      left.length === 0
        ? []
        : [`Left out, as the target does not vary in the directions of such α: ${left.join(', ')}.`],
  };
  const figures = report.models.map((model, m) => drawn(model, places[m], target, labels));
  return { report, figures, csv: csvOf(target, items, models, places) };
}

/** The same as a page for people. */
export function linearPage({ data, models, notes }: LinearReport, figures: readonly LinearFigures[]): string {
  const { target, background } = data;
  const title = `Contrastive PCA of ${target.name}`;
  const list = (values: number[]) => values.map(readable).join(', ');
  const known = models.some(({ labels }) => labels !== undefined);
  const rows = models.map(({ alpha, target: ours, background: theirs, labels }) => [
    readable(alpha),
    list(ours),
    list(theirs),
    ...(known ? [labels?.toFixed(2) ?? ''] : []),
  ]);
  const body = [
    `<h1>${escaped(title)}</h1>`,
    htmlParagraph(
      `Target: ${target.items} items. Background ${background.name}: ${background.items} items. Two directions for each α: those in which the target varies most beyond α times the background’s variance. α = 0 is plain PCA of the target.`,
      'about',
    ),
    ...notes.map((note) => htmlParagraph(note, 'about')),
    htmlTable(
      ['α', 'variance in the target', 'variance in the background', ...(known ? ['silhouette of the labels'] : [])],
      rows,
    ),
    `<section><h2>The target’s items</h2><div class="pair">${figures.map(({ scatter }) => htmlFigure(scatter)).join('')}</div></section>`,
    ...(figures.some(({ chart }) => chart)
      ? [
          `<section><h2>The columns that make the directions</h2><div class="pair">${figures.flatMap(({ chart }) => (chart ? [htmlFigure(chart)] : [])).join('')}</div></section>`,
        ]
      : []),
    '<footer>Made by <code>untangle cpca</code>. The numbers are in <code>cpca.json</code>, every item in <code>cpca.csv</code>.</footer>',
  ];
  return htmlPage(title, body.join('\n'));
}

function described(
  model: ContrastivePca,
  places: Float64Array,
  { shape }: Dataset,
  labels: number[] | undefined,
  columns: Uint32Array | 'of a kernel' | undefined,
): LinearModel {
  const several = labels !== undefined && new Set(labels).size > 1;
  return {
    alpha: model.alpha,
    target: Array.from(model.variances),
    background: Array.from(model.backgroundVariances),
    labels: several ? silhouette({ x: places, n: places.length / 2, d: 2, labels, sample: 2000 }) : undefined,
    loadings:
      shape.kind === 'table' && columns !== 'of a kernel'
        ? loadingsOf(model, named(shape.columns, columns))
        : undefined,
  };
}

function drawn(
  { alpha, loadings }: LinearModel,
  places: Float64Array,
  { labels: known }: Dataset,
  labels: number[] | undefined,
): LinearFigures {
  const n = places.length / 2;
  const title = `α = ${readable(alpha)}`;
  const shown = Math.min(mostPoints, n);
  const step = (i: number) => Math.floor((i * n) / shown);
  return {
    scatter: pointMap({
      points: Float64Array.from({ length: 2 * shown }, (_, e) => places[2 * step(e >> 1) + (e % 2)]),
      size: 280,
      title,
      colour: labels && known ? colouring(labels, known.names, shown, step) : undefined,
    }),
    chart: loadings && loadingsChart(loadings, title),
  };
}

export function colouring(labels: number[], names: string[], shown: number, step: (i: number) => number) {
  const used = [...new Set(labels)].sort((a, b) => a - b);
  return {
    kind: 'label' as const,
    names: used.map((label) => names[label]),
    values: Array.from({ length: shown }, (_, i) => used.indexOf(labels[step(i)])),
  };
}

function loadingsOf({ axes, d }: ContrastivePca, columns: readonly string[]) {
  return columns
    .map((column, j) => ({ column, weights: [axes[j], axes[d + j]] }))
    .sort((a, b) => largest(b.weights) - largest(a.weights));
}

const largest = (weights: number[]) => Math.max(...weights.map(Math.abs));

function loadingsChart(loadings: NonNullable<LinearModel['loadings']>, alpha: string): Drawing {
  const groups = [0, 1].map((c) => ({
    name: ['first direction', 'second direction'][c],
    bars: [...loadings]
      .sort((a, b) => Math.abs(b.weights[c]) - Math.abs(a.weights[c]))
      .slice(0, shownColumns)
      .map(({ column, weights }) => ({ label: column, value: weights[c] })),
  }));
  return barChart({ groups, value: { label: 'weight of a standardised column' }, title: `${alpha}: the columns` });
}

/** The target's coordinates for each α. */
function csvOf(target: Dataset, items: Uint32Array, models: readonly ContrastivePca[], places: Float64Array[]): string {
  const heads = models.flatMap(({ alpha }) =>
    [1, 2].map((c) => `alpha ${Number(alpha.toPrecision(3))} direction ${c}`),
  );
  const { labels } = target;
  const lines = Array.from(items, (item, i) =>
    [
      item,
      ...(labels ? [`"${labels.names[labels.values[item]].replaceAll('"', '""')}"`] : []),
      ...places.flatMap((place) => [place[2 * i], place[2 * i + 1]].map((value) => Number(value.toPrecision(6)))),
    ].join(','),
  );
  return `${[['item', ...(labels ? ['label'] : []), ...heads].join(','), ...lines].join('\n')}\n`;
}
