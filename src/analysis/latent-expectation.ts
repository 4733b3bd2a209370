/**
 * The E-step of a linear latent variable model x = A u + μ + noise with u ~ N(0, I) and noise of variance σ²: for each item the
 * posterior of u given the numbers that are there, and the likelihood of these. A Student-t item has a weight, Gamma(ν/2, ν/2), that
 * divides all its variances; its expectation takes the place of 1.
 */
import { factorise, substitute } from './cholesky.ts';
import { lnGamma } from './log-gamma.ts';
import type { Points } from './points.ts';

/** The columns of A as rows of d numbers, μ and σ². */
interface LinearModel {
  rows: Float64Array;
  mean: Float64Array;
  noise: number;
}

export interface Expectations {
  /** Numbers of a code. */
  q: number;
  /** E u of each item, row by row, and its expected weight. */
  means: Float64Array;
  weights: Float64Array;
  logLikelihoods: Float64Array;
  /** Which numbers an item has, as a place in `patterns`. */
  pattern: Uint32Array;
  patterns: Pattern[];
}

/** Items that have the same numbers share their posterior's covariance M⁻¹, M = I + A_Oᵀ A_O / σ². */
interface Pattern {
  observed: Uint32Array;
  covariance: Float64Array;
}

export function expectations({ x, n, d }: Points, { rows, mean, noise }: LinearModel, freedom: number): Expectations {
  const q = rows.length / d;
  const known = new Map<string, number>();
  const patterns: (Pattern & { factor: Float64Array; logDeterminant: number })[] = [];
  const pattern = new Uint32Array(n);
  const means = new Float64Array(n * q);
  const weights = new Float64Array(n);
  const logLikelihoods = new Float64Array(n);
  const b = new Float64Array(q);
  for (let i = 0; i < n; i++) {
    const key = keyOf(x, i, d);
    const place = known.get(key) ?? patterns.length;
    if (place === patterns.length) {
      known.set(key, place);
      patterns.push(posteriorOf(x, i, d, rows, q, noise));
    }
    pattern[i] = place;
    const { observed, factor, logDeterminant } = patterns[place];
    b.fill(0);
    let squares = 0;
    for (const j of observed) {
      const r = x[i * d + j] - mean[j];
      squares += r * r;
      for (let c = 0; c < q; c++) b[c] += (rows[c * d + j] * r) / noise;
    }
    const m = means.subarray(i * q, (i + 1) * q);
    m.set(b);
    substitute(factor, q, m);
    // rᵀ (A Aᵀ + σ²)⁻¹ r, by the inverse of a sum.
    let distance = squares / noise;
    for (let c = 0; c < q; c++) distance -= b[c] * m[c];
    const count = observed.length;
    const isNormal = freedom === Number.POSITIVE_INFINITY;
    weights[i] = isNormal ? 1 : (freedom + count) / (freedom + distance);
    logLikelihoods[i] = isNormal
      ? -0.5 * (count * Math.log(2 * Math.PI) + logDeterminant + distance)
      : lnGamma((freedom + count) / 2) -
        lnGamma(freedom / 2) -
        0.5 * (count * Math.log(freedom * Math.PI) + logDeterminant) -
        0.5 * (freedom + count) * Math.log1p(distance / freedom);
  }
  return { q, means, weights, logLikelihoods, pattern, patterns };
}

/** The posterior of items that have the numbers of item i. */
function posteriorOf(x: ArrayLike<number>, i: number, d: number, rows: Float64Array, q: number, noise: number) {
  const observed = Uint32Array.from({ length: d }, (_, j) => j).filter((j) => !Number.isNaN(x[i * d + j]));
  const factor = new Float64Array(q * q);
  for (let a = 0; a < q; a++)
    for (let c = 0; c <= a; c++) {
      let sum = a === c ? 1 : 0;
      for (const j of observed) sum += (rows[a * d + j] * rows[c * d + j]) / noise;
      factor[a * q + c] = sum;
      factor[c * q + a] = sum;
    }
  factorise(factor, q);
  const covariance = new Float64Array(q * q);
  let logDeterminant = observed.length * Math.log(noise);
  for (let c = 0; c < q; c++) {
    logDeterminant += 2 * Math.log(factor[c * q + c]);
    covariance[c * q + c] = 1;
    substitute(factor, q, covariance, 0, c * q);
  }
  return { observed, covariance, factor, logDeterminant };
}

/** Which numbers an item lacks; most items lack none. */
function keyOf(x: ArrayLike<number>, i: number, d: number): string {
  let key = '';
  for (let j = 0; j < d; j++) if (Number.isNaN(x[i * d + j])) key += `${j} `;
  return key;
}
