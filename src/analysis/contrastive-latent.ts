/**
 * The contrastive latent variable model (Severson, Ghosh and Ng 2019), linear: a target item is S z + W t + μ and a background item
 * S z + μ', each with noise of variance σ², where z and t are standard normal. S holds what both sets vary in, W what the target
 * adds. EM has both steps in closed form and never lowers the likelihood. A missing number (NaN) is left out of the likelihood, so
 * nothing is filled in. With a `freedom` the items are Student-t, so that odd ones count less; with `relevance` each
 * direction of W has a precision of its own, which draws those that are not needed to nothing.
 */
import { UntangleError } from '../errors.ts';
import { type Loadings, principal, startingPoint } from './contrastive-latent-start.ts';
import { maximise } from './contrastive-latent-update.ts';
import { type Expectations, expectations } from './latent-expectation.ts';
import { checkCount, type Numbers, type Points } from './points.ts';

export interface ContrastiveLatentData {
  /** Items row by row; NaN where a number is missing. */
  target: Points;
  background: Points;
  /** Directions that both sets vary in, and that the target adds; 2 each if not said. */
  shared?: number;
  salient?: number;
  /** Degrees of freedom of Student-t items; infinite, for normal ones, if not said. */
  freedom?: number;
  /** Automatic relevance determination of the salient directions. */
  relevance?: boolean;
  /** Rounds of EM at most, and the gain in nats for an item below which it ends. */
  iterations?: number;
  tolerance?: number;
  onProgress?: (round: number, objective: number) => void;
}

export interface ContrastiveLatent extends Loadings {
  d: number;
  shared: number;
  salient: number;
  freedom: number;
  /** Whether the last round gained less than the tolerance. */
  converged: boolean;
  /** Of all items, after each round; with relevance, with the logarithm of the prior of W. */
  objective: Float64Array;
  logLikelihood: number;
  /** The variance that each salient direction gives an item over all columns, the largest first. */
  salientVariances: Float64Array;
}

/** Wider data makes matrices that take minutes. */
const mostColumns = 1000;

/** @example contrastiveLatent({ target, background, shared: 5, salient: 2 }).salientLoadings */
export function contrastiveLatent(data: ContrastiveLatentData): ContrastiveLatent {
  const { target, background, shared = 2, salient = 2, freedom = Number.POSITIVE_INFINITY } = data;
  const { relevance = false, iterations = 3000, tolerance = 1e-6, onProgress } = data;
  const { d } = target;
  if (background.d !== d)
    throw new UntangleError(`The target has ${d} columns, the background ${background.d}.`, {
      kind: 'call',
      hint: 'Give both sets the same columns.',
    });
  checkCount('the number of columns', d, 2, mostColumns);
  checkCount('the number of shared directions', shared, 0, d - 1);
  checkCount('the number of salient directions', salient, 1, d - 1);
  if (!(freedom > 0)) throw new UntangleError(`${freedom} degrees of freedom were given.`, { kind: 'call' });
  const sets = { target: checkedSet('target', target), background: checkedSet('background', background) };
  let loadings = startingPoint(sets, shared, salient);
  const objective: number[] = [];
  let last = expectedFor(sets, loadings, freedom);
  const objectiveOf = (at: Loadings, { logLikelihood }: Both) =>
    logLikelihood + (relevance ? priorOfRelevance(at, d) : 0);
  objective.push(objectiveOf(loadings, last));
  let converged = false;
  for (let round = 1; round <= iterations && !converged; round++) {
    loadings = maximise(sets, loadings, last, relevance ? precisions(loadings, d) : undefined);
    last = expectedFor(sets, loadings, freedom);
    objective.push(objectiveOf(loadings, last));
    converged = objective[round] - objective[round - 1] < tolerance * (target.n + background.n);
    onProgress?.(round, objective[round]);
  }
  const turned = { ...loadings, ...upright(loadings, d) };
  return {
    ...turned,
    d,
    shared,
    salient,
    freedom,
    converged,
    objective: Float64Array.from(objective),
    logLikelihood: last.logLikelihood,
    salientVariances: lengths(turned.salientLoadings, d),
  };
}

/** What the model says of items. */
export interface LatentItems {
  /** The salient codes t of each item with their standard deviations, row by row; of background items there are none. */
  salient: Float64Array;
  salientDeviations: Float64Array;
  shared: Float64Array;
  sharedDeviations: Float64Array;
  /** How much each item counts: 1 for normal items, less for a Student-t's odd ones. */
  weights: Float64Array;
  /** ln p of each item. */
  logLikelihoods: Float64Array;
}

