/**
 * The M-step of the contrastive latent variable model: column by column the regression of the numbers that are there on the
 * expected codes, with an intercept for each set, then the variance of what is left.
 */
import { factorise, substitute } from './cholesky.ts';
import type { Loadings } from './contrastive-latent-start.ts';
import type { Expectations } from './latent-expectation.ts';
import type { Points } from './points.ts';

type Sets = Readonly<Record<'target' | 'background', Points>>;
type Expected = Readonly<Record<'target' | 'background', Expectations>>;

/** The loadings that the expected likelihood is largest at; `precisions` are those of the salient directions, where they have some. */
export function maximise(sets: Sets, from: Loadings, expected: Expected, precisions?: Float64Array): Loadings {
  const { d } = sets.target;
  const [shared, salient] = [from.sharedLoadings.length / d, from.salientLoadings.length / d];
  // Unknowns of a column: its loadings, z before t, and the intercepts of target and background.
  const q = shared + salient;
  const p = q + 2;
  const sums = (['target', 'background'] as const).map((name) =>
    moments(sets[name], expected[name], p, name === 'target' ? q : q + 1),
  );
  const to = {
    sharedLoadings: new Float64Array(shared * d),
    salientLoadings: new Float64Array(salient * d),
    targetMean: new Float64Array(d),
    backgroundMean: new Float64Array(d),
  };
  let left = 0;
  let count = 0;
  for (let j = 0; j < d; j++) {
    const normal = new Float64Array(p * p);
    const right = new Float64Array(p);
    for (const { matrixOf, products } of sums) {
      const matrix = matrixOf(j);
      for (let e = 0; e < p * p; e++) normal[e] += matrix[e];
      for (let a = 0; a < p; a++) right[a] += products[j * p + a];
    }
    const plain = normal.slice();
    if (precisions) for (let c = 0; c < salient; c++) normal[(shared + c) * (p + 1)] += from.noise * precisions[c];
    const solution = right.slice();
    factorise(normal, p);
    substitute(normal, p, solution);
    for (let c = 0; c < shared; c++) to.sharedLoadings[c * d + j] = solution[c];
    for (let c = 0; c < salient; c++) to.salientLoadings[c * d + j] = solution[shared + c];
    to.targetMean[j] = solution[q];
    to.backgroundMean[j] = solution[q + 1];
    // E Σ w (x − v·ũ)² over the items that have the number.
    for (const { squares, counts } of sums) {
      left += squares[j];
      count += counts[j];
    }
    for (let a = 0; a < p; a++) {
      left -= 2 * solution[a] * right[a];
      for (let b = 0; b < p; b++) left += solution[a] * plain[a * p + b] * solution[b];
    }
  }
  // Where the directions explain everything, rounding is left.
  return { ...to, noise: Math.max(left / count, 1e-12 * from.noise) };
}

/** Sums over the items of a set: of w E[ũ ũᵀ], for each column over those that have it, and of w x E ũ, w x² and 1. */
function moments(
  { x, n, d }: Points,
  { q, means, weights, pattern, patterns }: Expectations,
  p: number,
  intercept: number,
) {
  const isWhole = patterns.length === 1 && patterns[0].observed.length === d;
  const matrices = new Float64Array((isWhole ? 1 : d) * p * p);
  const products = new Float64Array(d * p);
  const squares = new Float64Array(d);
  const counts = new Float64Array(d);
  const code = new Float64Array(p);
  const own = new Float64Array(p * p);
  for (let i = 0; i < n; i++) {
    const { observed, covariance } = patterns[pattern[i]];
    const w = weights[i];
    code.fill(0);
    code.set(means.subarray(i * q, (i + 1) * q));
    code[intercept] = 1;
    for (let a = 0; a < p; a++)
      for (let b = 0; b < p; b++) own[a * p + b] = w * code[a] * code[b] + (a < q && b < q ? covariance[a * q + b] : 0);
    if (isWhole) for (let e = 0; e < p * p; e++) matrices[e] += own[e];
    for (const j of observed) {
      const value = x[i * d + j];
      if (!isWhole) for (let e = 0; e < p * p; e++) matrices[j * p * p + e] += own[e];
      for (let a = 0; a < p; a++) products[j * p + a] += w * value * code[a];
      squares[j] += w * value * value;
      counts[j]++;
    }
  }
  return {
    matrixOf: (j: number) => (isWhole ? matrices : matrices.subarray(j * p * p, (j + 1) * p * p)),
    products,
    squares,
    counts,
  };
}
