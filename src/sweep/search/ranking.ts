/**
 * Which of several results are best, for one objective or more: first by how many fronts have to be taken away until nothing
 * dominates a result (Deb and others, NSGA-II, 2002), then, inside a front, by how alone it stands.
 */

/** Numbers by objective; `higher` says which of them are to be large. */
export interface SweepObjective {
  name: string;
  better: 'higher' | 'lower';
}

/**
 * The places of results, the best first; results of equal rank keep their order. A result that lacks a number is last.
 *
 * @example ranked([{ name: 'mig', better: 'higher' }], [[0.2], [0.5]]) // [1, 0]
 */
export function ranked(objectives: readonly SweepObjective[], results: readonly (readonly number[])[]): number[] {
  const costs = results.map((values) =>
    objectives.map(({ better }, k) => {
      if (!objectives.every((_, j) => Number.isFinite(values[j]))) return Number.POSITIVE_INFINITY;
      return better === 'higher' ? -values[k] : values[k];
    }),
  );
  if (objectives.length === 1) return costs.map((_, i) => i).sort((a, b) => compare(costs[a], costs[b]) || a - b);
  return frontsOf(costs).flatMap((front) => {
    const alone = crowding(front.map((i) => costs[i]));
    return front
      .map((i, at) => ({ i, distance: alone[at] }))
      .sort((a, b) => (a.distance === b.distance ? a.i - b.i : b.distance - a.distance))
      .map(({ i }) => i);
  });
}

/** The places of results that no other result beats in every objective. */
export function paretoFront(objectives: readonly SweepObjective[], results: readonly (readonly number[])[]): number[] {
  const signs = objectives.map(({ better }) => (better === 'higher' ? -1 : 1));
  const whole = results.map((_, i) => i).filter((i) => objectives.every((_, k) => Number.isFinite(results[i][k])));
  const costs = whole.map((i) => signs.map((sign, k) => sign * results[i][k]));
  return (frontsOf(costs)[0] ?? []).map((at) => whole[at]);
}

/** Results in fronts: the first is dominated by none, each next one only by those before it. */
function frontsOf(costs: readonly (readonly number[])[]): number[][] {
  const fronts: number[][] = [];
  let left = costs.map((_, i) => i);
  while (left.length > 0) {
    // Among results in the order of their first cost, only earlier ones can dominate a later one.
    const front: number[] = [];
    const order = [...left].sort((a, b) => compare(costs[a], costs[b]));
    for (const i of order) if (!front.some((j) => dominates(costs[j], costs[i]))) front.push(i);
    fronts.push(front.sort((a, b) => a - b));
    const taken = new Set(front);
    left = left.filter((i) => !taken.has(i));
  }
  return fronts;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

const dominates = (a: readonly number[], b: readonly number[]) =>
  a.every((cost, k) => cost <= b[k]) && a.some((cost, k) => cost < b[k]);

/** How far apart the neighbours of each result are along the front, summed over objectives; the ends stand alone. */
function crowding(front: readonly (readonly number[])[]): number[] {
  const distances = new Array<number>(front.length).fill(0);
  for (let k = 0; k < (front[0]?.length ?? 0); k++) {
    const order = front.map((_, i) => i).sort((a, b) => compare([front[a][k]], [front[b][k]]));
    const [first, last] = [order[0], order[order.length - 1]];
    const span = front[last][k] - front[first][k];
    if (!(span > 0) || !Number.isFinite(span)) continue;
    distances[first] = distances[last] = Number.POSITIVE_INFINITY;
    for (let at = 1; at < order.length - 1; at++)
      distances[order[at]] += (front[order[at + 1]][k] - front[order[at - 1]][k]) / span;
  }
  return distances;
}
