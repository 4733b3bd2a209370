/** Terms of ours that no paper has and every method of the family can take: what closes the way of the target's own into z. */
import { cycled, distanceCorrelation, intoRange, surprise } from '../../objectives/index.ts';
import { ownRows, type Tensor, wholeBatch } from '../../tensor/index.ts';
import { ownTerm } from '../family.ts';
import type { ContrastiveParts } from './family.ts';

export const ourTerms = {
  recoding: ownTerm(
    'weight of finding the z of a background item and the s of a target item again in what is decoded from both',
    recoding,
  ),
  independence: ownTerm(
    'weight of the distance correlation between a target item’s z and its s, so that each says nothing of the other',
    independence,
  ),
};

/**
 * Recoding: what is decoded from the z of a background item and the s of a target item must give both codes back. It is
 * −E ln q(z_b | x̃) q(s_t | x̃) of items x̃ that are decoded from a background's z_b and a target's s_t. The background's z knows
 * nothing of what the target adds, and its item has no part in the target's s, so that the encoder learns from pairs in which the
 * codes are independent: to read z past what s has drawn, and s whatever z is. It is the sleep phase of wake-sleep (Hinton et
 * al. 1995) on mixed items; the decoder gets no gradient from it, or it could hide s to ease z.
 */
function recoding({ context, target, background, encode, decode }: ContrastiveParts): Tensor {
  const s = target.s.stopGradient();
  const z = rowsAs(s, background.z).stopGradient();
  const mixed = intoRange(decode(z, s), context.range).stopGradient();
  const codes = encode(mixed);
  return surprise(z, codes.z).plus(surprise(s, codes.s));
}

/**
 * Independence of the target's codes: the distance correlation of z and s, so that what s tells of an item is not worth a place
 * in z, nor the other way round. It takes the place of cVAE's total correlation without a discriminator, and is measured on the
 * posteriors' means, since the noise of a sample hides what a mean gives away.
 */
function independence({ target: { posteriors } }: ContrastiveParts): Tensor {
  return distanceCorrelation(posteriors.z.mean, posteriors.s.mean);
}

/** A code for each row of `like`, where the other set's batch may be of another size. */
function rowsAs(like: Tensor, codes: Tensor): Tensor {
  if (like.shape[0] === codes.shape[0]) return codes;
  return ownRows(cycled(wholeBatch(codes), Number(wholeBatch(like).shape[0])), like);
}
