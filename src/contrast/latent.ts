/**
 * The contrastive latent variable model of two sets as a report (Severson et al. 2019): where the target's items lie in what it adds,
 * how sure that is, how much of the variance each direction makes, and for tables which columns make it.
 */
import { contrastiveLatent, latentItems, silhouette } from '../analysis/index.ts';
import type { Opened } from '../data/index.ts';
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
import { colouring } from './linear.ts';
import { evenly, lookedAt, named, pointsWithGaps } from './looked-at.ts';

export interface LatentSettings {
  shared?: number | undefined;
  salient?: number | undefined;
  /** Degrees of freedom of Student-t items. */
  freedom?: number | undefined;
  relevance?: boolean | undefined;
}

export interface LatentReport {
  data: Record<'target' | 'background', { name: string; items: number; missing: number }>;
  model: { shared: number; salient: number; freedom: number | null; relevance: boolean };
  rounds: number;
  converged: boolean;
  logLikelihood: number;
  noise: number;
  /** What the target adds: the variance of each direction over all columns, its share of the target's, and how sure codes are. */
  directions: {
    variance: number;
    share: number;
    deviation: number;
    /** For tables: the columns by their weight, the largest first. */
    loadings?: { column: string; weight: number }[];
  }[];
  /** The silhouette of the target's labels in the salient codes, where labels are known. */
  labels?: number;
  notes: string[];
}

const mostPoints = 1500;
const shownColumns = 8;
/** A direction with less of the variance is one that relevance has drawn to nothing. */
const nothing = 1e-6;

/** @example latentReport(await chooseData('mice.csv', { … }), { salient: 2 }) */
export function latentReport(
  { target, background }: Extract<Opened, { kind: 'contrast' }>,
  { shared, salient, freedom, relevance = false }: LatentSettings = {},
): { report: LatentReport; figures: Drawing[]; csv: string } {
  const items = evenly(target);
  const columns = lookedAt(target);
  const ofTarget = pointsWithGaps(target, items, columns);
  const ofBackground = pointsWithGaps(background, evenly(background), columns);
  const { d } = ofTarget;
  const sizes = { shared: shared ?? Math.min(5, Math.max(0, d - 3)), salient: salient ?? Math.min(2, d - 1) };
  const model = contrastiveLatent({
    target: ofTarget,
    background: ofBackground,
    ...sizes,
    ...(freedom !== undefined && { freedom }),
    relevance,
  });
  const codes = latentItems(model, ofTarget, 'target');
  const labels = target.labels && Array.from(items, (item) => target.labels?.values[item] ?? 0);
  const n = items.length;
  const whole =
    model.salientVariances.reduce((sum, value) => sum + value, 0) +
    model.sharedLoadings.reduce((sum, value) => sum + value * value, 0) +
    d * model.noise;
  const names = target.shape.kind === 'table' ? named(target.shape.columns, columns) : undefined;
  const meanDeviation = (c: number) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += codes.salientDeviations[i * sizes.salient + c];
    return sum / n;
  };
  const report: LatentReport = {
    data: {
      target: { name: target.name, items: n, missing: ofTarget.gaps },
      background: { name: background.name, items: ofBackground.n, missing: ofBackground.gaps },
    },
    model: { ...sizes, freedom: freedom ?? null, relevance },
    rounds: model.objective.length - 1,
    converged: model.converged,
    logLikelihood: model.logLikelihood,
    noise: model.noise,
    directions: Array.from(model.salientVariances, (variance, c) => ({
      variance,
      share: variance / whole,
      deviation: meanDeviation(c),
      ...(names && {
        loadings: names
          .map((column, j) => ({ column, weight: model.salientLoadings[c * d + j] }))
          .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)),
      }),
    })),
    ...(labels &&
      new Set(labels).size > 1 && {
        labels: silhouette({ x: codes.salient, n, d: sizes.salient, labels, sample: 2000 }),
      }),
    notes: model.converged ? [] : [`EM was ended after ${model.objective.length - 1} rounds, while it still gained.`],
  };
  return {
    report,
    figures: figuresOf(report, codes, target.labels?.names, labels),
    csv: csvOf(items, codes, sizes, target.labels),
  };
}

