/**
 * Codes as points in the plane (from t-SNE, UMAP or two dimensions themselves; N-VAE, Fig. 3; contrastive paper, Fig. 4),
 * coloured by a label or by a factor. The axes of such maps mean nothing, so none are drawn; distances are equal both ways.
 */
import { UntangleError } from '../errors.ts';
import { domainOf } from './axes.ts';
import { type Drawing, type DrawnShape, frame } from './drawing.ts';
import { measure } from './font.ts';
import { type Legend, namesLegend, scaleLegend } from './legend.ts';
import { mark } from './marks.ts';
import { type Looks, label, page } from './page.ts';
import { faint, scaleColour, white } from './palette.ts';

/** What colours the points: an index into names, or a number. */
export type Colouring =
  | { kind: 'label'; names: string[]; values: ArrayLike<number> }
  | { kind: 'factor'; name: string; values: ArrayLike<number> };

export interface PointMap extends Looks {
  /** x and y of each item in turn. */
  points: ArrayLike<number>;
  colour?: Colouring;
  /** The side of the square that holds the points, in CSS pixels. */
  size?: number;
}

/** @example pointMap({ points, colour: { kind: 'label', names: ['cat', 'dog'], values: labels } }) */
export function pointMap(options: PointMap): Drawing {
  const { points, colour, size = 400 } = options;
  const total = points.length / 2;
  checkPoints(total, colour);
  const order = drawingOrder(total).filter((i) => Number.isFinite(points[2 * i]) && Number.isFinite(points[2 * i + 1]));
  const place = placement(points, size);
  const radius = Math.min(3.2, Math.max(1.1, 70 / Math.sqrt(total)));
  const paint = painter(colour, radius);
  const shapes: DrawnShape[] = frame(0, 0, size, size, faint, 0.5);
  for (const i of order) shapes.push(paint(i, ...place(i)));
  if (colour?.kind === 'label') shapes.push(...classNames(colour, order, place, size));
  const legend = legendOf(colour, size);
  const lost = total - order.length;
  const note = lost === 0 ? '' : `${lost} of ${total} items have no finite place and are left out.`;
  return page(
    { width: size + (legend ? 18 + legend.width : 0), height: size, shapes: [...shapes, ...(legend?.shapes ?? [])] },
    { ...options, caption: [options.caption ?? '', note].filter((part) => part !== '').join(' ') },
    'Codes as points in the plane',
  );
}

/** A fixed mixed order, so that no category covers another only because it came later in the data. */
function drawingOrder(total: number): number[] {
  const hash = (i: number) => Math.imul(i + 1, 0x9e3779b1) >>> 0;
  return Array.from({ length: total }, (_, i) => i).sort((a, b) => hash(a) - hash(b));
}

/** The middle of the points in the middle of the square, with the same scale both ways. */
function placement(points: ArrayLike<number>, size: number): (i: number) => [number, number] {
  const all = Array.from(points);
  const xs = domainOf(all.filter((_, i) => i % 2 === 0));
  const ys = domainOf(all.filter((_, i) => i % 2 === 1));
  const span = Math.max(xs[1] - xs[0], ys[1] - ys[0]) || 1;
  const scale = (size - 28) / span;
  return (i) => [
    size / 2 + (points[2 * i] - (xs[0] + xs[1]) / 2) * scale,
    size / 2 - (points[2 * i + 1] - (ys[0] + ys[1]) / 2) * scale,
  ];
}

function painter(colour: Colouring | undefined, radius: number): (i: number, x: number, y: number) => DrawnShape {
  const opacity = 0.8;
  if (colour === undefined) return (_, x, y) => mark(0, x, y, radius, opacity);
  if (colour.kind === 'label') return (i, x, y) => mark(colour.values[i], x, y, radius, opacity);
  const domain = domainOf(Array.from(colour.values));
  return (i, x, y) => ({ kind: 'disc', x, y, radius, fill: scaleColour(colour.values[i], domain) ?? faint, opacity });
}

