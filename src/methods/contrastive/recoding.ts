/**
 * Recoding: what is decoded from the z of a background item and the s of a target item must give both codes back. The
 * background's z knows nothing of what the target adds, and its item has no part in the target's s, so that the encoder learns
 * from pairs in which the codes are independent: to read z past what s has drawn, and s whatever z is. It is the sleep phase of
 * wake-sleep (Hinton et al. 1995) on mixed items; the decoder gets no gradient from it, or it could hide s to ease z.
 */
import { intoRange, surprise } from '../../objectives/index.ts';
import { ownRows, type Tensor, wholeBatch } from '../../tensor/index.ts';
import type { ContrastiveParts } from './contrastive-parts.ts';
import { cycled } from './cycled.ts';

/** −E ln q(z_b | x̃) q(s_t | x̃) of items x̃ that are decoded from a background's z_b and a target's s_t. */
export function recoding({ b, context, target, background, encode, decode }: ContrastiveParts): Tensor {
  const s = target.s.stopGradient();
  const z = rowsAs(s, background.z).stopGradient();
  const mixed = intoRange(decode(b, z, s), context.range).stopGradient();
  const codes = encode(b, mixed);
  return surprise(z, codes.z).plus(surprise(s, codes.s));
}

/** A code for each row of `like`, where the other set's batch may be of another size. */
function rowsAs(like: Tensor, codes: Tensor): Tensor {
  if (like.shape[0] === codes.shape[0]) return codes;
  return ownRows(cycled(wholeBatch(codes), Number(wholeBatch(like).shape[0])), like);
}
