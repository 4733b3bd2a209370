/** A drawing as pixels, anti-aliased, with our own outlines for text: the same bytes on every machine. */
import { type Coverage, fillCoverage, strokeCoverage } from './coverage.ts';
import {
  checkSize,
  type Drawing,
  haloWidth,
  type Line,
  type PlacedRaster,
  type Rectangle,
  type Text,
} from './drawing.ts';
import { layOut } from './font.ts';
import { type Raster, resize, smoothResize } from './image.ts';
import { channels } from './palette.ts';

/**
 * Paints a drawing. `scale` is the number of pixels to a CSS pixel: two, as screens and print want it, unless told.
 *
 * @example encodePng(rasterise(grid({ rows })))
 */
export function rasterise(drawing: Drawing, scale = 2): Raster {
  const width = Math.round(drawing.width * scale);
  const height = Math.round(drawing.height * scale);
  checkSize(width, height);
  const page: Raster = { width, height, data: new Uint8Array(width * height * 4) };
  const paper = new Uint8Array([...channels(drawing.background), 255]);
  new Uint32Array(page.data.buffer).fill(new Uint32Array(paper.buffer)[0]);

  for (const shape of drawing.shapes) {
    if (shape.kind === 'rectangle') paintRectangle(page, shape, scale);
    else if (shape.kind === 'picture') paintPicture(page, shape, scale);
    else if (shape.kind === 'text') paintText(page, shape, scale);
    else if (shape.kind === 'line') paintLine(page, shape, scale);
    else if (shape.kind === 'polygon') {
      const contour = shape.points.map((value) => value * scale);
      paint(page, fillCoverage([contour], width, height), shape.fill, shape.opacity);
    } else {
      const centre = [shape.x * scale, shape.y * scale];
      paint(page, strokeCoverage(centre, 2 * shape.radius * scale, width, height), shape.fill, shape.opacity);
    }
  }
  return page;
}

function paint(page: Raster, coverage: Coverage, colour: string, opacity = 1): void {
  const [red, green, blue] = channels(colour);
  for (let y = 0; y < coverage.height; y++) {
    for (let x = 0; x < coverage.width; x++) {
      const covered = coverage.values[y * coverage.width + x] * opacity;
      if (covered > 0) blend(page, coverage.left + x, coverage.top + y, red, green, blue, covered);
    }
  }
}

function blend(page: Raster, x: number, y: number, red: number, green: number, blue: number, part: number): void {
  const { data } = page;
  const i = (y * page.width + x) * 4;
  data[i] = Math.round(data[i] + (red - data[i]) * part);
  data[i + 1] = Math.round(data[i + 1] + (green - data[i + 1]) * part);
  data[i + 2] = Math.round(data[i + 2] + (blue - data[i + 2]) * part);
}

function paintRectangle(page: Raster, shape: Rectangle, scale: number): void {
  const left = shape.x * scale;
  const top = shape.y * scale;
  const right = left + shape.width * scale;
  const bottom = top + shape.height * scale;
  const [red, green, blue] = channels(shape.fill);
  const overlap = (from: number, to: number, pixel: number) => Math.min(to, pixel + 1) - Math.max(from, pixel);
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(page.height, Math.ceil(bottom)); y++) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(page.width, Math.ceil(right)); x++) {
      const part = overlap(left, right, x) * overlap(top, bottom, y) * (shape.opacity ?? 1);
      if (part > 0) blend(page, x, y, red, green, blue, part);
    }
  }
}

function paintLine(page: Raster, shape: Line, scale: number): void {
  const points = shape.points.map((value) => value * scale);
  const pieces = shape.dash === undefined ? [points] : dashes(points, shape.dash[0] * scale, shape.dash[1] * scale);
  for (const piece of pieces) {
    const coverage = strokeCoverage(piece, shape.thickness * scale, page.width, page.height);
    paint(page, coverage, shape.stroke, shape.opacity);
  }
}