/** @example latentItems(model, target, 'target').salient */
export function latentItems(model: ContrastiveLatent, points: Points, set: 'target' | 'background'): LatentItems {
  const { shared, freedom } = model;
  const salient = set === 'target' ? model.salient : 0;
  const q = shared + salient;
  const found = expectations(checkedSet(set, points, 0), loadingsFor(model, set), freedom);
  const of = (from: number, size: number, value: (i: number, c: number) => number) =>
    Float64Array.from({ length: points.n * size }, (_, e) => value(Math.floor(e / size), from + (e % size)));
  const meanAt = (i: number, c: number) => found.means[i * q + c];
  const deviationAt = (i: number, c: number) => {
    const { covariance, observed } = found.patterns[found.pattern[i]];
    // A Student-t with so many degrees of freedom has its scale's square times this as its variance.
    const own = freedom + observed.length;
    const spread = own === Number.POSITIVE_INFINITY ? 1 : own > 2 ? own / (own - 2) : Number.POSITIVE_INFINITY;
    return Math.sqrt((spread * covariance[c * q + c]) / found.weights[i]);
  };
  return {
    shared: of(0, shared, meanAt),
    sharedDeviations: of(0, shared, deviationAt),
    salient: of(shared, salient, meanAt),
    salientDeviations: of(shared, salient, deviationAt),
    weights: found.weights,
    logLikelihoods: found.logLikelihoods,
  };
}

interface Both {
  target: Expectations;
  background: Expectations;
  logLikelihood: number;
}

function expectedFor(sets: Record<'target' | 'background', Points>, at: Loadings, freedom: number): Both {
  const target = expectations(sets.target, loadingsFor(at, 'target'), freedom);
  const background = expectations(sets.background, loadingsFor(at, 'background'), freedom);
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  return {
    target,
    background,
    logLikelihood: sum(target.logLikelihoods) + sum(background.logLikelihoods),
  };
}

/** The directions of a set as rows, its mean and the noise. */
function loadingsFor({ sharedLoadings, salientLoadings, targetMean, backgroundMean, noise }: Loadings, set: string) {
  const isTarget = set === 'target';
  const rows = isTarget ? [...sharedLoadings, ...salientLoadings] : [...sharedLoadings];
  return { rows: Float64Array.from(rows), mean: isTarget ? targetMean : backgroundMean, noise };
}

/** A nearly flat Gamma prior of each precision. */
const flat = 1e-3;

/** α_c = (d/2 + a) / (‖w_c‖²/2 + b), the likeliest precision of each salient direction. */
function precisions({ salientLoadings }: Loadings, d: number): Float64Array {
  return lengths(salientLoadings, d).map((length) => (d / 2 + flat) / (length / 2 + flat));
}

/** ln p(W, α) at the likeliest α, but for a constant. */
function priorOfRelevance({ salientLoadings }: Loadings, d: number): number {
  return lengths(salientLoadings, d).reduce((sum, length) => sum - (d / 2 + flat) * Math.log(length / 2 + flat), 0);
}

function lengths(rows: Float64Array, d: number): Float64Array {
  return Float64Array.from({ length: rows.length / d }, (_, c) =>
    rows.subarray(c * d, (c + 1) * d).reduce((sum, value) => sum + value * value, 0),
  );
}

/** Salient and shared directions each turned to be upright on each other, the longest first: the likelihood can't tell turns. */
function upright(
  { sharedLoadings, salientLoadings }: Loadings,
  d: number,
): Pick<Loadings, 'sharedLoadings' | 'salientLoadings'> {
  return { sharedLoadings: principal(sharedLoadings, d), salientLoadings: principal(salientLoadings, d) };
}

function checkedSet(name: string, { x, n, d }: Points, atLeast = 2): Points {
  checkCount(`the number of ${name} items`, n, atLeast);
  if (x.length !== n * d)
    throw new UntangleError(`${x.length} numbers were given for ${n} items of ${d} columns.`, { kind: 'call' });
  const known = new Uint32Array(d);
  for (let e = 0; e < x.length; e++) {
    if (!Number.isNaN(x[e])) known[e % d]++;
    if (Math.abs(x[e]) > 1e150)
      throw new UntangleError(`A number as large as ${x[e]} cannot be computed with.`, { kind: 'call' });
  }
  const empty = known.findIndex((count) => count < atLeast);
  if (empty >= 0)
    throw new UntangleError(`Column ${empty} has ${known[empty] === 0 ? 'no number' : 'one number'} in the ${name}.`, {
      kind: 'call',
      hint: 'Leave it out, or give more items.',
    });
  return { x: x as Numbers, n, d };
}
