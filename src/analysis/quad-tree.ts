/**
 * A quad-tree over points of the plane, in flat arrays, and the repulsion of t-SNE that is summed over it (Barnes and
 * Hut, 1986; van der Maaten, 2014): a cell that looks small from a point stands for all the points in it.
 */

/** Built anew at every step, in the same arrays; points move little, so the last order is nearly the next. */
export interface QuadTree {
  n: number;
  /** The points in the order of the tree's leaves, and their coordinates in that order. */
  order: Int32Array;
  x: Float64Array;
  y: Float64Array;
  /** How many nodes there are. They stand in depth-first order: the first child of a node is the next node. */
  nodes: number;
  /** Four numbers a node: the mean x and y of its points, their number, and the squared distance from which it is small. */
  cells: Float64Array;
  /** The next node that is not below this one. */
  after: Int32Array;
  /** Where a leaf's points begin in `order`; −1 for a node with children. */
  firstPoint: Int32Array;
}

export function quadTree(n: number): QuadTree {
  // Every inner node has two children or more, so there are fewer than 2n nodes.
  return {
    n,
    order: Int32Array.from({ length: n }, (_, i) => i),
    x: new Float64Array(n),
    y: new Float64Array(n),
    nodes: 0,
    cells: new Float64Array(8 * n),
    after: new Int32Array(2 * n),
    firstPoint: new Int32Array(2 * n),
  };
}

/** A cell with so few points is not divided. */
const leafSize = 4;
/** Points that are together after so many halvings are one place. */
const deepest = 48;

/**
 * Builds the tree over the points at `positions` (x, y, x, y, …). A cell is small from a distance of width / angle on.
 */
export function grow(tree: QuadTree, positions: Float64Array, angle: number): void {
  const { n, order, x, y } = tree;
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    const px = positions[2 * order[i]];
    const py = positions[2 * order[i] + 1];
    x[i] = px;
    y[i] = py;
    if (px < left) left = px;
    if (px > right) right = px;
    if (py < low) low = py;
    if (py > high) high = py;
  }
  tree.nodes = 0;
  divide(tree, 0, n, (left + right) / 2, (low + high) / 2, Math.max(right - left, high - low), 0, 1 / angle ** 2);
}

/**
 * Adds Σ_j q_ij² (y_i − y_j) to `forces` for every point i and gives Z = Σ_{i≠j} q_ij, where q_ij = 1 / (1 + ‖y_i − y_j‖²).
 */
export function repel(tree: QuadTree, forces: Float64Array): number {
  const { n, order, x, y, nodes, cells, after, firstPoint } = tree;
  let total = 0;
  for (let i = 0; i < n; i++) {
    const px = x[i];
    const py = y[i];
    let z = 0;
    let fx = 0;
    let fy = 0;
    let node = 0;
    while (node < nodes) {
      const cell = 4 * node;
      const dx = px - cells[cell];
      const dy = py - cells[cell + 1];
      const squared = dx * dx + dy * dy;
      if (squared > cells[cell + 3]) {
        const q = 1 / (1 + squared);
        const weight = cells[cell + 2] * q;
        z += weight;
        fx += weight * q * dx;
        fy += weight * q * dy;
        node = after[node];
      } else if (firstPoint[node] < 0) {
        node++;
      } else {
        const end = firstPoint[node] + cells[cell + 2];
        for (let j = firstPoint[node]; j < end; j++) {
          const ex = px - x[j];
          const ey = py - y[j];
          const q = 1 / (1 + ex * ex + ey * ey);
          z += q;
          fx += q * q * ex;
          fy += q * q * ey;
        }
        node = after[node];
      }
    }
    // The point met itself once, with q = 1 and no force.
    total += z - 1;
    forces[2 * order[i]] += fx;
    forces[2 * order[i] + 1] += fy;
  }
  return total;
}

/** Makes the node of the points `from` … `to − 1`, which lie in the square around (cx, cy), and all below it. */
function divide(
  tree: QuadTree,
  from: number,
  to: number,
  cx: number,
  cy: number,
  width: number,
  depth: number,
  smallness: number,
): void {
  const { x, y, cells } = tree;
  if (to - from <= leafSize || depth === deepest) {
    leaf(tree, from, to, width, smallness);
    return;
  }
  const middle = partition(tree, y, from, to, cy);
  const lower = partition(tree, x, from, middle, cx);
  const upper = partition(tree, x, middle, to, cx);
  const quarter = width / 4;
  const half = width / 2;
  const next = depth + 1;
  // A square whose points are all in one quarter needs no node of its own.
  const needless = Math.max(lower - from, middle - lower, upper - middle, to - upper) === to - from;
  const node = needless ? -1 : tree.nodes++;
  if (lower > from) divide(tree, from, lower, cx - quarter, cy - quarter, half, next, smallness);
  if (middle > lower) divide(tree, lower, middle, cx + quarter, cy - quarter, half, next, smallness);
  if (upper > middle) divide(tree, middle, upper, cx - quarter, cy + quarter, half, next, smallness);
  if (to > upper) divide(tree, upper, to, cx + quarter, cy + quarter, half, next, smallness);
  if (needless) return;
  tree.firstPoint[node] = -1;
  tree.after[node] = tree.nodes;
  let sumX = 0;
  let sumY = 0;
  for (let child = node + 1; child < tree.nodes; child = tree.after[child]) {
    sumX += cells[4 * child] * cells[4 * child + 2];
    sumY += cells[4 * child + 1] * cells[4 * child + 2];
  }
  const count = to - from;
  cells[4 * node] = sumX / count;
  cells[4 * node + 1] = sumY / count;
  cells[4 * node + 2] = count;
  cells[4 * node + 3] = width * width * smallness;
}

function leaf(tree: QuadTree, from: number, to: number, width: number, smallness: number): void {
  const { x, y, cells } = tree;
  const node = tree.nodes++;
  const count = to - from;
  let sumX = 0;
  let sumY = 0;
  for (let i = from; i < to; i++) {
    sumX += x[i];
    sumY += y[i];
  }
  tree.firstPoint[node] = from;
  tree.after[node] = tree.nodes;
  // One place is small from everywhere, also from itself. It is one point, or many that cannot be told apart.
  const onePlace = count === 1 || count > leafSize;
  cells[4 * node] = onePlace ? x[from] : sumX / count;
  cells[4 * node + 1] = onePlace ? y[from] : sumY / count;
  cells[4 * node + 2] = count;
  cells[4 * node + 3] = onePlace ? -1 : width * width * smallness;
}

/** Orders the points `from` … `to − 1` so that those with a coordinate below `border` come first; gives the first that is not. */
function partition(tree: QuadTree, coordinate: Float64Array, from: number, to: number, border: number): number {
  const { order, x, y } = tree;
  let i = from;
  let j = to - 1;
  while (true) {
    while (i <= j && coordinate[i] < border) i++;
    while (i <= j && !(coordinate[j] < border)) j--;
    if (i >= j) return i;
    const [index, px, py] = [order[i], x[i], y[i]];
    order[i] = order[j];
    x[i] = x[j];
    y[i] = y[j];
    order[j] = index;
    x[j] = px;
    y[j] = py;
  }
}
