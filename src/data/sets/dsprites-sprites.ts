/**
 * Draws the sprites of dSprites. Centres move by 32/31 of a pixel, so every pixel of every picture of one sprite (shape, scale,
 * orientation) asks about a point of one lattice with a step of 1/31 pixel. Each lattice row is kept as the runs of points
 * inside the sprite: four megabytes hold all 737,280 pictures, and drawing one is filling some runs.
 */
import { ellipseAxes, factorSizes, heartRadii, orientationAt, scaleAt, squareHalfSide } from './dsprites-geometry.ts';

/** The runs of all sprites: those of lattice row r of sprite s are `starts[s·rows + r]` up to the next entry. */
export interface Sprites {
  starts: Uint32Array;
  /** First and last lattice point of each run, relative to the centre. */
  runs: Int16Array;
}

export const side = 64;

/** Lattice points to a pixel. */
const fine = 31;

/** No sprite reaches further than 14 pixels (the square's half diagonal is 13.6). */
const reach = 14 * fine;

/** Lattice rows of a sprite. */
const rowCount = 2 * reach;

/** Where a sprite's runs are found. */
export function spriteNumber(shape: number, scale: number, orientation: number): number {
  return (shape * factorSizes.orientation + orientation) * factorSizes.scale + scale;
}

/** Finds the runs of all 720 sprites. */
export function buildSprites(onProgress: (done: number, total: number) => void = () => {}): Sprites {
  const runsOf = [convexRuns(squareScale, squareSpan), convexRuns(ellipseScale, ellipseSpan), heartRuns()];
  const scales = Float64Array.from({ length: factorSizes.scale }, (_, k) => scaleAt(k));
  const found: Run[][] = [];
  for (let shape = 0; shape < factorSizes.shape; shape++) {
    for (let orientation = 0; orientation < factorSizes.orientation - 1; orientation++) {
      found.push(...runsOf[shape](orientationAt(orientation), scales));
      onProgress(shape * factorSizes.orientation + orientation + 1, factorSizes.shape * factorSizes.orientation);
    }
    // The last orientation is a full turn: the first again.
    found.push(...found.slice(spriteNumber(shape, 0, 0), spriteNumber(shape, 0, 1)));
  }
  return packed(found);
}

/** Draws a sprite with its centre at positions (x, y) into the 64 × 64 numbers of `out` from `at` on. */
export function drawSprite(
  { starts, runs }: Sprites,
  sprite: number,
  x: number,
  y: number,
  out: Float32Array,
  at: number,
): void {
  out.fill(0, at, at + side * side);
  const left = shift(x);
  const top = shift(y);
  const lastRow = Math.min(side - 1, Math.floor((reach - 1 + top) / fine));
  for (let row = Math.max(0, Math.ceil((top - reach) / fine)); row <= lastRow; row++) {
    const lattice = sprite * rowCount + fine * row - top + reach;
    for (let run = starts[lattice]; run < starts[lattice + 1]; run += 2) {
      const first = Math.ceil((runs[run] + left) / fine);
      const last = Math.floor((runs[run + 1] + left) / fine);
      for (let to = at + row * side + first, end = at + row * side + last; to <= end; to++) out[to] = 1;
    }
  }
}

/** Pixel c lies (c + ½ − 16 − 32·i/31) right of centre i, which is lattice point 31·c − shift(i), half a step added. */
function shift(position: number): number {
  return 481 + 32 * position;
}

/** How far a lattice point lies from the centre, in pixels. */
const offset = (point: number) => (point + 0.5) / fine;

interface Run {
  row: number;
  first: number;
  last: number;
}

/** The runs of one shape at one angle, for each scale. */
type RunsOf = (angle: number, scales: Float64Array) => Run[][];

/** The scale from which on a point in the shape's coordinates is inside. */
type ScaleOf = (lx: number, ly: number) => number;

const squareScale: ScaleOf = (lx, ly) => Math.max(Math.abs(lx), Math.abs(ly)) / squareHalfSide;

const ellipseScale: ScaleOf = (lx, ly) => Math.sqrt((lx / ellipseAxes.x) ** 2 + (ly / ellipseAxes.y) ** 2);

/** Where a row at height dy enters and leaves the shape of scale 1, turned by an angle: an estimate of its one run. */
type Span = (dy: number, cos: number, sin: number) => [number, number];

/** |cos·dx − sin·dy| and |sin·dx + cos·dy| are both at most half a side. */
const squareSpan: Span = (dy, cos, sin) => {
  const [lowX, highX] = band(cos, -sin * dy);
  const [lowY, highY] = band(sin, cos * dy);
  return [Math.max(lowX, lowY), Math.min(highX, highY)];
};

