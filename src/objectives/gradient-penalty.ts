/** A penalty on how steep a discriminator is where the data lies, without which it wins against a generator and nothing is learned. */
import { grad, type Tensor } from '../tensor/index.ts';

/**
 * R1 (Mescheder, Geiger and Nowozin 2018, Eq. 9) without its weight γ: ½ E ‖∇_x d(x)‖² over real items, where row i of `scores`
 * depends on row i of `x` alone.
 *
 * @example discriminator.plus(gradientPenalty(score(x), x).times(gamma))
 */
export function gradientPenalty(scores: Tensor, x: Tensor): Tensor {
  const [slope] = grad(scores.sum(), [x]);
  const axes = slope.shape.slice(1).map((_, i) => i + 1);
  return slope.square().sum(axes).mean().times(0.5);
}