/** A polyline cut into strokes of length `on` with gaps of `off`. */
function dashes(points: number[], on: number, off: number): number[][] {
  const pieces: number[][] = [];
  let drawing = true;
  let left = on;
  let piece = [points[0], points[1]];
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = points.slice(i, i + 4);
    const length = Math.hypot(bx - ax, by - ay);
    let done = 0;
    while (length - done > left) {
      done += left;
      const here = [ax + ((bx - ax) * done) / length, ay + ((by - ay) * done) / length];
      if (drawing) pieces.push([...piece, ...here]);
      piece = here;
      drawing = !drawing;
      left = drawing ? on : off;
    }
    left -= length - done;
    piece.push(bx, by);
  }
  if (drawing && piece.length > 2) pieces.push(piece);
  return pieces;
}

function paintPicture(page: Raster, shape: PlacedRaster, scale: number): void {
  const left = Math.round(shape.x * scale);
  const top = Math.round(shape.y * scale);
  const width = Math.max(1, Math.round(shape.width * scale));
  const height = Math.max(1, Math.round(shape.height * scale));
  const enlarging = width > shape.raster.width;
  const pixels = (shape.smooth && enlarging ? smoothResize : resize)(shape.raster, width, height);
  const { data } = pixels;
  for (let y = Math.max(0, -top); y < Math.min(height, page.height - top); y++) {
    for (let x = Math.max(0, -left); x < Math.min(width, page.width - left); x++) {
      const i = (y * width + x) * 4;
      blend(page, left + x, top + y, data[i], data[i + 1], data[i + 2], data[i + 3] / 255);
    }
  }
}

function paintText(page: Raster, shape: Text, scale: number): void {
  const { placed, length } = layOut(shape.text, shape.weight);
  const unit = (shape.size * scale) / 1000;
  const start = shape.anchor === 'start' ? 0 : shape.anchor === 'middle' ? -length / 2 : -length;
  const angle = ((shape.turn ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle) * unit, Math.sin(angle) * unit];
  // Level text stands on whole pixels, which keeps the letters' feet sharp.
  const x = shape.x * scale;
  const y = shape.turn ? shape.y * scale : Math.round(shape.y * scale);
  const contours = placed.flatMap((letter) =>
    flatten(letter.outline, unit).map((contour) => {
      const points = new Float64Array(contour.length);
      for (let i = 0; i < contour.length; i += 2) {
        const u = contour[i] + letter.x + start;
        const v = contour[i + 1];
        points[i] = x + u * cos - v * sin;
        points[i + 1] = y + u * sin + v * cos;
      }
      return points;
    }),
  );
  if (shape.halo !== undefined) {
    for (const contour of contours) {
      const closed = [...contour, contour[0], contour[1]];
      paint(page, strokeCoverage(closed, haloWidth * scale, page.width, page.height), shape.halo);
    }
  }
  paint(page, fillCoverage(contours, page.width, page.height), shape.fill);
}

/** A glyph's outline as closed polylines. Curves are cut finely enough for their size in pixels. */
function flatten(outline: string, unit: number): number[][] {
  const contours: number[][] = [];
  let points: number[] = [];
  let x = 0;
  let y = 0;
  for (const [, command, rest] of outline.matchAll(/([mlqz])([^mlqz]*)/g)) {
    const numbers = rest === '' ? [] : rest.split(' ').map(Number);
    if (command === 'z') {
      contours.push(points);
      [x, y] = points;
    } else if (command === 'q') {
      const [cx, cy, dx, dy] = numbers;
      const steps = Math.min(12, Math.max(2, Math.ceil(Math.sqrt(Math.hypot(dx, dy) * unit) * 1.5)));
      for (let step = 1; step <= steps; step++) {
        const t = step / steps;
        points.push(x + 2 * t * (1 - t) * cx + t * t * dx, y + 2 * t * (1 - t) * cy + t * t * dy);
      }
      x += dx;
      y += dy;
    } else {
      x += numbers[0];
      y += numbers[1];
      if (command === 'm') points = [x, y];
      else points.push(x, y);
    }
  }
  return contours;
}
