/**
 * The network simplex method for transport: from every source to every sink there is an arc, and the basis is a tree of
 * them. It is kept strongly feasible (Cunningham, 1976), so that pivots which move no mass cannot go in circles.
 */
import { UntangleError } from '../errors.ts';

/**
 * The cheapest flow that carries `supply` to `demand`, both whole numbers above zero with the same sum of at most 2⁵³, so
 * that sums and differences of flows are exact. `price[i * m + j]` is the cost of a unit from source i to sink j. Gives
 * the tree that carries it: sources are nodes 0 … n−1, sinks n … n+m−1, and `flow[k]` runs between k and its parent (−1
 * at the root).
 */
export function cheapestFlow(
  price: Float64Array,
  supply: Float64Array,
  demand: Float64Array,
): { parent: Int32Array; flow: Float64Array } {
  const tree = greedyTree(price, supply, demand.slice());
  improve(tree, price);
  return { parent: tree.parent, flow: tree.flow };
}

/**
 * A spanning tree of the n sources (nodes 0 … n−1) and m sinks (n … n+m−1). Each node but the root hangs on its parent
 * by an arc that runs from source to sink, with its flow and cost kept at the child. The potentials of the two ends add
 * up to the arc's cost.
 */
interface Tree {
  n: number;
  m: number;
  parent: Int32Array;
  flow: Float64Array;
  arcCost: Float64Array;
  depth: Int32Array;
  potential: Float64Array;
  firstChild: Int32Array;
  nextSibling: Int32Array;
  previousSibling: Int32Array;
}

/**
 * A first plan: each source in turn serves the sinks that are cheapest for it above the sink's cheapest source. When a
 * source and a sink are used up together the sink leaves first; an arc without flow then hangs a source on a sink,
 * which is what strong feasibility asks for: from every node some mass can be sent up to the root.
 */
function greedyTree(price: Float64Array, supply: Float64Array, demand: Float64Array): Tree {
  const n = supply.length;
  const m = demand.length;
  const size = n + m;
  const tree: Tree = {
    n,
    m,
    parent: new Int32Array(size).fill(-1),
    flow: new Float64Array(size),
    arcCost: new Float64Array(size),
    depth: new Int32Array(size),
    potential: new Float64Array(size),
    firstChild: new Int32Array(size).fill(-1),
    nextSibling: new Int32Array(size).fill(-1),
    previousSibling: new Int32Array(size).fill(-1),
  };
  const least = price.slice(0, m);
  for (let i = 1; i < n; i++) for (let j = 0; j < m; j++) least[j] = Math.min(least[j], price[i * m + j]);
  const open = Int32Array.from({ length: m }, (_, j) => j);
  let openCount = m;
  const attach = (child: number, parent: number, i: number, j: number, flow: number) => {
    tree.flow[child] = flow;
    tree.arcCost[child] = price[i * m + j];
    hang(tree, child, parent);
  };
  for (let i = 0; i < n; i++) {
    let left = supply[i];
    while (true) {
      let best = 0;
      let bestExcess = Number.POSITIVE_INFINITY;
      for (let k = 0; k < openCount; k++) {
        const excess = price[i * m + open[k]] - least[open[k]];
        if (excess < bestExcess) {
          bestExcess = excess;
          best = k;
        }
      }
      const j = open[best];
      if (openCount > 1 && demand[j] <= left) {
        attach(n + j, i, i, j, demand[j]);
        left -= demand[j];
        open[best] = open[--openCount];
      } else {
        attach(i, n + j, i, j, left);
        demand[j] -= left;
        break;
      }
    }
  }
  refresh(tree, n + open[0]);
  return tree;
}

/**
 * Pivots until no arc is worth more than its potentials say. Potentials are sums of costs along a path, and gains below
 * their rounding are no gains; as costly arcs leave the tree the potentials shrink, and smaller gains count.
 */
function improve(tree: Tree, price: Float64Array): void {
  let tolerance = Number.POSITIVE_INFINITY;
  while (true) {
    const rounding = tree.potential.reduce((most, value) => Math.max(most, Math.abs(value)), 0) * 2 ** -46;
    if (rounding >= tolerance / 2) return;
    tolerance = rounding;
    improveBy(tree, price, tolerance);
  }
}

