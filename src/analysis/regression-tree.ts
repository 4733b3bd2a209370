/**
 * Regression trees of limited depth, grown greedily and exactly on Friedman's improvement score (Friedman, 2001, Eq. 35),
 * with scikit-learn's rules for what may be split. The columns are sorted once for all trees; a split divides each
 * column's list stably, so that every node finds its rows sorted without sorting again.
 */
import type { Stream } from '../random/index.ts';

/** The columns of a matrix as single-precision numbers (what scikit-learn grows trees on), with the order that sorts each. */
export interface SortedColumns {
  n: number;
  d: number;
  /** Column after column. */
  values: Float32Array;
  /** Column after column: the rows by ascending value, equal values by row. */
  order: Int32Array;
}

export function sortColumns(x: ArrayLike<number>, n: number, d: number): SortedColumns {
  const values = new Float32Array(n * d);
  const order = new Int32Array(n * d);
  for (let j = 0; j < d; j++) {
    const column = values.subarray(j * n, (j + 1) * n);
    for (let i = 0; i < n; i++) column[i] = x[i * d + j];
    const rows = order.subarray(j * n, (j + 1) * n);
    for (let i = 0; i < n; i++) rows[i] = i;
    rows.sort((a, b) => column[a] - column[b] || a - b);
  }
  return { n, d, values, order };
}

/**
 * A forest of trees of one depth in flat arrays. Tree t has its nodes at t · nodes …; node k's children are 2k + 1 (for
 * values up to the threshold) and 2k + 2; a leaf has feature −1.
 */
export interface Forest {
  depth: number;
  /** 2^(depth + 1) − 1. */
  nodes: number;
  feature: Int32Array;
  threshold: Float64Array;
  /** What a leaf adds to a prediction. */
  value: Float64Array;
}

export function emptyForest(trees: number, depth: number): Forest {
  const nodes = 2 ** (depth + 1) - 1;
  return {
    depth,
    nodes,
    feature: new Int32Array(trees * nodes).fill(-1),
    threshold: new Float64Array(trees * nodes),
    value: new Float64Array(trees * nodes),
  };
}

/** The leaf of tree t (as a place in the forest's arrays) into which the row at `at` in `x` falls. */
export function leafOf(forest: Forest, t: number, x: Float32Array, at: number): number {
  const base = t * forest.nodes;
  let node = 0;
  for (let feature = forest.feature[base]; feature >= 0; feature = forest.feature[base + node])
    node = 2 * node + (x[at + feature] <= forest.threshold[base + node] ? 1 : 2);
  return base + node;
}

export interface Grower {
  /**
   * Grows tree t of the forest on a target for each row. Writes each row's leaf (a node number) to `leaves`, and adds
   * each split's reduction of the squared error to its column in `importances`.
   */
  grow(target: Float64Array, forest: Forest, t: number): void;
  readonly leaves: Int32Array;
  readonly importances: Float64Array;
}

