/**
 * What changed from one picture to the next, as the movement, turn, growth … that explain the difference best. Each kind of change has
 * a direction in the space of pictures (its derivative); the difference is projected on all of them together by least squares, the
 * picture is changed so, and what is left is projected again: Lucas and Kanade's method (1981) with more than translations.
 */
import { factorise, substitute } from '../analysis/index.ts';
import { type Foreground, figureOf, type MeasuredImage } from './picture.ts';

/** The kinds of change, each with the unit of its amount. */
export const changeKinds = [
  /** Pixels to the right, and down. */
  'x',
  'y',
  /** Radians, clockwise as a page shows it. */
  'turn',
  /** The logarithm of the factor. */
  'grow',
  /** What stands above the middle goes to the right, for each pixel that it stands above. */
  'slant',
  /** Half the logarithm of width over height. */
  'widen',
  /** Pixels on each side of a stroke. */
  'thicken',
  /** The logarithm of the contrast to the background. */
  'brighten',
  /** What the background becomes brighter by, in the values of a picture. */
  'background',
  /** Radians around the circle of hues. */
  'hue',
] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type Motion = Record<ChangeKind, number>;

export interface Fit {
  motion: Motion;
  /** The squared change of the pixels that each kind accounts for. */
  energy: Motion;
  /** The squared difference of the two pictures, and what of it no kind accounts for. */
  total: number;
  left: number;
}

export const still = (): Motion => ({
  x: 0,
  y: 0,
  turn: 0,
  grow: 0,
  slant: 0,
  widen: 0,
  thicken: 0,
  brighten: 0,
  background: 0,
  hue: 0,
});

const rounds = 4;

/** How a picture became the next one, by the kinds of change that are allowed. */
export function fitMotion(from: MeasuredImage, to: MeasuredImage, allowed: readonly ChangeKind[]): Fit {
  const figure = figureOf(from);
  const motion = still();
  const energy = still();
  const total = squaredDistance(from.values, to.values);
  let best = { motion: { ...motion }, left: total };
  if (figure.total === 0) return { motion, energy, total, left: total };
  const first = derivatives(from, figure, motion, allowed);
  for (let round = 0; round < rounds; round++) {
    const now = changed(from, figure, motion);
    const directions = round === 0 ? first : derivatives({ ...from, values: now }, figure, motion, allowed);
    const step = project(difference(to.values, now), directions);
    for (const [k, kind] of allowed.entries()) motion[kind] += step[k];
    const left = squaredDistance(changed(from, figure, motion), to.values);
    if (left < best.left) best = { motion: { ...motion }, left };
    else break;
  }
  best.motion.grow *= sharpened(figure.spread);
  for (const [k, kind] of allowed.entries()) energy[kind] = best.motion[kind] ** 2 * dot(first[k], first[k]);
  return { motion: best.motion, energy, total, left: best.left };
}

/** The smoothing, which does not grow with a figure, hides a part of the growth of small ones: 2 of their squared spread. */
const sharpened = (spread: number) => spread ** 2 / Math.max(spread ** 2 - 2, spread ** 2 / 3);

/** The picture after the changes. */
function changed({ channels, width, height, values }: MeasuredImage, figure: Foreground, motion: Motion): Float64Array {
  const { background, x: centreX, y: centreY } = figure;
  const { x, y, turn, grow, slant, widen } = motion;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [wide, high] = [Math.exp(grow + widen), Math.exp(grow - widen)];
  // Width and height, then the slant, then the turn; a pixel of the result is looked up where it came from.
  const [a, b, c, d] = [cos * wide, (-cos * slant - sin) * high, sin * wide, (-sin * slant + cos) * high];
  const det = a * d - b * c;
  const plane = width * height;
  const out = new Float64Array(values.length);
  const contrast = Math.exp(motion.brighten);
  for (let py = 0; py < height; py++)
    for (let px = 0; px < width; px++) {
      const [dx, dy] = [px - centreX - x, py - centreY - y];
      const sx = clamp(centreX + (d * dx - b * dy) / det, width);
      const sy = clamp(centreY + (a * dy - c * dx) / det, height);
      const [left, top] = [Math.min(width - 2, Math.floor(sx)), Math.min(height - 2, Math.floor(sy))];
      const [fx, fy] = [sx - left, sy - top];
      for (let channel = 0; channel < channels; channel++) {
        const at = channel * plane + top * width + left;
        const value =
          (1 - fy) * ((1 - fx) * values[at] + fx * values[at + 1]) +
          fy * ((1 - fx) * values[at + width] + fx * values[at + width + 1]);
        const base = background[channel];
        out[channel * plane + py * width + px] = base + contrast * (value - base);
      }
    }
  if (motion.thicken !== 0) add(out, thickened(out, channels, width, height, background), motion.thicken);
  if (motion.background !== 0) add(out, surroundings(out, channels, plane, background), motion.background);
  if (motion.hue !== 0) turnHue(out, plane, motion.hue);
  return out;
}

