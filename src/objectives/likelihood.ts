/** −ln p(x|z) of a decoder's output, summed over pixels (or columns) and averaged over the batch. */
import { binaryCrossEntropy, type Tensor } from '../tensor/index.ts';

export type Likelihood = 'bernoulli' | 'gaussian' | 'laplace';

/**
 * The reconstruction term. `output` holds logits for a Bernoulli likelihood and means for the others; additive constants
 * are left out. Gaussian: ‖x − x̂‖² / 2σ². Laplace: ‖x − x̂‖₁ / scale.
 */
export function reconstruction(output: Tensor, x: Tensor, likelihood: Likelihood, scale = 1): Tensor {
  const perValue = {
    bernoulli: () => binaryCrossEntropy(output, x),
    gaussian: () =>
      x
        .minus(output)
        .square()
        .times(1 / (2 * scale * scale)),
    laplace: () =>
      x
        .minus(output)
        .abs()
        .times(1 / scale),
  }[likelihood]();
  const axes = Array.from({ length: x.rank - 1 }, (_, i) => i + 1);
  return perValue.sum(axes).mean();
}