/** Prepares the room that trees are grown in. `ties` decides between columns whose best splits are equally good. */
export function treeGrower(columns: SortedColumns, depth: number, ties: Stream): Grower {
  const { n, d, values } = columns;
  const leaves = new Int32Array(n);
  const importances = new Float64Array(d);
  const spare = new Int32Array(n + 1);
  const goesLeft = new Uint8Array(n);
  /** For each depth, every column's rows, node by node and sorted inside a node. */
  const lists = Array.from({ length: Math.max(1, depth) }, (_, level) =>
    level === 0 ? columns.order : new Int32Array(n * d),
  );
  const candidate = { position: 0, gain: 0 };

  function grow(target: Float64Array, forest: Forest, t: number): void {
    const base = t * forest.nodes;
    divide(0, 0, 0, n, Number.NaN);

    /** Splits the node that holds the places start … end−1 of the lists at `level`, or leaves it a leaf. */
    function divide(node: number, level: number, start: number, end: number, knownImpurity: number): void {
      const list = lists[level];
      const count = end - start;
      let sum = 0;
      let squares = 0;
      for (let p = start; p < end; p++) {
        const value = target[list[p]];
        sum += value;
        squares += value * value;
      }
      const impurity = Number.isNaN(knownImpurity) ? squares / count - (sum / count) ** 2 : knownImpurity;
      const split = count < 2 || impurity <= Number.EPSILON ? -1 : bestSplit(list, target, start, end, sum);
      if (split < 0) {
        for (let p = start; p < end; p++) leaves[list[p]] = node;
        return;
      }

      const column = split * n;
      const middle = candidate.position;
      const below = values[column + list[column + middle - 1]];
      const above = values[column + list[column + middle]];
      const half = below / 2 + above / 2;
      forest.feature[base + node] = split;
      forest.threshold[base + node] = half === above ? below : half;

      let leftSum = 0;
      let leftSquares = 0;
      for (let p = column + start; p < column + middle; p++) {
        const value = target[list[p]];
        leftSum += value;
        leftSquares += value * value;
      }
      const left = middle - start;
      const right = end - middle;
      const leftImpurity = leftSquares / left - (leftSum / left) ** 2;
      const rightImpurity = (squares - leftSquares) / right - ((sum - leftSum) / right) ** 2;
      importances[split] += (count * impurity - left * leftImpurity - right * rightImpurity) / n;

      if (level + 1 === depth) {
        for (let p = column + start; p < column + middle; p++) leaves[list[p]] = 2 * node + 1;
        for (let p = column + middle; p < column + end; p++) leaves[list[p]] = 2 * node + 2;
        return;
      }
      for (let p = column + start; p < column + middle; p++) goesLeft[list[p]] = 1;
      for (let p = column + middle; p < column + end; p++) goesLeft[list[p]] = 0;
      for (let j = 0; j < d; j++) partition(list, lists[level + 1], j * n + start, j * n + end, goesLeft, spare);
      divide(2 * node + 1, level + 1, start, middle, leftImpurity);
      divide(2 * node + 2, level + 1, middle, end, rightImpurity);
    }
  }

  /** The column of the best split, with its position in `candidate`; −1 if no column can be split. */
  function bestSplit(list: Int32Array, target: Float64Array, start: number, end: number, sum: number): number {
    let best = Number.NEGATIVE_INFINITY;
    let position = -1;
    let feature = -1;
    let equals = 0;
    for (let j = 0; j < d; j++) {
      scan(list, values, j * n, target, start, end, sum, candidate);
      if (candidate.position < 0 || candidate.gain < best) continue;
      equals = candidate.gain > best ? 1 : equals + 1;
      if (equals > 1 && ties.integer(equals) > 0) continue;
      best = candidate.gain;
      position = candidate.position;
      feature = j;
    }
    candidate.position = position;
    return feature;
  }

  return { grow, leaves, importances };
}

/** Values closer than this are one value (single precision throughout, as in scikit-learn). */
const resolution = Math.fround(1e-7);

/**
 * Finds where to cut one column of a node, (n_r S_l − n_l S_r)² / (n_l n_r) being largest: `position` is the first place
 * on the right side, −1 if all values are one.
 */
function scan(
  list: Int32Array,
  values: Float32Array,
  column: number,
  target: Float64Array,
  start: number,
  end: number,
  sum: number,
  out: { position: number; gain: number },
): void {
  let best = Number.NEGATIVE_INFINITY;
  let position = -1;
  let leftSum = 0;
  let left = 0;
  let right = end - start;
  const last = column + end - 1;
  for (let p = column + start; p < last; p++) {
    const row = list[p];
    leftSum += target[row];
    left++;
    right--;
    const difference = right * leftSum - left * (sum - leftSum);
    const gain = (difference * difference) / (left * right);
    if (gain > best && values[column + list[p + 1]] > Math.fround(values[column + row] + resolution)) {
      best = gain;
      position = p + 1 - column;
    }
  }
  out.gain = best;
  out.position = position;
}

/** Copies places from … to−1, rows that go left before the others, both in the order they had. */
function partition(
  source: Int32Array,
  destination: Int32Array,
  from: number,
  to: number,
  goesLeft: Uint8Array,
  spare: Int32Array,
): void {
  let left = from;
  let right = 0;
  // Each row is written to both sides and one of the two places counted: a branch here would be guessed wrong half the time.
  for (let p = from; p < to; p++) {
    const row = source[p];
    const side = goesLeft[row];
    destination[left] = row;
    spare[right] = row;
    left += side;
    right += 1 - side;
  }
  for (let p = 0; p < right; p++) destination[left + p] = spare[p];
}
