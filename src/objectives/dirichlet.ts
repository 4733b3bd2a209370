/**
 * The divergence between Dirichlet distributions (N-VAE, Eq. 3), on ln Γ and ψ by Stirling's series: the recurrences
 * ln Γ(x) = ln Γ(x + n) − Σ ln(x + k) and ψ(x) = ψ(x + n) − Σ 1/(x + k) bring any x > 0 to where the series holds.
 */
import { divide, type Tensor } from '../tensor/index.ts';

/** At x + 6 the first terms that are left out of both series are below 10⁻⁸. */
const shift = 6;

/** ln Γ(x) for x > 0. */
export function logGamma(x: Tensor): Tensor {
  const y = x.plus(shift);
  const inverse = divide(1, y);
  const square = inverse.square();
  const series = inverse.times(square.times(square.times(1 / 1260).minus(1 / 360)).plus(1 / 12));
  const stirling = y
    .minus(0.5)
    .times(y.log())
    .minus(y)
    .plus(series)
    .plus(0.5 * Math.log(2 * Math.PI));
  // Two products of three, so that large x do not overflow and few logarithms are taken.
  const low = x.times(x.plus(1)).times(x.plus(2));
  const high = x.plus(3).times(x.plus(4)).times(x.plus(5));
  return stirling.minus(low.log()).minus(high.log());
}

/** ψ(x) = d ln Γ(x) / dx for x > 0. */
export function digamma(x: Tensor): Tensor {
  const y = x.plus(shift);
  const inverse = divide(1, y);
  const square = inverse.square();
  const series = square.times(square.times(square.times(1 / 252).minus(1 / 120)).plus(1 / 12));
  let result = y.log().minus(inverse.times(0.5)).minus(series);
  for (let k = 0; k < shift; k++) result = result.minus(divide(1, x.plus(k)));
  return result;
}

/**
 * KL(Dir(a) ‖ Dir(b)) of each row: ln Γ(a₀) − ln Γ(b₀) + Σ [ln Γ(b_i) − ln Γ(a_i) + (a_i − b_i)(ψ(a_i) − ψ(a₀))], where a₀ and
 * b₀ are the sums.
 */
export function klBetweenDirichlets(a: Tensor, b: Tensor): Tensor {
  const total = (x: Tensor) => x.sum(1, { keepDimensions: true });
  const ofTotals = logGamma(total(a))
    .minus(logGamma(total(b)))
    .sum(1);
  const ofParts = logGamma(b)
    .minus(logGamma(a))
    .plus(a.minus(b).times(digamma(a).minus(digamma(total(a)))));
  return ofTotals.plus(ofParts.sum(1));
}