/** The same as a page for people. */
export function latentPage(
  { data, model, directions, labels, notes, ...fit }: LatentReport,
  figures: readonly Drawing[],
): string {
  const { target, background } = data;
  const title = `Contrastive latent variables of ${target.name}`;
  const kind = [
    model.freedom === null ? 'normal' : `Student-t with ${readable(model.freedom)} degrees of freedom`,
    ...(model.relevance ? ['automatic relevance of the salient directions'] : []),
  ].join(', ');
  const missing = target.missing + background.missing;
  const body = [
    `<h1>${escaped(title)}</h1>`,
    htmlParagraph(
      `Target: ${target.items} items. Background ${background.name}: ${background.items} items. ${model.shared === 1 ? 'One direction' : `${model.shared} directions`} that both vary in, ${model.salient} that the target adds; ${kind}.${missing > 0 ? ` ${missing} numbers are missing and are left out, not filled in.` : ''} ${fit.rounds} rounds of EM, log-likelihood ${readable(fit.logLikelihood)}, noise ${readable(Math.sqrt(fit.noise))} of a column’s deviation.`,
      'about',
    ),
    ...notes.map((note) => htmlParagraph(note, 'about')),
    htmlTable(
      ['direction', 'variance', 'share of the target’s', 'deviation of a code'],
      directions.map(({ variance, share, deviation }, c) => [
        String(c + 1),
        share < nothing ? '0' : readable(variance),
        `${(100 * share).toFixed(1)} %`,
        readable(deviation),
      ]),
    ),
    htmlParagraph(
      'Codes have the deviation 1 over the target by the model; that of a code says how far it may be off, from 0, known, to 1, not known at all.',
      'about',
    ),
    ...(labels === undefined
      ? []
      : [htmlParagraph(`The silhouette of the labels in the salient codes is ${labels.toFixed(2)}.`, 'about')]),
    `<section><h2>The target’s items, and the columns</h2><div class="pair">${figures.map((figure) => htmlFigure(figure)).join('')}</div></section>`,
    '<footer>Made by <code>untangle clvm</code>. The numbers are in <code>clvm.json</code>, every item with its deviations in <code>clvm.csv</code>.</footer>',
  ];
  return htmlPage(title, body.join('\n'));
}

function figuresOf(
  { directions, model }: LatentReport,
  codes: ReturnType<typeof latentItems>,
  names: string[] | undefined,
  labels: number[] | undefined,
): Drawing[] {
  const { salient } = model;
  const n = codes.weights.length;
  const shown = Math.min(mostPoints, n);
  const step = (i: number) => Math.floor((i * n) / shown);
  const points = Float64Array.from({ length: 2 * shown }, (_, e) => {
    const i = step(e >> 1);
    // A single direction is drawn against the first shared one.
    if (e % 2 < salient) return codes.salient[i * salient + (e % 2)];
    return model.shared > 0 ? codes.shared[i * model.shared] : 0;
  });
  const scatter = pointMap({
    points,
    size: 280,
    title: salient > 1 ? 'the first two salient directions' : 'the salient direction across, the first shared one up',
    ...(labels && names && { colour: colouring(labels, names, shown, step) }),
  });
  const groups = directions.slice(0, 2).flatMap(({ loadings, share }, c) =>
    loadings && share >= nothing
      ? [
          {
            name: ['first direction', 'second direction'][c],
            bars: loadings.slice(0, shownColumns).map(({ column, weight }) => ({ label: column, value: weight })),
          },
        ]
      : [],
  );
  if (groups.length === 0) return [scatter];
  return [scatter, barChart({ groups, value: { label: 'weight of a standardised column' }, title: 'the columns' })];
}

/** The codes of every item that was looked at, with their deviations and its weight. */
function csvOf(
  items: Uint32Array,
  codes: ReturnType<typeof latentItems>,
  { salient, shared }: { salient: number; shared: number },
  labels?: { names: string[]; values: ArrayLike<number> },
): string {
  const heads = (name: string, size: number) =>
    Array.from({ length: size }, (_, c) => [`${name} ${c + 1}`, `${name} ${c + 1} deviation`]).flat();
  const cells = (i: number, size: number, means: Float64Array, deviations: Float64Array) =>
    Array.from({ length: size }, (_, c) => [means[i * size + c], deviations[i * size + c]]).flat();
  const short = (value: number) => Number(value.toPrecision(6));
  const lines = Array.from(items, (item, i) =>
    [
      item,
      ...(labels ? [`"${labels.names[labels.values[item]].replaceAll('"', '""')}"`] : []),
      ...cells(i, salient, codes.salient, codes.salientDeviations).map(short),
      ...cells(i, shared, codes.shared, codes.sharedDeviations).map(short),
      short(codes.weights[i]),
      short(codes.logLikelihoods[i]),
    ].join(','),
  );
  const head = [
    'item',
    ...(labels ? ['label'] : []),
    ...heads('salient', salient),
    ...heads('shared', shared),
    'weight',
    'log-likelihood',
  ];
  return `${[head.join(','), ...lines].join('\n')}\n`;
}