/** Pivots until no arc gains more than `tolerance`, taking the best of each block of arcs. */
function improveBy(tree: Tree, price: Float64Array, tolerance: number): void {
  const { n, m, potential } = tree;
  const arcs = n * m;
  const block = Math.max(16, Math.ceil(Math.sqrt(arcs)));
  let position = 0;
  let since = 0;
  for (let pivots = 0; ; pivots++) {
    let entering = -1;
    let gain = tolerance;
    let inBlock = 0;
    while (since < arcs) {
      const i = Math.floor(position / m);
      const end = Math.min((i + 1) * m, position + block - inBlock, position + arcs - since);
      const u = potential[i];
      const shift = n - i * m;
      for (let e = position; e < end; e++) {
        const worth = u + potential[e + shift] - price[e];
        if (worth > gain) {
          gain = worth;
          entering = e;
        }
      }
      since += end - position;
      inBlock += end - position;
      position = end === arcs ? 0 : end;
      if (inBlock < block) continue;
      if (entering >= 0) break;
      inBlock = 0;
    }
    if (entering < 0) return;
    since = 0;
    const i = Math.floor(entering / m);
    pivot(tree, i, n + (entering % m), price[entering]);
    if (pivots > 10_000 * (n + m))
      throw new UntangleError(`Optimal transport between ${n} and ${m} points did not finish after ${pivots} pivots.`, {
        hint: 'Entropic transport (sinkhorn) gives a close answer for such costs.',
      });
  }
}

/**
 * Brings the arc source → sink into the tree: mass goes round the cycle that it closes until an arc is empty, which
 * leaves. Among several, the last on the cycle, from the two ends' common ancestor in the arc's direction, keeps the
 * tree strongly feasible.
 */
function pivot(tree: Tree, source: number, sink: number, arcCost: number): void {
  const { n, parent, depth, flow } = tree;
  let delta = Number.POSITIVE_INFINITY;
  let leaving = -1;
  let leavesSourceSide = true;
  let p = source;
  let q = sink;
  // Going up, the source's side loses mass on arcs below a source and the sink's side on arcs below a sink.
  while (p !== q) {
    if (depth[p] >= depth[q]) {
      if (p < n && flow[p] < delta) {
        delta = flow[p];
        leaving = p;
        leavesSourceSide = true;
      }
      p = parent[p];
    } else {
      if (q >= n && flow[q] <= delta) {
        delta = flow[q];
        leaving = q;
        leavesSourceSide = false;
      }
      q = parent[q];
    }
  }
  const ancestor = p;
  for (let k = source; k !== ancestor; k = parent[k]) flow[k] += k < n ? -delta : delta;
  for (let k = sink; k !== ancestor; k = parent[k]) flow[k] += k < n ? delta : -delta;
  const [top, below] = leavesSourceSide ? [source, sink] : [sink, source];
  turn(tree, top, leaving, below, delta, arcCost);
  refresh(tree, top);
}

/** Hangs the subtree of `cut` on `below` by its node `top`, turning round every arc between the two. */
function turn(tree: Tree, top: number, cut: number, below: number, flow: number, arcCost: number): void {
  let node = top;
  let newParent = below;
  let newFlow = flow;
  let newCost = arcCost;
  while (true) {
    const oldParent = tree.parent[node];
    const oldFlow = tree.flow[node];
    const oldCost = tree.arcCost[node];
    unhang(tree, node);
    tree.flow[node] = newFlow;
    tree.arcCost[node] = newCost;
    hang(tree, node, newParent);
    if (node === cut) return;
    newParent = node;
    newFlow = oldFlow;
    newCost = oldCost;
    node = oldParent;
  }
}

function hang({ parent, firstChild, nextSibling, previousSibling }: Tree, node: number, on: number): void {
  const first = firstChild[on];
  parent[node] = on;
  nextSibling[node] = first;
  previousSibling[node] = -1;
  if (first >= 0) previousSibling[first] = node;
  firstChild[on] = node;
}

function unhang({ parent, firstChild, nextSibling, previousSibling }: Tree, node: number): void {
  const previous = previousSibling[node];
  const next = nextSibling[node];
  if (previous >= 0) nextSibling[previous] = next;
  else firstChild[parent[node]] = next;
  if (next >= 0) previousSibling[next] = previous;
}

/** Depths and potentials of `top` and all below it, from its parent's. They depend on the tree only, so errors do not add up over pivots. */
function refresh(tree: Tree, top: number): void {
  const { parent, depth, potential, arcCost, firstChild, nextSibling } = tree;
  let node = top;
  while (true) {
    const above = parent[node];
    if (above >= 0) {
      depth[node] = depth[above] + 1;
      potential[node] = arcCost[node] - potential[above];
    }
    if (firstChild[node] >= 0) {
      node = firstChild[node];
      continue;
    }
    while (nextSibling[node] < 0 || node === top) {
      if (node === top) return;
      node = parent[node];
    }
    node = nextSibling[node];
  }
}