/** Short names near the middle of their points, where they cover few of them, so that few categories can be read without the legend. */
function classNames(
  { names, values }: Extract<Colouring, { kind: 'label' }>,
  order: number[],
  place: (i: number) => [number, number],
  size: number,
): DrawnShape[] {
  if (names.length > 20 || names.some((name) => name.length > 12)) return [];
  const placed = names.flatMap((name, category) => {
    const own = order.filter((i) => values[i] === category).map(place);
    if (own.length === 0) return [];
    return [{ name, x: median(own.map(([x]) => x)), y: median(own.map(([, y]) => y)) }];
  });
  const all = order.map(place);
  for (const one of placed) besideThePoints(one, all, size);
  moveApart(placed);
  const style = { anchor: 'middle', size: nameSize, weight: 'bold', halo: white } as const;
  return placed.map(({ name, x, y }) => label(name, x, y + nameSize * 0.36, style));
}

const nameSize = 12.5;

/** A way of this many pixels is as bad as covering a point. */
const wayOfAPoint = 8;

/** Moves a name from its middle to where it covers few points, by a way that is worth it. */
function besideThePoints(
  name: { name: string; x: number; y: number },
  points: readonly [number, number][],
  size: number,
): void {
  const reach = measure(name.name, nameSize, 'bold') / 2 + 3;
  const rise = nameSize * 0.7;
  const isInside = (x: number, y: number) => x > reach && x < size - reach && y > rise && y < size - rise;
  const covered = (x: number, y: number) =>
    points.filter(([a, b]) => Math.abs(a - x) < reach && Math.abs(b - y) < rise).length;
  let best = { ...name, cost: covered(name.x, name.y) };
  for (let way = 10; way <= size / 3; way += 10) {
    if (way / wayOfAPoint >= best.cost) break;
    for (let turn = 0; turn < 16; turn++) {
      const [x, y] = [name.x + way * Math.sin((turn * Math.PI) / 8), name.y - way * Math.cos((turn * Math.PI) / 8)];
      const cost = way / wayOfAPoint + (isInside(x, y) ? covered(x, y) : Number.POSITIVE_INFINITY);
      if (cost < best.cost) best = { ...name, x, y, cost };
    }
  }
  [name.x, name.y] = [best.x, best.y];
}

/** Moves names that would overlap away from each other, up and down. */
function moveApart(names: { name: string; x: number; y: number }[]): void {
  const reach = names.map(({ name }) => measure(name, nameSize, 'bold') / 2);
  for (let round = 0; round < 20; round++) {
    names.forEach((a, i) => {
      names.slice(0, i).forEach((b, j) => {
        const near = Math.abs(a.x - b.x) < reach[i] + reach[j] + 3;
        const missing = nameSize * 1.1 - Math.abs(a.y - b.y);
        if (!near || missing <= 0) return;
        const up = a.y < b.y ? a : b;
        const down = up === a ? b : a;
        up.y -= missing / 2;
        down.y += missing / 2;
      });
    });
  }
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function legendOf(colour: Colouring | undefined, size: number): Legend | undefined {
  if (colour === undefined) return undefined;
  const x = size + 18;
  if (colour.kind === 'label') return namesLegend(colour.names, (i, at, y) => mark(i, at, y, 4), x, 0, size);
  return scaleLegend(colour.name, domainOf(Array.from(colour.values)), x, 0, Math.min(size, 240));
}

function checkPoints(total: number, colour?: Colouring): void {
  if (!Number.isInteger(total) || total === 0) {
    throw new UntangleError(`${2 * total} numbers are not points in the plane.`, {
      kind: 'call',
      hint: 'Give x and y of each item in turn.',
    });
  }
  if (colour !== undefined && colour.values.length !== total) {
    throw new UntangleError(`${colour.values.length} values were given to colour ${total} points.`, { kind: 'call' });
  }
  if (colour?.kind === 'label') {
    const wrong = Array.from(colour.values).find(
      (value) => !(Number.isInteger(value) && value >= 0 && value < colour.names.length),
    );
    if (wrong !== undefined)
      throw new UntangleError(`A point has the label ${wrong}; there are ${colour.names.length} names.`, {
        kind: 'call',
      });
  }
}
