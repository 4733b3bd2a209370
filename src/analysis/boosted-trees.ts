/**
 * Gradient boosting of trees for classification (Friedman, 2001) on the log loss, with scikit-learn's defaults: 100 stages
 * of depth 3, learning rate 0.1, started from the class frequencies, leaves by one Newton step. One tree a stage for two
 * classes, one for each class otherwise.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { presentClasses, requireLabels, requireMatrix, requireWidth } from './input.ts';
import { emptyForest, type Forest, leafOf, sortColumns, treeGrower } from './regression-tree.ts';

export interface BoostedTreesData {
  /** n rows of d columns. */
  x: ArrayLike<number>;
  n: number;
  d: number;
  /** A class 0 … classes−1 for each row. */
  y: ArrayLike<number>;
  classes: number;
  /** Decides between columns that split equally well, as copies of each other do; any of them may be taken. */
  seed?: number;
  /** Called after each stage with the part that is done, in (0, 1]. */
  onProgress?: (fraction: number) => void;
}

export interface BoostedTrees {
  /** The labels that were present, ascending. */
  classes: number[];
  columns: number;
  /** Each column's share of the squared error that all splits took away: sums to 1, or all zero without a split. */
  importances: Float64Array;
  /** The log odds, or logits, before the first tree. */
  prior: Float64Array;
  /** Trees stage by stage, inside a stage class by class. */
  forest: Forest;
}

const stages = 100;
const depth = 3;
const learningRate = 0.1;

/** @example fitBoostedTrees({ x, n, d, y, classes: 3 }).importances */
export function fitBoostedTrees(data: BoostedTreesData): BoostedTrees {
  const { n, d, y, seed = 0, onProgress } = data;
  requireMatrix(data.x, n, d);
  requireLabels(y, n, data.classes);
  const { present, place } = presentClasses(y, data.classes);
  const sorted = sortColumns(data.x, n, d);
  requireSinglePrecision(sorted.values, n);

  const k = present.length;
  const rows = k === 1 ? 0 : k === 2 ? 1 : k;
  const forest = emptyForest(stages * rows, depth);
  const prior = priorOf(place, k);
  const grower = treeGrower(sorted, depth, stream(seed, 'equal splits of boosted trees'));

  const raw = new Float64Array(rows * n);
  for (let r = 0; r < rows; r++) raw.fill(prior[r], r * n, (r + 1) * n);
  const chances = new Float64Array(rows * n);
  const residual = new Float64Array(n);
  const steps = newtonSteps(forest.nodes, rows === 1 ? 1 : (k - 1) / k);
  for (let stage = 0; stage < stages && rows > 0; stage++) {
    probabilities(raw, chances, rows, n);
    for (let r = 0; r < rows; r++) {
      const own = rows === 1 ? 1 : r;
      for (let i = 0; i < n; i++) residual[i] = (place[i] === own ? 1 : 0) - chances[r * n + i];
      const tree = stage * rows + r;
      grower.grow(residual, forest, tree);
      const values = forest.value.subarray(tree * forest.nodes, (tree + 1) * forest.nodes);
      steps(grower.leaves, residual, chances.subarray(r * n, (r + 1) * n), values);
      for (let i = 0; i < n; i++) raw[r * n + i] += values[grower.leaves[i]];
    }
    onProgress?.((stage + 1) / stages);
  }

  const total = grower.importances.reduce((sum, value) => sum + value, 0);
  const importances = total > 0 ? grower.importances.map((value) => value / total) : new Float64Array(d);
  return { classes: present, columns: d, importances, prior, forest };
}

/** The log odds of the second of two classes, n × 1, or the logits of the classes, n × classes. */
export function boostedDecision(model: BoostedTrees, x: ArrayLike<number>, n: number, d: number): Float64Array {
  requireMatrix(x, n, d);
  requireWidth(model.columns, d);
  const { forest, prior } = model;
  const rows = prior.length;
  const single = Float32Array.from(x);
  const values = new Float64Array(n * rows);
  const trees = forest.feature.length / forest.nodes;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < rows; r++) values[i * rows + r] = prior[r];
    for (let t = 0; t < trees; t++) values[i * rows + (t % rows)] += forest.value[leafOf(forest, t, single, i * d)];
  }
  return values;
}

/** The most probable class of each row, the lowest label among equals. */
export function predictBoostedTrees(model: BoostedTrees, x: ArrayLike<number>, n: number, d: number): Int32Array {
  const values = boostedDecision(model, x, n, d);
  const rows = model.prior.length;
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    let best = 0;
    if (model.classes.length === 2) best = values[i] > 0 ? 1 : 0;
    else for (let r = 1; r < rows; r++) if (values[i * rows + r] > values[i * rows + best]) best = r;
    labels[i] = model.classes[best];
  }
  return labels;
}

/** Log odds of the second class, or log frequencies. One class alone has a single logit of 0. */
function priorOf(place: Int32Array, k: number): Float64Array {
  const counts = new Float64Array(k);
  for (const at of place) counts[at]++;
  const frequency = counts.map((count) => count / place.length);
  if (k === 2) return Float64Array.of(Math.log(frequency[1] / (1 - frequency[1])));
  return frequency.map(Math.log);
}

/** The sigmoid of one row of logits, or the softmax over several; both class by class. */
function probabilities(raw: Float64Array, chances: Float64Array, rows: number, n: number): void {
  if (rows === 1) {
    for (let i = 0; i < n; i++) chances[i] = 1 / (1 + Math.exp(-raw[i]));
    return;
  }
  const most = raw.slice(0, n);
  for (let r = 1; r < rows; r++) for (let i = 0; i < n; i++) most[i] = Math.max(most[i], raw[r * n + i]);
  const sum = new Float64Array(n);
  for (let r = 0; r < rows; r++)
    for (let i = 0; i < n; i++) sum[i] += chances[r * n + i] = Math.exp(raw[r * n + i] - most[i]);
  for (let r = 0; r < rows; r++) for (let i = 0; i < n; i++) chances[r * n + i] /= sum[i];
}

/** What writes each leaf's step, rate · factor · Σ residual / Σ p (1 − p), to `values`. */
function newtonSteps(nodes: number, factor: number) {
  const numerator = new Float64Array(nodes);
  const denominator = new Float64Array(nodes);
  return (leaves: Int32Array, residual: Float64Array, chances: Float64Array, values: Float64Array): void => {
    numerator.fill(0);
    denominator.fill(0);
    for (let i = 0; i < leaves.length; i++) {
      numerator[leaves[i]] += residual[i];
      denominator[leaves[i]] += chances[i] * (1 - chances[i]);
    }
    for (let node = 0; node < nodes; node++)
      values[node] =
        Math.abs(denominator[node]) < 1e-150 ? 0 : (learningRate * factor * numerator[node]) / denominator[node];
  };
}

function requireSinglePrecision(values: Float32Array, n: number): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0)
    throw new UntangleError(`Column ${Math.floor(at / n)} holds a number too large for trees in row ${at % n}.`, {
      kind: 'call',
      hint: 'Trees are grown in single precision, up to 3.4e38: divide the column by something.',
    });
}
