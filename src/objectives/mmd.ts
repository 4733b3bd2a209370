/**
 * The maximum mean discrepancy (Gretton et al. 2012): how far apart two sets of samples are, as the distance of their means in
 * the space of a kernel. Its square is E k(a, a′) + E k(b, b′) − 2 E k(a, b), and 0 in the limit only for samples of one law.
 */
import { constant, relu, type Tensor, wholeBatch } from '../tensor/index.ts';
import { squaredDistances } from './wasserstein.ts';

/** Σ exp(−γ ‖a − b‖²) over γ from 10⁻⁶ to 10⁶, which sees differences of every size: the kernel of MM-cVAE's authors. */
export const manyWidths: readonly number[] = Array.from({ length: 13 }, (_, i) => 10 ** (i - 6));

/**
 * The squared discrepancy of two batches of codes, with every pair counted, each row's with itself too. The kernel is
 * Σ exp(−γ ‖a − b‖²), by default with the one γ = 1/d² in d dimensions, as in the code of InfoVAE's authors.
 *
 * @example maximumMeanDiscrepancy(z, b.noise('sample of the prior', [latents], 'normal'))
 */
export function maximumMeanDiscrepancy(a: Tensor, b: Tensor, gammas?: readonly number[]): Tensor {
  const [ofA, ofB] = [wholeBatch(a), wholeBatch(b)];
  const widths = gammas ?? [1 / Number(a.shape[1]) ** 2];
  return within(ofA, widths)
    .plus(within(ofB, widths))
    .minus(kernel(ofA, ofB, widths).mean().times(2));
}

/** E k(a, a′). A row’s pair with itself has no gradient, and rounding must not give it one where a kernel is narrow. */
function within(rows: Tensor, gammas: readonly number[]): Tensor {
  const n = Number(rows.shape[0]);
  const apart = constant(
    Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 0 : 1)),
    [n, n],
  );
  return kernel(rows, rows, gammas)
    .times(apart)
    .mean()
    .plus(gammas.length / n);
}

function kernel(one: Tensor, other: Tensor, gammas: readonly number[]): Tensor {
  const distances = relu(squaredDistances(one, other));
  return gammas.map((gamma) => distances.times(-gamma).exp()).reduce((sum, each) => sum.plus(each));
}
