/**
 * t-SNE to two dimensions (van der Maaten and Hinton, 2008): positions whose Student-t similarities q_ij are nearest in
 * Kullback–Leibler divergence to the affinities p_ij of the data. Repulsion by Barnes and Hut's tree, or exactly for few
 * points; the schedule is scikit-learn's.
 */
import { UntangleError } from '../errors.ts';
import { stream } from '../random/index.ts';
import { type Affinities, affinities } from './affinities.ts';
import { pca, project } from './pca.ts';
import { checkCount, checkPoints, type Points } from './points.ts';
import { grow, quadTree, repel } from './quad-tree.ts';

export interface TsneOptions extends Points {
  seed: number;
  /** About how many neighbours a point has; below n. The default is 30, or a third of the points if they are fewer. */
  perplexity?: number;
  iterations?: number;
  /** Start from the first two principal components, or from noise. */
  init?: 'pca' | 'random';
  /** The default is exact up to 256 points. */
  method?: 'exact' | 'barnes-hut';
}

/** Where the embedding stands after an iteration. */
export interface TsneStep {
  /** How many iterations are done. */
  iteration: number;
  /** n × 2. The same array at every step: copy what should last. */
  embedding: Float64Array;
  /** Whether clusters are still being pulled together (the first 250 iterations). */
  exaggerated: boolean;
}

export interface TsneResult {
  /** n × 2. */
  embedding: Float64Array;
  /** The divergence Σ p_ij ln (p_ij / q_ij), over the neighbours that have a p. */
  kl: number;
  iterations: number;
}

/** @example tsne({ x, n, d, seed: 1 }).embedding */
export function tsne(options: TsneOptions & { onProgress?: (step: TsneStep) => void }): TsneResult {
  const steps = tsneSteps(options);
  while (true) {
    const next = steps.next();
    if (next.done) return next.value;
    options.onProgress?.(next.value);
  }
}

const angle = 0.5;
const exaggeration = 12;
const exaggeratedIterations = 250;
const iterationsBetweenChecks = 50;
const patience = 300;
const smallestGradient = 1e-7;
const smallestGain = 0.01;

/** t-SNE one iteration at a time, for a page that draws while it runs; returns the result. */
export function* tsneSteps(options: TsneOptions): Generator<TsneStep, TsneResult, void> {
  const { n, d, seed, iterations = 1000, init = 'pca', method = n <= 256 ? 'exact' : 'barnes-hut' } = options;
  const x = checkPoints(options, 2);
  const perplexity = checkPerplexity(options.perplexity ?? Math.max(1, Math.min(30, (n - 1) / 3)), n);
  checkCount('the number of iterations', iterations, 1);
  const neighbours = method === 'exact' ? n - 1 : Math.min(n - 1, Math.floor(3 * perplexity + 1));
  const p = affinities(x, n, d, neighbours, perplexity);
  const repulsion = method === 'exact' ? exactRepulsion : treeRepulsion(n);
  const embedding = start(x, n, d, seed, init);
  const learningRate = Math.max(n / exaggeration / 4, 50);

  const gradient = new Float64Array(2 * n);
  const forces = new Float64Array(2 * n);
  const update = new Float64Array(2 * n);
  const gains = new Float64Array(2 * n).fill(1);
  let best = Number.POSITIVE_INFINITY;
  let bestAt = 0;
  let iteration = 0;
  while (iteration < iterations) {
    const exaggerated = iteration < exaggeratedIterations;
    if (iteration === exaggeratedIterations) {
      update.fill(0);
      gains.fill(1);
      bestAt = iteration;
    }
    forces.fill(0);
    const z = repulsion(embedding, forces);
    attract(p, embedding, exaggerated ? exaggeration : 1, gradient);
    for (let e = 0; e < 2 * n; e++) gradient[e] = 4 * (gradient[e] - forces[e] / z);
    const check = ++iteration % iterationsBetweenChecks === 0 && !exaggerated;
    const divergence = check ? klDivergence(p, embedding, z) : Number.NaN;
    const length = descend(embedding, gradient, update, gains, exaggerated ? 0.5 : 0.8, learningRate);
    yield { iteration, embedding, exaggerated };
    if (!check) continue;
    if (divergence < best) {
      best = divergence;
      bestAt = iteration;
    } else if (iteration - bestAt > patience) break;
    if (length <= smallestGradient) break;
  }
  return { embedding, kl: klDivergence(p, embedding, repulsion(embedding, forces)), iterations: iteration };
}

