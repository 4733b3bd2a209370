/**
 * A small random forest for regression (Breiman, 2001), and how much each column of its input matters: by how much the squared
 * error of items that a tree has not seen grows when that column is shuffled. Made for tables of tens to thousands of rows.
 */
import { type Stream, stream } from '../random/index.ts';
import { requireMatrix } from './input.ts';

export interface ForestOptions {
  trees?: number;
  /** A split leaves at least so many rows on each side. */
  leaf?: number;
  seed?: number;
}

interface Node {
  value: number;
  column: number;
  threshold: number;
  left?: Node;
  right?: Node;
}

export interface RandomForest {
  predict(row: ArrayLike<number>): number;
  /** The share of the variance that trees explain of rows that they have not seen. */
  explained: number;
  /** The growth of the squared error when a column is shuffled, over the variance; about 0 where it says nothing. */
  importance: Float64Array;
}

/**
 * Fits a forest to n rows of d columns and their outcomes.
 *
 * @example fitForest(settings, scores, n, d).importance // one number a column
 */
export function fitForest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  n: number,
  d: number,
  { trees = 200, leaf = 2, seed = 0 }: ForestOptions = {},
): RandomForest {
  requireMatrix(x, n, d);
  const rows = Array.from({ length: n }, (_, i) => Array.from({ length: d }, (_, j) => x[i * d + j]));
  const grown = Array.from({ length: trees }, (_, t) => {
    const draws = stream(seed, 'bootstrap of a tree', t);
    const taken = Array.from({ length: n }, () => draws.integer(n));
    const seen = new Set(taken);
    const unseen = rows.flatMap((_, i) => (seen.has(i) ? [] : [i]));
    return { root: grow(rows, y, taken, leaf, draws), unseen, draws };
  });
  const mean = Array.from(y).reduce((sum, value) => sum + value, 0) / n;
  const variance = Array.from(y).reduce((sum, value) => sum + (value - mean) ** 2, 0) / n;
  const votes = rows.map(() => ({ sum: 0, count: 0 }));
  const importance = new Float64Array(d);
  let counted = 0;
  for (const { root, unseen, draws } of grown) {
    if (unseen.length === 0) continue;
    counted++;
    const error = (of: (i: number) => number) =>
      unseen.reduce((sum, i) => sum + (of(i) - y[i]) ** 2, 0) / unseen.length;
    const own = error((i) => answerOf(root, rows[i]));
    for (const i of unseen) {
      votes[i].sum += answerOf(root, rows[i]);
      votes[i].count++;
    }
    for (let j = 0; j < d; j++) {
      const order = draws.permutation(unseen.length);
      const shuffled = new Map(unseen.map((i, at) => [i, rows[unseen[order[at]]][j]]));
      importance[j] += error((i) => answerOf(root, rows[i].with(j, shuffled.get(i)!))) - own;
    }
  }
  for (let j = 0; j < d; j++) importance[j] = variance > 0 ? importance[j] / counted / variance : 0;
  const known = votes.flatMap(({ sum, count }, i) => (count > 0 ? [(sum / count - y[i]) ** 2] : []));
  const left = known.reduce((sum, one) => sum + one, 0) / known.length;
  return {
    predict: (row) => grown.reduce((sum, { root }) => sum + answerOf(root, Array.from(row)), 0) / trees,
    explained: variance > 0 ? 1 - left / variance : 0,
    importance,
  };
}

/** Splits on the column and threshold that leave the least squared error, of a random third of the columns. */
function grow(rows: number[][], y: ArrayLike<number>, taken: readonly number[], leaf: number, draws: Stream): Node {
  const sum = taken.reduce((all, i) => all + y[i], 0);
  const node: Node = { value: sum / taken.length, column: -1, threshold: 0 };
  const d = rows[0].length;
  const columns = [...draws.permutation(d)].slice(0, Math.max(1, Math.ceil(d / 3)));
  let best = sum ** 2 / taken.length + 1e-12;
  let cut: number[] | undefined;
  let at = 0;
  for (const column of columns) {
    const order = [...taken].sort((a, b) => rows[a][column] - rows[b][column]);
    let left = 0;
    for (let k = 1; k < order.length; k++) {
      left += y[order[k - 1]];
      const [below, above] = [rows[order[k - 1]][column], rows[order[k]][column]];
      if (below === above || k < leaf || order.length - k < leaf) continue;
      const gain = left ** 2 / k + (sum - left) ** 2 / (order.length - k);
      if (gain <= best) continue;
      best = gain;
      node.column = column;
      node.threshold = (below + above) / 2;
      cut = order;
      at = k;
    }
  }
  if (cut === undefined) return node;
  node.left = grow(rows, y, cut.slice(0, at), leaf, draws);
  node.right = grow(rows, y, cut.slice(at), leaf, draws);
  return node;
}

function answerOf(root: Node, row: readonly number[]): number {
  let node = root;
  while (node.left && node.right) node = row[node.column] < node.threshold ? node.left : node.right;
  return node.value;
}
