/** What a run's log and its blocks tell in numbers: terms over the steps, and how much every dimension carries. */

import { percentile } from '../analysis/index.ts';
import { barChart, type Drawing, lineChart, type Series, stackedDrawings } from '../drawing/index.ts';
import { UntangleError } from '../errors.ts';
import { type LogLine, readLog } from '../runs/index.ts';
import type { TrainedModel } from '../use/index.ts';
import { allDimensions, byKl, chooseBlocks } from './codes.ts';
import { type PictureOptions, titled } from './subject.ts';

/** More curves can't be told apart. */
const mostCurves = 12;

/** The loss and its terms over the steps; and, where it was watched, the KL of each dimension. */
export async function drawCurves(
  model: Pick<TrainedModel, 'file'>,
  logPath: string,
  { dimensions = mostCurves }: PictureOptions,
): Promise<{ name: string; drawing: Drawing }[]> {
  const all: LogLine[] = [];
  for await (const line of readLog(logPath)) all.push(line);
  // The terms of an untrained model are far from all later ones, and would stretch the axis for themselves alone.
  const lines = all.length > 2 ? all.filter(({ step }) => step > 1) : all;
  if (lines.length === 0) throw new UntangleError(`“${logPath}” holds no step yet.`, { kind: 'call' });
  const looks = lines.filter(({ validation }) => validation !== undefined);
  const terms = namesIn(lines.map((line) => line.terms)).map((name) => series(name, lines, (line) => line.terms[name]));
  const watched = series('held-out loss', looks, ({ validation }) => validation?.loss);
  const [first, ...rest] = terms;
  // Beside the loss, since the colours of neighbours differ.
  const shown = watched.y.length > 1 ? [first, watched, ...rest] : terms;
  const panels = byScale(shown).map((group, i) =>
    lineChart({
      series: group,
      x: { label: 'step' },
      y: { label: 'term, unweighted', scale: spansDecades(group) ? 'log' : 'linear' },
      smoothing: lines.length > 200 ? 0.9 : 0.5,
      title: i === 0 ? titled(model, 'the loss and its terms') : undefined,
    }),
  );
  const drawn = [{ name: '', drawing: stackedDrawings(panels) }];
  const carried = namesIn(looks.map(({ validation }) => validation ?? {}))
    .flatMap((name) => {
      const [, label] = /^kl (.+\[\d+\])$/.exec(name) ?? [];
      return label === undefined ? [] : [series(label, looks, ({ validation }) => validation?.[name])];
    })
    .sort((a, b) => last(b) - last(a));
  if (carried.some(({ y }) => y.length > 1))
    drawn.push({
      name: 'kl',
      drawing: lineChart({
        series: carried.slice(0, dimensions),
        x: { label: 'step' },
        y: { label: 'KL', unit: 'nats' },
        title: titled(model, 'what each dimension carries'),
        caption:
          carried.length > dimensions
            ? `The ${dimensions} of ${carried.length} dimensions that carry the most.`
            : undefined,
      }),
    });
  return drawn;
}

/** The KL of every dimension by block, in each block the largest first (N-VAE, Fig. 5). */
export function drawKl(model: TrainedModel, { blocks, dimensions }: PictureOptions): Drawing {
  const chosen = blocks ? chooseBlocks(model, blocks) : allDimensions(model.file.blocks);
  const groups = chosen
    .filter(({ block }) => block.kl !== undefined)
    .map((one) => ({
      name: one.block.name,
      bars: byKl([one])
        .slice(0, dimensions)
        .map(({ index, kl = 0 }) => ({ label: String(index), value: kl })),
    }));
  return barChart({
    groups,
    value: { label: 'KL', unit: 'nats' },
    title: titled(model, 'what each dimension carries'),
  });
}

/** Terms that are more than this apart in size would flatten each other on one axis. */
const sameScale = 30;

/** Series in groups of one scale: the loss with what is of its size, then the others from the largest to the smallest. */
function byScale([loss, ...rest]: Series[]): Series[][] {
  const groups = [{ size: sizeOf(loss), members: [loss] }];
  for (const one of rest.sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const size = sizeOf(one);
    const fitting = groups.find((group) => size * sameScale >= group.size && size <= group.size * sameScale);
    if (fitting) fitting.members.push(one);
    else groups.push({ size, members: [one] });
  }
  return groups.map(({ members }) => members);
}

/** How large a term usually is: the median of its absolute values. */
function sizeOf({ y }: Series): number {
  const values = Array.from(y, Math.abs).filter(Number.isFinite);
  return values.length === 0 ? 0 : percentile(values, 50);
}

function spansDecades(group: readonly Series[]): boolean {
  const values = group.flatMap(({ y }) => Array.from(y)).filter(Number.isFinite);
  const [least, largest] = values.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return least > 0 && largest > 10 * least;
}

function namesIn(records: Record<string, number>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function series(name: string, lines: LogLine[], value: (line: LogLine) => number | undefined): Series {
  const known = lines.filter((line) => value(line) !== undefined);
  return { name, x: known.map(({ step }) => step), y: known.map((line) => value(line) ?? Number.NaN) };
}

function last({ y }: Series): number {
  return y[y.length - 1];
}