type Repulsion = (embedding: Float64Array, forces: Float64Array) => number;

function treeRepulsion(n: number): Repulsion {
  const tree = quadTree(n);
  return (embedding, forces) => {
    grow(tree, embedding, angle);
    return repel(tree, forces);
  };
}

/** Σ_j q_ij² (y_i − y_j) and Z over all pairs. */
function exactRepulsion(embedding: Float64Array, forces: Float64Array): number {
  let z = 0;
  for (let i = 0; i < embedding.length; i += 2) {
    for (let j = i + 2; j < embedding.length; j += 2) {
      const dx = embedding[i] - embedding[j];
      const dy = embedding[i + 1] - embedding[j + 1];
      const q = 1 / (1 + dx * dx + dy * dy);
      z += 2 * q;
      forces[i] += q * q * dx;
      forces[i + 1] += q * q * dy;
      forces[j] -= q * q * dx;
      forces[j + 1] -= q * q * dy;
    }
  }
  return z;
}

/** Σ_j p_ij q_ij (y_i − y_j), with p exaggerated. */
function attract({ starts, columns, values }: Affinities, y: Float64Array, factor: number, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i + 1 < starts.length; i++) {
    const px = y[2 * i];
    const py = y[2 * i + 1];
    let fx = 0;
    let fy = 0;
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      const j = 2 * columns[e];
      const dx = px - y[j];
      const dy = py - y[j + 1];
      const pull = (factor * values[e]) / (1 + dx * dx + dy * dy);
      fx += pull * dx;
      fy += pull * dy;
      out[j] -= pull * dx;
      out[j + 1] -= pull * dy;
    }
    out[2 * i] += fx;
    out[2 * i + 1] += fy;
  }
}

/** A step with momentum and a gain for each coordinate, which grows while the coordinate keeps its way. Gives ‖gains · gradient‖. */
function descend(
  y: Float64Array,
  gradient: Float64Array,
  update: Float64Array,
  gains: Float64Array,
  momentum: number,
  learningRate: number,
): number {
  let squared = 0;
  for (let e = 0; e < y.length; e++) {
    const gain = update[e] * gradient[e] < 0 ? gains[e] + 0.2 : Math.max(gains[e] * 0.8, smallestGain);
    const step = gain * gradient[e];
    gains[e] = gain;
    update[e] = momentum * update[e] - learningRate * step;
    y[e] += update[e];
    squared += step * step;
  }
  return Math.sqrt(squared);
}

function klDivergence({ starts, columns, values }: Affinities, y: Float64Array, z: number): number {
  let sum = 0;
  for (let i = 0; i + 1 < starts.length; i++) {
    for (let e = starts[i]; e < starts[i + 1]; e++) {
      if (values[e] === 0) continue;
      const j = 2 * columns[e];
      const dx = y[2 * i] - y[j];
      const dy = y[2 * i + 1] - y[j + 1];
      sum += 2 * values[e] * Math.log(values[e] * z * (1 + dx * dx + dy * dy));
    }
  }
  return sum;
}

/** Principal components, or noise, scaled so that the first coordinate has a standard deviation of about 1e-4. */
function start(x: Float64Array, n: number, d: number, seed: number, init: 'pca' | 'random'): Float64Array {
  const embedding = new Float64Array(2 * n);
  const components = Math.min(2, d, n - 1);
  const model = init === 'pca' ? pca({ x, n, d, components }) : undefined;
  if (model === undefined || model.variances[0] === 0) {
    const random = stream(seed, 't-SNE start');
    return embedding.map(() => 1e-4 * random.normal());
  }
  const scale = 1e-4 / Math.sqrt((model.variances[0] * (n - 1)) / n);
  project(model, x, n).forEach((score, e) => {
    embedding[2 * Math.floor(e / components) + (e % components)] = scale * score;
  });
  return embedding;
}

function checkPerplexity(perplexity: number, n: number): number {
  if (perplexity >= 1 && perplexity < n) return perplexity;
  throw new UntangleError(`A perplexity of ${perplexity} does not fit ${n} points.`, {
    kind: 'call',
    hint: `It is about how many neighbours a point has: at least 1 and below ${n}.`,
  });
}