/** Where |a·dx + b| is at most half a side. */
function band(a: number, b: number): [number, number] {
  if (Math.abs(a) < 1e-9) return Math.abs(b) <= squareHalfSide ? [-20, 20] : [1, -1];
  const centre = -b / a;
  const half = squareHalfSide / Math.abs(a);
  return [centre - half, centre + half];
}

/** The ellipse's quadratic form a·dx² + 2b·dx + c is at most 0. */
const ellipseSpan: Span = (dy, cos, sin) => {
  const p = 1 / ellipseAxes.x ** 2;
  const q = 1 / ellipseAxes.y ** 2;
  const a = p * cos * cos + q * sin * sin;
  const b = (q - p) * sin * cos * dy;
  const c = (p * sin * sin + q * cos * cos) * dy * dy - 1;
  const root = Math.sqrt(b * b - a * c);
  return [(-b - root) / a, (-b + root) / a];
};

/** A convex shape has at most one run a row: its ends are walked to from just outside the estimate, by the rule itself. */
function convexRuns(scaleOf: ScaleOf, span: Span): RunsOf {
  return (angle, scales) => {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    return Array.from(scales, (scale) => {
      const runs: Run[] = [];
      for (let row = -reach; row < reach; row++) {
        const dy = offset(row);
        const [low, high] = span(dy / scale, cos, sin);
        if (!(low <= high)) continue;
        const isInside = (point: number) => {
          const dx = offset(point);
          return scaleOf(cos * dx - sin * dy, sin * dx + cos * dy) <= scale;
        };
        let first = Math.floor(low * scale * fine) - 1;
        let last = Math.ceil(high * scale * fine) + 1;
        while (first <= last && !isInside(first)) first++;
        while (first <= last && !isInside(last)) last--;
        if (first <= last) runs.push({ row, first, last });
      }
      return runs;
    });
  };
}

/**
 * The heart's edge is given as a radius in each direction. The scale from which on a point is inside is worked out once for all
 * six; runs begin and end where it crosses one of them along a row.
 */
function heartRuns(): RunsOf {
  const directions = latticeDirections();
  return (angle, scales) => {
    const runs: Run[][] = Array.from(scales, () => []);
    const open = new Int32Array(scales.length);
    const end = Math.ceil(Math.max(...heartRadii) * fine);
    for (let row = -end; row <= end; row++) {
      const dy = offset(row);
      const line = (row + reach) * rowCount + reach;
      // The smallest scale that holds the point before; beyond the last one, none does.
      let before = scales.length;
      for (let point = -end; point <= end; point++) {
        const dx = offset(point);
        const scale = Math.sqrt(dx * dx + dy * dy) / heartRadius(directions[line + point] + angle);
        while (before > 0 && scale <= scales[before - 1]) open[--before] = point;
        while (before < scales.length && scale > scales[before]) {
          runs[before].push({ row, first: open[before], last: point - 1 });
          before++;
        }
      }
    }
    return runs;
  };
}

/** The heart's radius in a direction, from the angle away from its notch: theta = atan2(|lx|, −ly). */
function heartRadius(direction: number): number {
  let theta = direction + Math.PI / 2;
  while (theta > Math.PI) theta -= 2 * Math.PI;
  const node = Math.abs(theta) * (lastNode / Math.PI);
  const below = Math.min(Math.floor(node), lastNode - 1);
  return heartRadii[below] + (node - below) * (heartRadii[below + 1] - heartRadii[below]);
}

const lastNode = heartRadii.length - 1;

/** The direction of every lattice point from the centre, which hearts of all orientations share. */
function latticeDirections(): Float64Array {
  const directions = new Float64Array(rowCount * rowCount);
  for (let row = -reach, at = 0; row < reach; row++) {
    for (let point = -reach; point < reach; point++, at++) directions[at] = Math.atan2(offset(row), offset(point));
  }
  return directions;
}

function packed(found: Run[][]): Sprites {
  const count = found.reduce((sum, runs) => sum + runs.length, 0);
  const runs = new Int16Array(2 * count);
  const starts = new Uint32Array(found.length * rowCount + 1);
  let length = 0;
  found.forEach((list, sprite) => {
    for (const { row, first, last } of list) {
      runs[length++] = first;
      runs[length++] = last;
      starts[sprite * rowCount + row + reach + 1] = length;
    }
  });
  for (let k = 1; k < starts.length; k++) starts[k] = Math.max(starts[k], starts[k - 1]);
  return { starts, runs };
}