/** How the picture changes with a little of each kind. */
function derivatives(
  picture: MeasuredImage,
  figure: Foreground,
  motion: Motion,
  allowed: readonly ChangeKind[],
): Float64Array[] {
  const { channels, width, height, values } = picture;
  const plane = width * height;
  const [centreX, centreY] = [figure.x + motion.x, figure.y + motion.y];
  const [alongX, alongY] = gradients(values, channels, width, height);
  const moving = (field: (x: number, y: number) => readonly [number, number]) => {
    const out = new Float64Array(values.length);
    for (let p = 0; p < plane; p++) {
      const [vx, vy] = field((p % width) - centreX, Math.floor(p / width) - centreY);
      for (let c = 0; c < channels; c++) {
        const at = c * plane + p;
        out[at] = -vx * alongX[at] - vy * alongY[at];
      }
    }
    return out;
  };
  const of: Record<ChangeKind, () => Float64Array> = {
    x: () => moving(() => [1, 0]),
    y: () => moving(() => [0, 1]),
    turn: () => moving((x, y) => [-y, x]),
    grow: () => moving((x, y) => [x, y]),
    slant: () => moving((_, y) => [-y, 0]),
    widen: () => moving((x, y) => [x, -y]),
    thicken: () => thickened(values, channels, width, height, figure.background),
    brighten: () => values.map((value, at) => value - figure.background[Math.floor(at / plane)]),
    background: () => surroundings(values, channels, plane, figure.background),
    hue: () => hueDirection(values, plane),
  };
  return allowed.map((kind) => of[kind]());
}

function gradients(values: Float64Array, channels: number, width: number, height: number) {
  const [alongX, alongY] = [new Float64Array(values.length), new Float64Array(values.length)];
  for (let c = 0; c < channels; c++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const at = (c * height + y) * width + x;
        const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
        const [above, below] = [Math.max(0, y - 1), Math.min(height - 1, y + 1)];
        alongX[at] = (values[at - x + right] - values[at - x + left]) / (right - left);
        alongY[at] = (values[at + (below - y) * width] - values[at + (above - y) * width]) / (below - above);
      }
  return [alongX, alongY] as const;
}

/** Strokes that spread on both sides: the slope of their edges, in the direction away from the background. */
function thickened(
  values: Float64Array,
  channels: number,
  width: number,
  height: number,
  background: readonly number[],
) {
  const [alongX, alongY] = gradients(values, channels, width, height);
  const plane = width * height;
  return values.map(
    (value, at) => Math.hypot(alongX[at], alongY[at]) * Math.sign(value - background[Math.floor(at / plane)]),
  );
}

/** Where the background is, from 0 to 1. */
function surroundings(values: Float64Array, channels: number, plane: number, background: readonly number[]) {
  const mass = new Float64Array(plane);
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++) mass[p] += Math.abs(values[c * plane + p] - background[c]);
  const most = mass.reduce((best, one) => Math.max(best, one), 1e-9);
  return values.map((_, at) => Math.max(0, 1 - (3 * mass[at % plane]) / most));
}

/** How red, green and blue change where hues turn: around the grey axis, which stays. */
function hueDirection(values: Float64Array, plane: number): Float64Array {
  const out = new Float64Array(values.length);
  const root = Math.sqrt(3);
  for (let p = 0; p < plane; p++) {
    const [red, green, blue] = [values[p], values[plane + p], values[2 * plane + p]];
    out[p] = (blue - green) / root;
    out[plane + p] = (red - blue) / root;
    out[2 * plane + p] = (green - red) / root;
  }
  return out;
}

/** Turns all hues by an angle, by Rodrigues' formula around the grey axis. */
function turnHue(values: Float64Array, plane: number, angle: number): void {
  const across = hueDirection(values, plane);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let p = 0; p < plane; p++) {
    const grey = (values[p] + values[plane + p] + values[2 * plane + p]) / 3;
    for (let at = p; at < values.length; at += plane) values[at] = grey + cos * (values[at] - grey) + sin * across[at];
  }
}

/** The amounts of directions whose sum comes nearest to a difference. */
function project(wanted: Float64Array, directions: readonly Float64Array[]): Float64Array {
  const m = directions.length;
  // Each direction as long as the others, and a little for staying still, so that what two can do is shared between them.
  const lengths = directions.map((one) => Math.sqrt(dot(one, one)) || 1);
  const matrix = new Float64Array(m * m);
  const right = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    right[i] = dot(directions[i], wanted) / lengths[i];
    for (let j = 0; j <= i; j++) {
      const value = dot(directions[i], directions[j]) / (lengths[i] * lengths[j]);
      matrix[i * m + j] = value + (i === j ? 1e-3 : 0);
      matrix[j * m + i] = matrix[i * m + j];
    }
  }
  if (!factorise(matrix, m)) return new Float64Array(m);
  substitute(matrix, m, right);
  return right.map((value, i) => value / lengths[i]);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum;
}

const difference = (a: Float64Array, b: Float64Array) => a.map((value, i) => value - b[i]);

function add(to: Float64Array, direction: Float64Array, amount: number): void {
  for (let i = 0; i < to.length; i++) to[i] += amount * direction[i];
}

const clamp = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));
