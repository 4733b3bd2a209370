/**
 * Siddharth et al. 2017 (Eq. 4 to 6): q(y, z|x) = q(z|x) q(y|x, z). A known y is then no longer drawn but weighed: with S samples
 * z_s of q(z|x), w_s = q(y|x, z_s) and Z = Σ w_s / S, its bound is Σ_s w_s/(S Z) ln p(x, y, z_s)/q(y, z_s|x) + (1 + α) ln Z, in which
 * ln Z stands for ln q(y|x). An unknown y is drawn from the relaxed q(y|x, z), whatever the number of classes.
 */
import type { Build } from '../../nn/index.ts';
import {
  gumbelSoftmax,
  klToStandardNormal,
  klToUniform,
  logNormal,
  logStandardNormal,
  sample,
} from '../../objectives/index.ts';
import { concat, logSoftmax, logSumExp, type Tensor } from '../../tensor/index.ts';
import { items, labelledItems } from '../inputs.ts';
import { classTerms, surpriseOfClasses, total } from './class-blocks.ts';
import { costsOf, joinedInputs, type M2Inference, type M2Model, posteriorOfZ } from './m2-model.ts';

export function importanceInference(model: M2Model): M2Inference {
  const { context, settings, y } = model;
  const { latents, samples, temperature } = settings;
  const logitsGiven = (b: Build, h: Tensor, z: Tensor) => model.logits(b, joinedInputs(b, h, z));
  return {
    encode(b, x) {
      const h = model.features(b, x);
      const z = posteriorOfZ(b, h, model);
      return { logits: logitsGiven(b, h, z.mean), z };
    },
    unlabelled(b) {
      const x = items(b, context);
      const h = model.features(b, x);
      const q = posteriorOfZ(b, h, model);
      const z = sample(q, b.noise('noise of z', [latents], 'normal'));
      const logits = logitsGiven(b, h, z);
      const drawn = logits.map((one, k) =>
        gumbelSoftmax(one, b.noise(`noise of ${y[k].name}`, [y[k].size], 'gumbel'), temperature),
      );
      return {
        reconstruction: costsOf(b, model, x, [{ z, y: concat(drawn, 1) }])[0].mean(),
        'kl z': klToStandardNormal(q).sum(1).mean(),
        'kl y': total(logits.map((one) => klToUniform(one).mean())),
      };
    },
    labelled(b) {
      const { x, y: known } = labelledItems(b, context);
      const h = model.features(b, x);
      const q = posteriorOfZ(b, h, model);
      const code = concat(known, 1);
      const noise = b.noise('labelled noise of z', [samples * latents], 'normal');
      const z = Array.from({ length: samples }, (_, s) => sample(q, noise.slice(1, s * latents, (s + 1) * latents)));
      const logits = z.map((one) => logitsGiven(b, h, one));
      // ln q(y|x, z_s), a column for each sample.
      const logQ = columns(logits.map((each) => total(each.map((one, k) => logSoftmax(one).times(known[k]).sum(1)))));
      const logZ = logSumExp(logQ, 1).minus(Math.log(samples));
      const weights = logQ
        .minus(logZ.reshape([logZ.shape[0], 1]))
        .exp()
        .times(1 / samples);
      const weighed = (each: Tensor) => each.times(weights).sum(1).mean();
      const costs = costsOf(
        b,
        model,
        x,
        z.map((one) => ({ z: one, y: code })),
      );
      const reconstruction = weighed(columns(costs));
      const kl = weighed(columns(z.map((one) => logNormal(one, q).minus(logStandardNormal(one)).sum(1))));
      const klOfY = weighed(logQ).plus(surpriseOfClasses(y));
      const classification = logZ.mean().negate();
      return {
        bound: reconstruction.plus(kl).plus(klOfY).plus(classification),
        terms: {
          'labelled reconstruction': reconstruction,
          'labelled kl z': kl,
          'labelled kl y': klOfY,
          classification,
          'labelled accuracy': classTerms(logits[0], known).accuracy,
        },
      };
    },
  };
}

/** Numbers of items side by side. */
function columns(numbers: readonly Tensor[]): Tensor {
  return concat(
    numbers.map((one) => one.reshape([one.shape[0], 1])),
    1,
  );
}
