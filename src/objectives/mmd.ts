/**
 * The maximum mean discrepancy (Gretton et al. 2012): how far apart two sets of samples are, as the distance of their means in
 * the space of a kernel. Its square is E k(a, a′) + E k(b, b′) − 2 E k(a, b), and 0 in the limit only for samples of one law.
 */
import { type Tensor, wholeBatch } from '../tensor/index.ts';
import { squaredDistances } from './wasserstein.ts';

/**
 * The squared discrepancy of two batches of codes, with every pair counted, each row's with itself too. The kernel is
 * exp(−‖a − b‖² / d²) in d dimensions, as in the code of InfoVAE's authors.
 *
 * @example maximumMeanDiscrepancy(z, b.noise('sample of the prior', [latents], 'normal'))
 */
export function maximumMeanDiscrepancy(a: Tensor, b: Tensor): Tensor {
  const [ofA, ofB] = [wholeBatch(a), wholeBatch(b)];
  const size = Number(a.shape[1]);
  const mean = (one: Tensor, other: Tensor) =>
    squaredDistances(one, other)
      .times(-1 / size ** 2)
      .exp()
      .mean();
  return mean(ofA, ofA).plus(mean(ofB, ofB)).minus(mean(ofA, ofB).times(2));
}
