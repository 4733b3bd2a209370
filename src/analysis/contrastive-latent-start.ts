/**
 * Where EM of the contrastive latent variable model begins: the shared directions are the background's principal ones, the salient
 * ones those of what is left of the target's covariance. Missing numbers count as the column's mean here, and nowhere else.
 */
import { leadingEigenvectors } from './eigenvectors.ts';
import type { Points } from './points.ts';
import { covarianceMatrix } from './statistics.ts';

/** What EM finds: directions as rows of d numbers, the sets' means, and the variance σ² of the noise. */
export interface Loadings {
  sharedLoadings: Float64Array;
  salientLoadings: Float64Array;
  targetMean: Float64Array;
  backgroundMean: Float64Array;
  noise: number;
}

export function startingPoint(
  { target, background }: Readonly<Record<'target' | 'background', Points>>,
  shared: number,
  salient: number,
): Loadings {
  const { d } = target;
  const targetMean = meansOf(target);
  const backgroundMean = meansOf(background);
  const ofBackground = filledCovariance(background, backgroundMean);
  const ofTarget = filledCovariance(target, targetMean);
  const all = leadingEigenvectors(ofBackground, d, d);
  const rest = all.values.subarray(shared);
  const least = all.values[0] * 1e-3 + Number.EPSILON;
  const noise = Math.max(least, rest.reduce((sum, value) => sum + value, 0) / rest.length);
  const sharedLoadings = scaled(all.vectors.subarray(0, shared * d), all.values, noise, d);
  const left = ofTarget.map((value, e) => {
    const [i, j] = [Math.floor(e / d), e % d];
    let explained = 0;
    for (let c = 0; c < shared; c++) explained += sharedLoadings[c * d + i] * sharedLoadings[c * d + j];
    return value - explained;
  });
  const found = leadingEigenvectors(left, d, salient);
  return {
    sharedLoadings,
    salientLoadings: scaled(found.vectors, found.values, noise, d),
    targetMean,
    backgroundMean,
    noise,
  };
}

/** Rows turned to be upright on each other, the longest first, each with its largest number positive. Their products stay. */
export function principal(rows: Float64Array, d: number): Float64Array {
  const count = rows.length / d;
  if (count === 0) return rows;
  const inner = new Float64Array(count * count);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < count; b++)
      for (let j = 0; j < d; j++) inner[a * count + b] += rows[a * d + j] * rows[b * d + j];
  const { vectors } = leadingEigenvectors(inner, count, count);
  const turned = new Float64Array(count * d);
  for (let c = 0; c < count; c++) {
    const row = turned.subarray(c * d, (c + 1) * d);
    for (let a = 0; a < count; a++) for (let j = 0; j < d; j++) row[j] += vectors[c * count + a] * rows[a * d + j];
    const largest = row.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    if (largest < 0) for (let j = 0; j < d; j++) row[j] = -row[j];
  }
  return turned;
}

/** Eigenvectors by the deviation that the noise leaves of their eigenvalue, a tenth of the noise at least. */
function scaled(vectors: Float64Array, values: Float64Array, noise: number, d: number): Float64Array {
  return vectors.map((value, e) => value * Math.sqrt(Math.max(0.1 * noise, values[Math.floor(e / d)] - noise)));
}

function meansOf({ x, d }: Points): Float64Array {
  const sums = new Float64Array(d);
  const counts = new Float64Array(d);
  for (let e = 0; e < x.length; e++)
    if (!Number.isNaN(x[e])) {
      sums[e % d] += x[e];
      counts[e % d]++;
    }
  return sums.map((sum, j) => sum / counts[j]);
}

function filledCovariance({ x, n, d }: Points, mean: Float64Array): Float64Array {
  const centred = Float64Array.from(x, (value, e) => (Number.isNaN(value) ? 0 : value - mean[e % d]));
  return covarianceMatrix(centred, n, d);
}
