/**
 * A drawing: shapes on a page in CSS pixels, painted in order. Every picture of this room is one, and `svg.ts` and
 * `rasterise.ts` are its two writers, so that the SVG and the PNG of a picture show the same.
 */
import { UntangleError } from '../errors.ts';
import { measure, type Weight } from './font.ts';
import type { Raster } from './image.ts';
import { white } from './palette.ts';

export interface Drawing {
  width: number;
  height: number;
  /** What the picture is, for people who hear it read out. */
  title: string;
  background: string;
  shapes: DrawnShape[];
}

/** Colours are `#rrggbb`; `opacity` is 1 unless told. */
export type DrawnShape = Rectangle | Line | Polygon | Disc | Text | PlacedRaster;

export interface Rectangle {
  kind: 'rectangle';
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string;
  opacity?: number;
}

/** A polyline with round ends and corners. */
export interface Line {
  kind: 'line';
  /** x and y in turn. */
  points: number[];
  stroke: string;
  thickness: number;
  opacity?: number;
  /** Lengths of stroke and gap. */
  dash?: [number, number];
}

export interface Polygon {
  kind: 'polygon';
  /** x and y in turn; the last point joins the first. */
  points: number[];
  fill: string;
  opacity?: number;
}

export interface Disc {
  kind: 'disc';
  x: number;
  y: number;
  radius: number;
  fill: string;
  opacity?: number;
}

/** One line of text. `y` is its baseline. */
export interface Text {
  kind: 'text';
  x: number;
  y: number;
  text: string;
  size: number;
  weight: Weight;
  fill: string;
  anchor: 'start' | 'middle' | 'end';
  /** Degrees, clockwise, about (x, y). */
  turn?: number;
  /** A rim of this colour around the letters, so that they are readable over points. */
  halo?: string;
}

/** The thickness of the stroke around letters that makes their halo. */
export const haloWidth = 3;

/** Pixels shown in a rectangle: enlarged as hard squares (or blended, if `smooth`), reduced by averaging. */
export interface PlacedRaster {
  kind: 'picture';
  x: number;
  y: number;
  width: number;
  height: number;
  raster: Raster;
  smooth?: boolean;
}

/** An empty page. */
export function drawing(width: number, height: number, title: string, shapes: DrawnShape[] = []): Drawing {
  return { width: Math.ceil(width), height: Math.ceil(height), title, background: white, shapes };
}

/** The same shape elsewhere. */
export function moved<S extends DrawnShape>(shape: S, dx: number, dy: number): S {
  if (shape.kind === 'line' || shape.kind === 'polygon')
    return { ...shape, points: shape.points.map((value, i) => value + (i % 2 === 0 ? dx : dy)) };
  return { ...shape, x: shape.x + dx, y: shape.y + dy };
}

/** Drawings one below the other on one page, under the first one's title. */
export function stackedDrawings([first, ...rest]: readonly Drawing[]): Drawing {
  let { height } = first;
  const shapes = [...first.shapes];
  for (const one of rest) {
    const below = height;
    shapes.push(...one.shapes.map((shape) => moved(shape, 0, below)));
    height += one.height;
  }
  return { ...first, width: Math.max(first.width, ...rest.map(({ width }) => width)), height, shapes };
}

/** Four lines along the inner edge of a rectangle. */
export function frame(
  x: number,
  y: number,
  width: number,
  height: number,
  stroke: string,
  thickness: number,
): Rectangle[] {
  const side = (left: number, top: number, w: number, h: number): Rectangle => ({
    kind: 'rectangle',
    x: left,
    y: top,
    width: w,
    height: h,
    fill: stroke,
  });
  return [
    side(x, y, width, thickness),
    side(x, y + height - thickness, width, thickness),
    side(x, y + thickness, thickness, height - 2 * thickness),
    side(x + width - thickness, y + thickness, thickness, height - 2 * thickness),
  ];
}

/** The rectangle that a line of text takes up, turned or not. */
export function extent(text: Text): { left: number; right: number; top: number; bottom: number } {
  const width = measure(text.text, text.size, text.weight);
  const left = text.anchor === 'start' ? 0 : text.anchor === 'middle' ? -width / 2 : -width;
  const angle = ((text.turn ?? 0) * Math.PI) / 180;
  const xs: number[] = [];
  const ys: number[] = [];
  for (const dx of [left, left + width]) {
    for (const dy of [-0.76 * text.size, 0.24 * text.size]) {
      xs.push(text.x + dx * Math.cos(angle) - dy * Math.sin(angle));
      ys.push(text.y + dx * Math.sin(angle) + dy * Math.cos(angle));
    }
  }
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** Refuses a picture that would fill the memory. */
export function checkSize(width: number, height: number): void {
  const limit = 64e6;
  if (!(width >= 1 && height >= 1 && width * height <= limit)) {
    throw new UntangleError(
      `The picture would be ${Math.round(width)} × ${Math.round(height)} pixels; the limit is ${limit / 1e6} million.`,
      { kind: 'call', hint: 'Show fewer rows or columns, smaller cells, or a smaller scale.' },
    );
  }
}
