/** Curves over steps, such as a loss and its terms: each is named at its right end, so that no legend is needed. */
import { UntangleError } from '../errors.ts';
import { type Axis, domainOf, type Plot, plot, widened } from './axes.ts';
import type { Drawing, DrawnShape } from './drawing.ts';
import { measure } from './font.ts';
import { type Looks, label, page, sizes } from './page.ts';
import { categoryColour } from './palette.ts';
import { smoothed } from './smoothing.ts';

export interface Series {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

export interface LineChart extends Looks {
  series: Series[];
  x: Axis;
  y: Axis;
  /**
   * The weight of a neighbour in the mean that is drawn, in [0, 1): 0 shows the values themselves; above 0 they stay
   * visible behind their mean.
   */
  smoothing?: number;
  width?: number;
  height?: number;
}

/** @example lineChart({ series: [{ name: 'loss', x: steps, y: loss }], x: { label: 'step' }, y: { label: 'loss', unit: 'nats', scale: 'log' } }) */
export function lineChart(options: LineChart): Drawing {
  const { series, smoothing = 0, width = 460, height = 260 } = options;
  checkSeries(series, smoothing);
  const values = (axis: 'x' | 'y') => series.flatMap((one) => Array.from(one[axis]));
  const axes = plot({
    x: { ...options.x, domain: domainOf(values('x'), options.x.scale) },
    y: { ...options.y, domain: widened(domainOf(values('y'), options.y.scale), options.y.scale) },
    width,
    height,
  });
  const shapes: DrawnShape[] = [...axes.shapes];
  const ends: { name: string; colour: string; x: number; y: number }[] = [];
  series.forEach((one, i) => {
    const colour = categoryColour(i);
    const mean = smoothed(one.y, smoothing, options.y.scale);
    if (smoothing > 0) shapes.push(...curve(axes, one.x, one.y, colour, 1, 0.25));
    shapes.push(...curve(axes, one.x, mean, colour, 1.75));
    const last = lastShown(axes, one.x, mean);
    if (last !== undefined) ends.push({ name: one.name, colour, ...last });
  });
  const named = endLabels(ends, axes);
  return page(
    { width: axes.area.right + named.width, height: axes.height, shapes: [...shapes, ...named.shapes] },
    { ...options, caption: [options.caption ?? '', leftOut(options)].filter((part) => part !== '').join(' ') },
    `${options.y.label} over ${options.x.label}`,
  );
}

/** A curve in pieces, broken where there is no value to show; a lone value is a dot. */
function curve(
  axes: Plot,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  stroke: string,
  thickness: number,
  opacity?: number,
): DrawnShape[] {
  const pieces: number[][] = [[]];
  for (let i = 0; i < y.length; i++) {
    const [across, up] = [axes.x.at(x[i]), axes.y.at(y[i])];
    if (across === undefined || up === undefined) pieces.push([]);
    else pieces[pieces.length - 1].push(across, up);
  }
  return pieces
    .filter((points) => points.length > 0)
    .map((points) =>
      points.length === 2
        ? { kind: 'disc', x: points[0], y: points[1], radius: thickness + 0.5, fill: stroke, opacity }
        : { kind: 'line', points: thinned(points), stroke, thickness, opacity },
    );
}

/** What a logarithmic axis can't show is said in the caption. */
function leftOut({ series, y }: LineChart): string {
  if (y.scale !== 'log') return '';
  const names = series.filter((one) => Array.from(one.y).some((value) => value <= 0)).map(({ name }) => name);
  return names.length === 0 ? '' : `Values of ${names.join(', ')} that are not positive are left out.`;
}

/** Thousands of points on a few hundred pixels: of each half pixel, only the first, lowest, highest and last are kept. */
function thinned(points: number[]): number[] {
  if (points.length < 4000) return points;
  const kept: number[] = [];
  for (let start = 0; start < points.length; ) {
    const column = Math.floor(points[start] * 2);
    let end = start;
    let [lowest, highest] = [start, start];
    while (end < points.length && Math.floor(points[end] * 2) === column) {
      if (points[end + 1] > points[lowest + 1]) lowest = end;
      if (points[end + 1] < points[highest + 1]) highest = end;
      end += 2;
    }
    const chosen = [...new Set([start, lowest, highest, end - 2])].sort((a, b) => a - b);
    for (const at of chosen) kept.push(points[at], points[at + 1]);
    start = end;
  }
  return kept;
}

function lastShown(axes: Plot, x: ArrayLike<number>, y: ArrayLike<number>): { x: number; y: number } | undefined {
  for (let i = y.length - 1; i >= 0; i--) {
    const [across, up] = [axes.x.at(x[i]), axes.y.at(y[i])];
    if (across !== undefined && up !== undefined) return { x: across, y: up };
  }
  return undefined;
}

/** Names at the ends of their curves, moved apart where they would overlap, with a thin line back to the curve. */
function endLabels(ends: { name: string; colour: string; x: number; y: number }[], { area }: Plot) {
  const step = sizes.label * 1.3;
  const sorted = [...ends].sort((a, b) => a.y - b.y);
  const places = spread(
    sorted.map(({ y }) => y),
    step,
    area.top,
    area.bottom,
  );
  const shapes = sorted.flatMap((end, i): DrawnShape[] => [
    {
      kind: 'line',
      points: [end.x, end.y, area.right + 14, places[i]],
      stroke: end.colour,
      thickness: 0.75,
      opacity: 0.7,
    },
    { kind: 'disc', x: end.x, y: end.y, radius: 2.25, fill: end.colour },
    label(end.name, area.right + 18, places[i] + sizes.label * 0.36),
  ]);
  return { shapes, width: 18 + Math.max(0, ...ends.map(({ name }) => measure(name, sizes.label))) };
}

/** The places moved as little as may be so that neighbours stand `step` apart, inside of `low` … `high` if they fit. */
export function spread(wanted: number[], step: number, low: number, high: number): number[] {
  const places = [...wanted];
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i], places[i - 1] + step);
  const over = places.length > 0 ? places[places.length - 1] - high : 0;
  if (over > 0) {
    places[places.length - 1] -= over;
    for (let i = places.length - 2; i >= 0; i--) places[i] = Math.min(places[i], places[i + 1] - step);
  }
  const under = low - (places[0] ?? low);
  return under > 0 ? places.map((place, i) => Math.max(place, low + i * step)) : places;
}

function checkSeries(series: Series[], smoothing: number): void {
  if (series.length === 0) throw new UntangleError('There is no curve to show.', { kind: 'call' });
  const odd = series.find(({ x, y }) => x.length !== y.length);
  if (odd !== undefined) {
    throw new UntangleError(`The curve “${odd.name}” has ${odd.x.length} places and ${odd.y.length} values.`, {
      kind: 'call',
    });
  }
  if (!(smoothing >= 0 && smoothing < 1)) {
    throw new UntangleError(`Smoothing was ${smoothing}.`, {
      kind: 'call',
      hint: 'Give a number from 0 up to 1, without 1.',
    });
  }
}
