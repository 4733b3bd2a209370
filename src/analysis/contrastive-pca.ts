/**
 * Contrastive PCA (Abid et al. 2018): directions in which a target set varies and a background set does not, the leading
 * eigenvectors of C_target − α C_background. At α = 0 it is ordinary PCA of the target; the larger α, the less of the
 * background's variance is allowed. A sweep over α finds the few values whose subspaces differ.
 */
import { Matrix, SingularValueDecomposition } from 'ml-matrix';
import { UntangleError } from '../errors.ts';
import { leadingEigenvectors } from './eigenvectors.ts';
import { kmeans } from './kmeans.ts';
import { type Pca, pca } from './pca.ts';
import { checkCount, checkPoints, type Points } from './points.ts';
import { columnMeans, covarianceMatrix } from './statistics.ts';

export interface ContrastData {
  target: Points;
  background: Points;
  /** How many directions; 2 if not said. */
  components?: number;
  /** Wider data is first reduced to this many leading directions of both sets together; 100 if not said. */
  within?: number;
}

/** Axes as of `pca`, so that `project` takes them; `variances` and `mean` are the target's. */
export interface ContrastivePca extends Pca {
  alpha: number;
  /** The eigenvalues: the target's variance along each axis less α times the background's. */
  values: Float64Array;
  backgroundVariances: Float64Array;
}

/** @example project(contrastivePca({ target, background, alpha: 2 }), target.x, target.n) */
export function contrastivePca(data: ContrastData & { alpha: number }): ContrastivePca {
  checkAlpha(data.alpha);
  return axesAt(prepared(data), data.alpha);
}

export interface ContrastiveSweep {
  /** The values of α that were looked at: 0, and 40 from 0.1 to 1000 if not said, ascending. */
  alphas: Float64Array;
  /** The cluster of each α; clusters count from 0 in the order in which they appear. */
  labels: Int32Array;
  /** One model of each cluster: at α = 0 for the one that has it, at the medoid for the others. */
  models: ContrastivePca[];
}

/**
 * Looks at many α and gives a few that differ (Abid et al. 2018, Algorithm 2): the affinity of two α is the product of the
 * cosines of the principal angles between their subspaces, and spectral clusters of it are represented by their medoids.
 *
 * @example contrastiveSweep({ target, background }).models.map(({ alpha }) => alpha)
 */
export function contrastiveSweep(
  data: ContrastData & { alphas?: readonly number[]; clusters?: number },
): ContrastiveSweep {
  const { clusters = 4 } = data;
  const alphas = Float64Array.from(new Set([0, ...(data.alphas ?? usualAlphas)])).sort();
  alphas.forEach(checkAlpha);
  checkCount('the number of clusters', clusters, 1, alphas.length);
  const covariances = prepared(data);
  // Where α is so large that only directions are left in which the target does not vary, there is nothing to look at.
  const models = Array.from(alphas, (alpha) => axesAt(covariances, alpha)).filter(
    (model, i) => i === 0 || targetVaries(model),
  );
  const affinity = affinities(models);
  const labels = spectralClusters(affinity, models.length, Math.min(clusters, models.length));
  return {
    alphas: Float64Array.from(models, ({ alpha }) => alpha),
    labels,
    models: medoids(affinity, labels).map((i) => models[i]),
  };
}

/** Whether the target's variance along every axis is more than rounding. */
export function targetVaries({ variances, totalVariance }: Pca): boolean {
  return variances.every((variance) => variance > rounding * totalVariance);
}

/** A variance below this share of the largest one is rounding. */
const rounding = 1e-10;

const usualAlphas = Array.from({ length: 40 }, (_, i) => 10 ** (-1 + (4 * i) / 39));

/** Both covariances, in the directions that were kept. */
interface Covariances {
  d: number;
  components: number;
  mean: Float64Array;
  size: number;
  /** The kept directions as rows of d numbers; undefined where all of d are kept. */
  basis: Float64Array | undefined;
  ofTarget: Float64Array;
  ofBackground: Float64Array;
  totalVariance: number;
}

function prepared({ target, background, components = 2, within = 100 }: ContrastData): Covariances {
  const { d } = target;
  if (background.d !== d)
    throw new UntangleError(`The target has ${d} columns, the background ${background.d}.`, {
      kind: 'call',
      hint: 'Give both sets the same columns.',
    });
  const ofTarget = centred(target);
  const ofBackground = centred(background);
  checkCount('the number of directions to keep', within, 1, 1000);
  const size = Math.min(d, within);
  checkCount('the number of components', components, 1, size);
  const basis = basisOf(ofTarget.x, target.n, ofBackground.x, background.n, d, size);
  const kept = basis === undefined ? d : basis.length / d;
  if (kept < components)
    throw new UntangleError(
      `The items vary in ${kept === 1 ? 'one direction' : `${kept} directions`} alone; ${components} were asked for.`,
      { kind: 'call', hint: 'Give more items, or columns that do not follow from each other.' },
    );
  const reduced = (x: Float64Array, n: number) => (basis === undefined ? x : inBasis(x, n, d, basis, kept));
  let totalVariance = 0;
  for (const value of ofTarget.x) totalVariance += value ** 2 / (target.n - 1);
  return {
    d,
    components,
    mean: ofTarget.mean,
    size: kept,
    basis,
    ofTarget: covarianceMatrix(reduced(ofTarget.x, target.n), target.n, kept),
    ofBackground: covarianceMatrix(reduced(ofBackground.x, background.n), background.n, kept),
    totalVariance,
  };
}

