/**
 * Points as coordinates in the space of a kernel (Abid et al. 2018, supplement: kernel contrastive PCA): F with F Fᵀ = K, the Gram
 * matrix of both sets, from its eigenvectors. Distances and inner products are the kernel's, so that any linear method on F is its
 * kernel form.
 */

import { UntangleError } from '../errors.ts';
import { leadingEigenvectors } from './eigenvectors.ts';
import { checkPoints, type Points } from './points.ts';
import { percentile } from './statistics.ts';

export type ContrastKernel = 'rbf' | 'polynomial';

/** The Gram matrix of more points takes minutes. */
const mostPoints = 1000;

/**
 * The two sets as points of at most `within` coordinates. `rbf` is exp(−‖a − b‖²/m) with m the median squared distance of two points,
 * `polynomial` is (a·b/d + 1)³.
 *
 * @example contrastivePca({ ...kernelFeatures({ target, background }, 'rbf'), alpha: 2 })
 */
export function kernelFeatures(
  { target, background, within = 100 }: { target: Points; background: Points; within?: number },
  kernel: ContrastKernel,
): { target: Points; background: Points } {
  const { d } = target;
  const n = target.n + background.n;
  if (background.d !== d)
    throw new UntangleError(`The target has ${d} columns, the background ${background.d}.`, { kind: 'call' });
  if (n > mostPoints)
    throw new UntangleError(`A kernel compares each two points; ${n} are more than ${mostPoints}.`, {
      kind: 'call',
      hint: 'Give a part of them.',
    });
  const x = Float64Array.from([...checkPoints(target, 2), ...checkPoints(background, 2)]);
  const gram = gramOf(x, n, d, kernel);
  const { vectors, values } = leadingEigenvectors(gram, n, Math.min(n, within));
  const size = values.filter((value) => value > 1e-10 * values[0]).length;
  const features = (from: number, count: number): Points => ({
    x: Float64Array.from({ length: count * size }, (_, e) => {
      const [i, c] = [from + Math.floor(e / size), e % size];
      return vectors[c * n + i] * Math.sqrt(values[c]);
    }),
    n: count,
    d: size,
  });
  return { target: features(0, target.n), background: features(target.n, background.n) };
}

function gramOf(x: Float64Array, n: number, d: number, kernel: ContrastKernel): Float64Array {
  const inner = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < d; k++) sum += x[i * d + k] * x[j * d + k];
      inner[i * n + j] = sum;
      inner[j * n + i] = sum;
    }
  if (kernel === 'polynomial') return inner.map((value) => (value / d + 1) ** 3);
  const squared = inner.map((value, e) => {
    const [i, j] = [Math.floor(e / n), e % n];
    return Math.max(0, inner[i * (n + 1)] + inner[j * (n + 1)] - 2 * value);
  });
  const middle = percentile(
    squared.filter((_, e) => e % n < Math.floor(e / n)),
    50,
  );
  return squared.map((value) => Math.exp(-value / (middle || 1)));
}
