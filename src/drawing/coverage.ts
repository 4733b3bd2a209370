/**
 * How much of each pixel a shape covers, exactly for polygons: each edge adds the signed area to its right, and a running
 * sum along the row turns those into coverage. Strokes and discs are measured by their distance from the pixel's centre.
 */

/** Coverage 0 … 1 of the pixels of a window whose top left pixel is (left, top). */
export interface Coverage {
  left: number;
  top: number;
  width: number;
  height: number;
  values: Float32Array;
}

/** Coverage of closed contours, given as x and y in turn. Holes run the other way round. */
export function fillCoverage(contours: readonly ArrayLike<number>[], width: number, height: number): Coverage {
  const window = windowOf(contours, 1, width, height);
  for (const contour of contours) {
    const points = contour.length;
    for (let i = 0; i + 1 < points; i += 2) {
      const j = i + 2 < points ? i + 2 : 0;
      addEdge(window, contour[i], contour[i + 1], contour[j], contour[j + 1]);
    }
  }
  const { values } = window;
  for (let y = 0; y < window.height; y++) {
    let sum = 0;
    for (let x = 0; x < window.width; x++) {
      sum += values[y * window.width + x];
      values[y * window.width + x] = Math.min(1, Math.abs(sum));
    }
  }
  return window;
}

/** Coverage of a polyline of a thickness, with round ends and corners. */
export function strokeCoverage(points: ArrayLike<number>, thickness: number, width: number, height: number): Coverage {
  const radius = Math.max(thickness, 1) / 2;
  const strength = Math.min(1, thickness);
  const reach = radius + 0.5;
  const window = windowOf([points], reach + 1, width, height);
  const { values } = window;
  for (let i = 0; i + 1 < points.length; i += 2) {
    const last = i + 3 >= points.length;
    if (last && points.length > 2) break;
    const ax = points[i] - window.left;
    const ay = points[i + 1] - window.top;
    const bx = last ? ax : points[i + 2] - window.left;
    const by = last ? ay : points[i + 3] - window.top;
    const dx = bx - ax;
    const dy = by - ay;
    const squared = dx * dx + dy * dy;
    const bottom = Math.min(window.height, Math.ceil(Math.max(ay, by) + reach));
    for (let y = Math.max(0, Math.floor(Math.min(ay, by) - reach)); y < bottom; y++) {
      const right = Math.min(window.width, Math.ceil(Math.max(ax, bx) + reach));
      for (let x = Math.max(0, Math.floor(Math.min(ax, bx) - reach)); x < right; x++) {
        const px = x + 0.5 - ax;
        const py = y + 0.5 - ay;
        const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
        const distance = Math.hypot(px - along * dx, py - along * dy);
        const covered = Math.min(1, Math.max(0, reach - distance)) * strength;
        if (covered > values[y * window.width + x]) values[y * window.width + x] = covered;
      }
    }
  }
  return window;
}

/** An empty window around the points, with a margin, inside the page. */
function windowOf(contours: readonly ArrayLike<number>[], margin: number, width: number, height: number): Coverage {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const contour of contours) {
    for (let i = 0; i + 1 < contour.length; i += 2) {
      left = Math.min(left, contour[i]);
      right = Math.max(right, contour[i]);
      top = Math.min(top, contour[i + 1]);
      bottom = Math.max(bottom, contour[i + 1]);
    }
  }
  left = Math.max(0, Math.floor(left - margin));
  top = Math.max(0, Math.floor(top - margin));
  const wide = Math.max(0, Math.min(width, Math.ceil(right + margin)) - left);
  const high = Math.max(0, Math.min(height, Math.ceil(bottom + margin)) - top);
  if (!(wide > 0 && high > 0)) return { left: 0, top: 0, width: 0, height: 0, values: new Float32Array(0) };
  return { left, top, width: wide, height: high, values: new Float32Array(wide * high) };
}

/** Adds one edge: what it covers of the pixels that it crosses, and full rows to their right. */
function addEdge(window: Coverage, x0: number, y0: number, x1: number, y1: number): void {
  if (y0 === y1) return;
  const sign = y0 < y1 ? 1 : -1;
  const [topX, topY, bottomX, bottomY] = sign > 0 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  const slope = (bottomX - topX) / (bottomY - topY);
  const firstRow = Math.max(0, Math.floor(topY - window.top));
  const lastRow = Math.min(window.height, Math.ceil(bottomY - window.top));
  for (let row = firstRow; row < lastRow; row++) {
    const from = Math.max(topY, window.top + row);
    const to = Math.min(bottomY, window.top + row + 1);
    const high = to - from;
    if (high <= 0) continue;
    const xFrom = topX + (from - topY) * slope - window.left;
    const xTo = topX + (to - topY) * slope - window.left;
    addSpan(window, row, Math.min(xFrom, xTo), Math.max(xFrom, xTo), sign * high);
  }
}

/** Spreads an edge's share of one row over the pixels between its two ends. */
function addSpan(window: Coverage, row: number, left: number, right: number, share: number): void {
  const { values, width } = window;
  const start = row * width;
  const add = (column: number, amount: number) => {
    if (column < width) values[start + Math.max(0, column)] += amount;
  };
  if (right - left < 1e-9) {
    const column = Math.floor(left);
    add(column, share * (column + 1 - left));
    add(column + 1, share * (left - column));
    return;
  }
  // The covered part of a pixel is the integral of (column + 1 − x) over the edge; the rest goes to the next pixel.
  const density = share / (right - left);
  for (let column = Math.floor(left); column < right; column++) {
    const a = Math.max(left, column);
    const b = Math.min(right, column + 1);
    const covered = density * ((column + 1) * (b - a) - (b * b - a * a) / 2);
    add(column, covered);
    add(column + 1, density * (b - a) - covered);
  }
}
