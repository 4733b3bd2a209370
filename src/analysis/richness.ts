/**
 * Which of two sets varies more, seen in the data themselves and without a model: the ratio of their variances in the direction
 * where it is largest, either way. A background that is the richer one hints at swapped roles.
 */
import { pca, project } from './pca.ts';
import type { Points } from './points.ts';
import { columnMeans } from './statistics.ts';

export interface Richness {
  /** The target's variance over the background's, in the direction where that is largest. */
  target: number;
  /** The background's variance over the target's, in the direction where that is largest. */
  background: number;
  /** How many leading directions of both sets together were looked at. */
  directions: number;
}

const mostDirections = 10;
/** With fewer items for a direction, chance alone makes ratios of several. */
const itemsForDirection = 20;
/** The largest ratio that is told apart: a set that does not vary at all in a direction would give infinity. */
const mostRatio = 1000;

/**
 * Both sets about their own means, in the leading directions of both together, scaled so that the mean of their covariances is
 * the identity. An eigenvalue λ of the target's covariance is then a ratio of λ : 2 − λ.
 */
export function richness(target: Points, background: Points): Richness {
  const { d } = target;
  const n = Math.min(target.n, background.n);
  const directions = Math.max(1, Math.min(mostDirections, d, Math.floor(n / itemsForDirection)));
  if (n < 3) return { target: 1, background: 1, directions: 0 };
  const both = new Float64Array(2 * n * d);
  both.set(centred(target, n));
  both.set(centred(background, n), n * d);
  const pooled = pca({ x: both, n: 2 * n, d, components: Math.min(directions, 2 * n - 1) });
  const scores = project(pooled, both, 2 * n);
  const k = pooled.components;
  const deviations = pooled.variances.map((variance) => Math.sqrt(Math.max(variance, 1e-12)));
  const whitened = scores.subarray(0, n * k).map((score, e) => score / deviations[e % k]);
  const { variances } = pca({ x: whitened, n, d: k, components: Math.min(k, n - 1) });
  // Over 2n − 1 and over n − 1 items: brought to the same divisor.
  const scale = (2 * n - 1) / (2 * n - 2);
  const ratio = (most: number) => Math.min(mostRatio, Math.max(0, most) / Math.max(1e-9, 2 - most));
  const eigenvalues = Array.from(variances, (variance) => variance / scale);
  return {
    target: ratio(Math.max(...eigenvalues)),
    background: ratio(2 - Math.min(...eigenvalues)),
    directions: k,
  };
}

/** The first n points about their mean; the items of both sets must count the same. */
function centred({ x, n, d }: Points, count: number): Float64Array {
  const kept = Float64Array.from({ length: count * d }, (_, e) => {
    const item = Math.floor((Math.floor(e / d) * n) / count);
    return x[item * d + (e % d)];
  });
  const means = columnMeans(kept, count, d);
  return kept.map((value, e) => value - means[e % d]);
}