function axesAt(covariances: Covariances, alpha: number): ContrastivePca {
  const { d, components, mean, size, basis, ofTarget, ofBackground, totalVariance } = covariances;
  const contrast = ofTarget.map((value, e) => value - alpha * ofBackground[e]);
  const found = leadingEigenvectors(contrast, size, components);
  const along = (covariance: Float64Array) =>
    Float64Array.from({ length: components }, (_, c) => quadratic(covariance, found.vectors, c, size));
  const axes = basis === undefined ? found.vectors : outOfBasis(found.vectors, components, basis, size, d);
  fixSigns(axes, components, d);
  return {
    d,
    components,
    mean,
    axes,
    variances: along(ofTarget),
    totalVariance,
    alpha,
    values: found.values,
    backgroundVariances: along(ofBackground),
  };
}

function checkAlpha(alpha: number): void {
  if (!(Number.isFinite(alpha) && alpha >= 0))
    throw new UntangleError(`α is ${alpha}.`, { kind: 'call', hint: 'It must be a number of 0 or more.' });
}

function centred(points: Points): { x: Float64Array; mean: Float64Array } {
  const x = checkPoints(points, 2);
  const mean = columnMeans(x, points.n, points.d);
  return { x: x.map((value, e) => value - mean[e % points.d]), mean };
}

/**
 * The directions of most variance over both sets, each about its own mean; undefined where that would be all of them. Directions
 * in which neither set varies are left out: with α large, the difference of two roundings would be the largest eigenvalue.
 */
function basisOf(
  x: Float64Array,
  n: number,
  y: Float64Array,
  m: number,
  d: number,
  size: number,
): Float64Array | undefined {
  const both = new Float64Array((n + m) * d);
  both.set(x);
  both.set(y, n * d);
  const { axes, variances } = pca({ x: both, n: n + m, d, components: Math.min(size, n + m - 1) });
  const rank = variances.filter((variance) => variance > rounding * variances[0]).length;
  return rank === d ? undefined : axes.subarray(0, rank * d);
}

function inBasis(x: Float64Array, n: number, d: number, basis: Float64Array, size: number): Float64Array {
  const scores = new Float64Array(n * size);
  for (let i = 0; i < n; i++)
    for (let c = 0; c < size; c++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += x[i * d + j] * basis[c * d + j];
      scores[i * size + c] = sum;
    }
  return scores;
}

function outOfBasis(vectors: Float64Array, count: number, basis: Float64Array, size: number, d: number): Float64Array {
  const axes = new Float64Array(count * d);
  for (let c = 0; c < count; c++)
    for (let k = 0; k < size; k++) {
      const weight = vectors[c * size + k];
      for (let j = 0; j < d; j++) axes[c * d + j] += weight * basis[k * d + j];
    }
  return axes;
}

/** vᵀ C v of the c-th vector. */
function quadratic(matrix: Float64Array, vectors: Float64Array, c: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) sum += vectors[c * size + i] * matrix[i * size + j] * vectors[c * size + j];
  return sum;
}

/** Makes the entry of largest size in each axis positive, as `pca` does. */
function fixSigns(axes: Float64Array, components: number, d: number): void {
  for (let c = 0; c < components; c++) {
    const axis = axes.subarray(c * d, (c + 1) * d);
    const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    if (largest < 0) for (let j = 0; j < d; j++) axis[j] = -axis[j];
  }
}

/** Π cos θ_i over the principal angles of each two subspaces: the product of the singular values of A Bᵀ. */
function affinities(models: readonly ContrastivePca[]): Float64Array {
  const count = models.length;
  const affinity = new Float64Array(count * count);
  const bases = models.map(({ axes, components, d }) => Matrix.from1DArray(components, d, axes));
  for (let i = 0; i < count; i++)
    for (let j = i; j < count; j++) {
      const { diagonal } = new SingularValueDecomposition(bases[i].mmul(bases[j].transpose()));
      const product = diagonal.reduce((value, cosine) => value * Math.min(1, cosine), 1);
      affinity[i * count + j] = product;
      affinity[j * count + i] = product;
    }
  return affinity;
}

/**
 * Clusters of a graph by its edges' weights (Shi and Malik 2000): k-means on the leading eigenvectors of D^−½ A D^−½, each over
 * √degree.
 */
function spectralClusters(affinity: Float64Array, n: number, k: number): Int32Array {
  const roots = Float64Array.from({ length: n }, (_, i) => {
    let degree = 0;
    for (let j = 0; j < n; j++) if (j !== i) degree += affinity[i * n + j];
    return Math.sqrt(Math.max(degree, 1e-12));
  });
  const normalised = affinity.map((weight, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    return i === j ? 0 : weight / (roots[i] * roots[j]);
  });
  const { vectors } = leadingEigenvectors(normalised, n, k);
  const x = new Float64Array(n * k);
  for (let i = 0; i < n; i++) for (let c = 0; c < k; c++) x[i * k + c] = vectors[c * n + i] / roots[i];
  const { labels } = kmeans({ x, n, d: k, k, seed: 0 });
  const seen = new Map<number, number>();
  return labels.map((label) => {
    const known = seen.get(label) ?? seen.size;
    seen.set(label, known);
    return known;
  });
}

/** The member of each cluster with the largest affinity to its others; the first cluster, which has α = 0, is that PCA. */
function medoids(affinity: Float64Array, labels: Int32Array): number[] {
  const n = labels.length;
  const best: number[] = [];
  const most: number[] = [];
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) if (labels[j] === labels[i]) sum += affinity[i * n + j];
    if (best[labels[i]] === undefined || (labels[i] > 0 && sum > most[labels[i]])) {
      best[labels[i]] = i;
      most[labels[i]] = sum;
    }
  }
  return best;
}
