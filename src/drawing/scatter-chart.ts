/**
 * One measure against another, such as disentanglement against reconstruction (DIP-VAE, Fig. 1): a mark for each run,
 * methods joined by a line in the order of their option, with its value beside the mark.
 */
import { UntangleError } from '../errors.ts';
import { type Axis, domainOf, type Plot, plot, widened } from './axes.ts';
import type { Drawing, DrawnShape } from './drawing.ts';
import { measure } from './font.ts';
import { namesLegend } from './legend.ts';
import { distinctMark } from './marks.ts';
import { type Looks, label, page, sizes } from './page.ts';
import { categoryColour, muted, white } from './palette.ts';

export interface ScatterPoint {
  x: number;
  y: number;
  /** Written beside the mark. */
  label?: string;
  /** Standard deviations, shown as thin lines on both sides. */
  xDeviation?: number;
  yDeviation?: number;
}

export interface ScatterChart extends Looks {
  series: { name: string; points: ScatterPoint[]; joined?: boolean }[];
  x: Axis;
  y: Axis;
  width?: number;
  height?: number;
}

/** @example scatterChart({ series: [{ name: 'β-VAE', points: [{ x: 40, y: 0.2, label: '4' }] }], x: { label: 'error' }, y: { label: 'SAP' } }) */
export function scatterChart(options: ScatterChart): Drawing {
  const { series, width = 420, height = 280 } = options;
  const points = series.flatMap((one) => one.points);
  if (points.length === 0) throw new UntangleError('There is no point to show.', { kind: 'call' });
  const reach = (axis: 'x' | 'y') =>
    points.flatMap((point) => {
      const deviation = (axis === 'x' ? point.xDeviation : point.yDeviation) ?? 0;
      return [point[axis] - deviation, point[axis] + deviation];
    });
  const axes = plot({
    x: { ...options.x, domain: widened(domainOf(reach('x'), options.x.scale), options.x.scale, 0.06) },
    y: { ...options.y, domain: widened(domainOf(reach('y'), options.y.scale), options.y.scale, 0.06) },
    width,
    height,
  });
  const shapes: DrawnShape[] = [...axes.shapes];
  const lines: Box[] = [];
  for (const [i, one] of series.entries()) {
    const stroke = categoryColour(i);
    const path = one.points.flatMap((point) => position(axes, point) ?? []);
    if (one.joined && path.length > 2) {
      shapes.push({ kind: 'line', points: path, stroke, thickness: 1.25, opacity: 0.6 });
      lines.push(...alongLine(path));
    }
    shapes.push(...one.points.flatMap((point) => deviations(axes, point, stroke)));
  }
  const marks: { x: number; y: number; label?: string }[] = [];
  for (const [i, one] of series.entries()) {
    for (const point of one.points) {
      const at = position(axes, point);
      if (at === undefined) continue;
      shapes.push(distinctMark(i, at[0], at[1], markRadius));
      marks.push({ x: at[0], y: at[1], label: point.label });
    }
  }
  shapes.push(...besideMarks(marks, lines, axes.area));
  const { right, top, bottom } = axes.area;
  if (series.length === 1) return page({ width: right, height: axes.height, shapes }, options, chartName(options));
  const names = series.map(({ name }) => name);
  const legend = namesLegend(names, (i, x, y) => distinctMark(i, x, y, markRadius), right + 18, top, bottom - top);
  const content = { width: right + 18 + legend.width, height: axes.height, shapes: [...shapes, ...legend.shapes] };
  return page(content, options, chartName(options));
}

const markRadius = 4;

function chartName({ x, y }: ScatterChart): string {
  return `${y.label} against ${x.label}`;
}

function position(axes: Plot, { x, y }: ScatterPoint): [number, number] | undefined {
  const [across, up] = [axes.x.at(x), axes.y.at(y)];
  return across === undefined || up === undefined ? undefined : [across, up];
}

function deviations(axes: Plot, point: ScatterPoint, stroke: string): DrawnShape[] {
  const { x, y, xDeviation = 0, yDeviation = 0 } = point;
  const span = (from: ScatterPoint, to: ScatterPoint): DrawnShape[] => {
    const [a, b] = [position(axes, from), position(axes, to)];
    return a && b ? [{ kind: 'line', points: [...a, ...b], stroke, thickness: 1, opacity: 0.8 }] : [];
  };
  return [
    ...(xDeviation > 0 ? span({ x: x - xDeviation, y }, { x: x + xDeviation, y }) : []),
    ...(yDeviation > 0 ? span({ x, y: y - yDeviation }, { x, y: y + yDeviation }) : []),
  ];
}

/** Labels beside their marks, each on the side where it covers least of marks, lines and the labels before it. */
function besideMarks(
  marks: { x: number; y: number; label?: string }[],
  lines: Box[],
  area: Plot['area'],
): DrawnShape[] {
  const own = marks.map(({ x, y }) => box(x - markRadius, y - markRadius, 2 * markRadius, 2 * markRadius));
  const taken = [...own, ...lines];
  return marks.flatMap((point) => {
    if (point.label === undefined) return [];
    const width = measure(point.label, sizes.note);
    const height = sizes.note;
    const away = markRadius + 3;
    const places = [
      [away, -height / 2],
      [-away - width, -height / 2],
      [-width / 2, -away - height],
      [-width / 2, away],
      [away, -away - height / 2],
      [away, away - height / 2],
      [-away - width, -away - height / 2],
      [-away - width, away - height / 2],
    ].map(([dx, dy]) => box(point.x + dx, point.y + dy, width, height));
    const cost = (place: Box) =>
      taken.reduce((sum, other) => sum + overlap(place, other), 0) +
      (place.right > area.right + 4 || place.left < area.left ? 1e6 : 0);
    const best = places.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    taken.push(best);
    const options = { size: sizes.note, fill: muted, halo: white };
    return [label(point.label, best.left, best.top + height * 0.86, options)];
  });
}

/** Small boxes all along a line. */
function alongLine(points: number[]): Box[] {
  const boxes: Box[] = [];
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = points.slice(i, i + 4);
    const steps = Math.ceil(Math.hypot(bx - ax, by - ay) / 4);
    for (let k = 0; k <= steps; k++) {
      const part = steps === 0 ? 0 : k / steps;
      boxes.push(box(ax + (bx - ax) * part - 2, ay + (by - ay) * part - 2, 4, 4));
    }
  }
  return boxes;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function box(left: number, top: number, width: number, height: number): Box {
  return { left, top, right: left + width, bottom: top + height };
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}
