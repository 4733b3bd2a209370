/** Pictures made ready for measuring: small, smooth, as the difference from their background. */
import type { ImageShape } from '../model/index.ts';

export interface MeasuredImage {
  channels: number;
  width: number;
  height: number;
  /** Channel after channel. */
  values: Float64Array;
  /** Pixels of the original for one of these. */
  scale: number;
}

/** The longer side of a picture that is measured; larger ones are brought down to about so many pixels. */
const side = 32;

/** An item as a picture to measure. */
export function measuredImageOf(item: Float32Array, { channels, width, height }: ImageShape): MeasuredImage {
  const scale = Math.max(1, Math.round(Math.max(width, height) / side));
  const [w, h] = [Math.ceil(width / scale), Math.ceil(height / scale)];
  const values = new Float64Array(channels * w * h);
  for (let c = 0; c < channels; c++)
    for (let y = 0; y < h; y++)
      for (let x = 0; x < w; x++) {
        let [sum, count] = [0, 0];
        for (let i = y * scale; i < Math.min(height, (y + 1) * scale); i++)
          for (let j = x * scale; j < Math.min(width, (x + 1) * scale); j++, count++)
            sum += item[(c * height + i) * width + j];
        values[(c * h + y) * w + x] = sum / count;
      }
  return { channels, width: w, height: h, values: smoothed(values, channels, w, h), scale };
}

/** Each channel under a Gaussian of one pixel, so that edges have slopes from which a movement can be read. */
function smoothed(values: Float64Array, channels: number, width: number, height: number): Float64Array {
  const weights = [-2, -1, 0, 1, 2].map((offset) => Math.exp(-(offset ** 2) / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let from = values;
  for (const [stepX, stepY] of [
    [1, 0],
    [0, 1],
  ]) {
    const to = new Float64Array(from.length);
    for (let c = 0; c < channels; c++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          let sum = 0;
          for (let k = -2; k <= 2; k++) {
            const [i, j] = [clamped(y + k * stepY, height), clamped(x + k * stepX, width)];
            sum += weights[k + 2] * from[(c * height + i) * width + j];
          }
          to[(c * height + y) * width + x] = sum / total;
        }
    from = to;
  }
  return from;
}

const clamped = (at: number, size: number) => Math.min(size - 1, Math.max(0, at));

/** The background of each channel: the middle value along the picture's edge. */
function backgroundOf({ channels, width, height, values }: MeasuredImage): number[] {
  return Array.from({ length: channels }, (_, c) => {
    const edge: number[] = [];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        if (x === 0 || y === 0 || x === width - 1 || y === height - 1) edge.push(values[(c * height + y) * width + x]);
    return edge.sort((a, b) => a - b)[edge.length >> 1];
  });
}

export interface Foreground {
  background: number[];
  /** How far each pixel is from the background. */
  mass: Float64Array;
  total: number;
  x: number;
  y: number;
  /** The root mean square distance of the mass from its middle, in pixels. */
  spread: number;
  /** Whether it is drawn in strokes, which can thicken, rather than in one piece. */
  isStrokes: boolean;
}

/** What of a picture is not background, and where it lies. */
export function figureOf(picture: MeasuredImage): Foreground {
  const { channels, width, height, values } = picture;
  const background = backgroundOf(picture);
  const plane = width * height;
  const mass = new Float64Array(plane);
  for (let c = 0; c < channels; c++)
    for (let p = 0; p < plane; p++) mass[p] += Math.abs(values[c * plane + p] - background[c]);
  // What a decoder leaves of noise in the background weighs nothing.
  const most = mass.reduce((best, one) => Math.max(best, one), 0);
  for (let p = 0; p < plane; p++) if (mass[p] < 0.1 * most) mass[p] = 0;
  let [total, x, y] = [0, 0, 0];
  for (let p = 0; p < plane; p++) {
    total += mass[p];
    x += mass[p] * (p % width);
    y += mass[p] * Math.floor(p / width);
  }
  x /= total || 1;
  y /= total || 1;
  let [squares, edge] = [0, 0];
  for (let p = 0; p < plane; p++) {
    const [px, py] = [p % width, Math.floor(p / width)];
    squares += mass[p] * ((px - x) ** 2 + (py - y) ** 2);
    const right = px + 1 < width ? mass[p + 1] : mass[p];
    const below = py + 1 < height ? mass[p + width] : mass[p];
    edge += Math.hypot(right - mass[p], below - mass[p]);
  }
  const spread = Math.sqrt(squares / (total || 1));
  // Area over half the outline: the width of a line, or half the radius of a disc.
  const breadth = (2 * total) / (edge || 1);
  return { background, mass, total, x, y, spread, isStrokes: breadth < 0.85 * spread };
}
