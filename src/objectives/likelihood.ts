/** −ln p(x|z) of a decoder's output for each item, summed over pixels (or columns). */

import type { ValueRange } from '../model/index.ts';
import { binaryCrossEntropy, sigmoid, type Tensor, tanh } from '../tensor/index.ts';

export type Likelihood = 'bernoulli' | 'gaussian' | 'laplace';

/** The likelihood that goes with a range, where none is asked for. */
export function likelihoodFor(range: ValueRange): Likelihood {
  return ({ binary: 'bernoulli', unit: 'bernoulli', symmetric: 'laplace', real: 'gaussian' } as const)[range];
}

/**
 * How far tanh is stretched beyond [−1, 1]. With a reach of 1 an ℓ₁ loss pushes black pixels ever further to where tanh is flat:
 * nothing of its gradient is left for the encoder, whose codes fall to the prior while all images are black.
 */
const reach = 1.1;

/** A decoder's last values brought into the data's range: the means of pixels or columns. */
export function intoRange(output: Tensor, range: ValueRange): Tensor {
  switch (range) {
    case 'binary':
    case 'unit':
      return sigmoid(output);
    case 'symmetric':
      return tanh(output).times(reach);
    case 'real':
      return output;
  }
}

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
  return perValue.sum(axes);
}
