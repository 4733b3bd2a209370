/**
 * Hartigan's dip (Hartigan and Hartigan 1985): how far the empirical distribution of numbers is from the nearest one with a single
 * mode, as the largest distance between the two. Judged against uniform samples, the unimodal distribution with the largest dips,
 * so that data with one mode of any shape are called bimodal no more often than the level says.
 */
import { stream } from '../random/index.ts';

/** @example dip([1, 2, 8, 9]) // 0.2143 */
export function dip(values: ArrayLike<number>): number {
  const x = Float64Array.from(values).sort();
  const n = x.length;
  if (n < 2 || x[0] === x[n - 1]) return 1 / (2 * Math.max(1, n));
  let [low, high] = [0, n - 1];
  // In steps of the distribution, twice the dip times n.
  let most = 1;
  for (;;) {
    const below = hull(x, low, high, 1);
    const above = hull(x, low, high, -1);
    const { distance, from, to } = widest(x, below, above);
    if (distance <= most) break;
    const left = farthest(x, below, low, from, 1);
    const right = farthest(x, above, to, high, -1);
    most = Math.max(most, left, right);
    if (from === low && to === high) break;
    [low, high] = [from, to];
  }
  return most / (2 * n);
}

/** The share of uniform samples of that size, the given one among them, whose dip is as large. */
export function dipTest(values: ArrayLike<number>, seed: number, draws = 499): number {
  const own = dip(values);
  let asLarge = 1;
  for (let draw = 0; draw < draws; draw++)
    if (dip(stream(seed, 'uniform sample', draw).uniforms(values.length)) >= own) asLarge++;
  return asLarge / (draws + 1);
}

/** Places of the vertices of the greatest convex minorant (side 1) or least concave majorant (side −1) of (x_i, i). */
function hull(x: Float64Array, low: number, high: number, side: 1 | -1): number[] {
  const vertices: number[] = [];
  for (let i = low; i <= high; i++) {
    while (vertices.length > 1) {
      const [a, b] = [vertices[vertices.length - 2], vertices[vertices.length - 1]];
      if (side * ((b - a) * (x[i] - x[b]) - (i - b) * (x[b] - x[a])) < 0) break;
      vertices.pop();
    }
    vertices.push(i);
  }
  return vertices;
}

/** The height at place i of the line between the two vertices around it. */
function heightAt(x: Float64Array, vertices: readonly number[], i: number): number {
  let k = 1;
  while (k < vertices.length - 1 && vertices[k] < i) k++;
  const [a, b] = [vertices[k - 1], vertices[k]];
  return x[a] === x[b] ? i : a + ((b - a) * (x[i] - x[a])) / (x[b] - x[a]);
}

/** Where majorant and minorant are farthest apart, and the interval between the vertices there, in which the mode is looked for. */
function widest(x: Float64Array, below: readonly number[], above: readonly number[]) {
  let best = { distance: 0, from: below[0], to: below[below.length - 1] };
  for (const from of below) {
    const distance = heightAt(x, above, from) - from + 1;
    if (distance > best.distance) best = { distance, from, to: above.find((at) => at >= from) ?? best.to };
  }
  for (const to of above) {
    const distance = to - heightAt(x, below, to) + 1;
    if (distance > best.distance) best = { distance, from: below.findLast((at) => at <= to) ?? best.from, to };
  }
  return best;
}

/** How far the steps lie from the hull over an interval. */
function farthest(x: Float64Array, vertices: readonly number[], from: number, to: number, side: 1 | -1): number {
  let most = 0;
  for (let i = from; i <= to; i++) most = Math.max(most, side * (i - heightAt(x, vertices, i)) + 1);
  return most;
}
