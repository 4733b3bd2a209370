/** Terms of ours that no paper has and every method of the family can take: what closes the way of the target's own into z. */
import { UntangleError } from '../../errors.ts';
import { cycled, distanceCorrelation, surprise } from '../../objectives/index.ts';
import { concat, ownRows, type Tensor, wholeBatch } from '../../tensor/index.ts';
import { ownTerm } from '../family.ts';
import type { ContrastiveParts, Posteriors } from './family.ts';

export const ourTerms = {
  recoding: ownTerm(
    'weight of finding the z of a background item and the s of a target item again in what is decoded from both',
    recoding,
  ),
  independence: ownTerm(
    'weight of the distance correlation between a target item’s z and its s, so that each says nothing of the other',
    independence,
  ),
  apartFromGiven: ownTerm(
    'weight of the distance correlation between the codes of an item and the covariates that are given',
    apartFromGiven,
  ),
};

/**
 * Recoding: what is decoded from the z of a background item and the s of a target item must give both codes back. It is
 * −E ln q(z_b | x̃) q(s_t | x̃) of items x̃ that are decoded from a background's z_b and a target's s_t. The background's z knows
 * nothing of what the target adds, and its item has no part in the target's s, so that the encoder learns from pairs in which the
 * codes are independent: to read z past what s has drawn, and s whatever z is. It is the sleep phase of wake-sleep (Hinton et
 * al. 1995) on mixed items; the decoder gets no gradient from it, or it could hide s to ease z.
 */
function recoding({ target, background, encode, generate }: ContrastiveParts): Tensor {
  const s = target.s.stopGradient();
  const z = rowsAs(s, background.z).stopGradient();
  const mixed = generate(z, s).stopGradient();
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

/**
 * Codes that say nothing of the covariates: the distance correlation of both codes with what is given, in the target and in the
 * background, so that a covariate that goes with the set does not take their difference along. Up to its scale it is the MMD
 * between codes with their own covariates and codes with those of others, for the kernel that goes with distances (Sejdinovic et
 * al. 2013).
 */
function apartFromGiven({ target, background }: ContrastiveParts): Tensor {
  if (target.given === undefined || background.given === undefined)
    throw new UntangleError('Nothing is given that codes could be kept apart from.', {
      kind: 'call',
      hint: 'Name columns with --given, or leave apartFromGiven at 0.',
    });
  const codes = ({ z, s }: Posteriors) => concat([z.mean, s.mean], 1);
  return distanceCorrelation(codes(target.posteriors), target.given).plus(
    distanceCorrelation(codes(background.posteriors), background.given),
  );
}

/** A code for each row of `like`, where the other set's batch may be of another size. */
function rowsAs(like: Tensor, codes: Tensor): Tensor {
  if (like.shape[0] === codes.shape[0]) return codes;
  return ownRows(cycled(wholeBatch(codes), Number(wholeBatch(like).shape[0])), like);
}
