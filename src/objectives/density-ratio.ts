/**
 * The log ratio of two densities as a classifier: logistic regression between samples of q and of p has its least loss where its
 * logit is d = ln q/p (Bickel et al. 2009). FactorVAE, cVAE and the symmetric VAEs estimate with it what they have no formula for.
 */
import { apply, type Build, dropout, dropRows, flatten, type Layer, linear } from '../nn/index.ts';
import { concat, leakyRelu, softplus, type Tensor } from '../tensor/index.ts';

/**
 * What a classifier minimises: −½ E_q ln σ(d) − ½ E_p ln(1 − σ(d)), from its logits on samples of q and on samples of p. At
 * d = 0 it is ln 2; at its least, ln 2 less the Jensen–Shannon divergence.
 *
 * @example densityRatioLoss(ratioOf(z), ratioOf(permuted))
 */
export function densityRatioLoss(onQ: Tensor, onP: Tensor): Tensor {
  return softplus(onQ.negate()).mean().plus(softplus(onP).mean()).times(0.5);
}

/** A pair of an item and its codes, with a name that tells its dropout masks from another pair's. */
export interface Pair {
  name: string;
  x: Tensor;
  codes: readonly Tensor[];
}

/** The same pair as a constant, from which a discriminator alone learns. */
export function stillPair({ name, x, codes }: Pair): Pair {
  return { name, x: x.stopGradient(), codes: codes.map((code) => code.stopGradient()) };
}

/** What is set to zero at random before a discriminator's last layers: whole inputs of theirs, or single units of them. */
export type Dropped = 'branches' | 'units';

/**
 * A logit d(x, z) for each pair, as the discriminators of sRb-VAE (appendix D): a branch for the item, one for the codes, and a
 * fully connected layer. Of its inputs each branch is zeroed as a whole with probability ¼, so that d has to tell some rows by
 * their codes alone; zeroing units leaves the item in every row. The layer is 256 wide with another one behind it: the paper's
 * figure is not in its text, and a single linear one could not tell which codes belong to which item.
 */
export function pairRatio(
  b: Build,
  itemLayers: readonly Layer[],
  { name, x, codes }: Pair,
  dropped: Dropped = 'branches',
): Tensor {
  const width = 256;
  const slope = 0.2;
  const ofItem = flatten(apply(b.at('item'), itemLayers, x));
  const ofCodes = leakyRelu(linear(b.at('codes'), concat(codes, 1), width), slope);
  const masks = b.at(name);
  const kept =
    dropped === 'units'
      ? dropout(masks, concat([ofItem, ofCodes], 1), 0.25)
      : concat([dropRows(masks.at('item'), ofItem, 0.25), dropRows(masks.at('codes'), ofCodes, 0.25)], 1);
  return linear(b.at('ratio'), leakyRelu(linear(b.at('joint'), kept, width), slope), 1);
}
