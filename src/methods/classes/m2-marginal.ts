/**
 * M2's own inference, q(y, z|x) = q(y|x) q(z|x, y): an item without a label is decoded with every class (Kingma et al. 2014,
 * Eq. 7), with one draw of noise for all of them. Of several variables every combination of their classes is taken.
 */
import { UntangleError } from '../../errors.ts';
import type { Block } from '../../model/index.ts';
import type { Build } from '../../nn/index.ts';
import { klToStandardNormal, klToUniform, mostProbable, sample } from '../../objectives/index.ts';
import { concat, constant, expand, logSoftmax, type Tensor } from '../../tensor/index.ts';
import { items, labelledItems } from '../inputs.ts';
import { classTerms, surpriseOfClasses, total } from './class-blocks.ts';
import { costsOf, joinedInputs, type M2Inference, type M2Model, posteriorOfZ } from './m2-model.ts';

export function marginalInference(model: M2Model): M2Inference {
  const { context, settings, y } = model;
  const all = combinations(y);
  const zGiven = (b: Build, h: Tensor, code: Tensor) => posteriorOfZ(b, joinedInputs(b, h, code), model);
  return {
    encode(b, x) {
      const h = model.features(b, x);
      const logits = model.logits(b, h);
      return { logits, z: zGiven(b, h, concat(logits.map(mostProbable), 1)) };
    },
    unlabelled(b) {
      const x = items(b, context);
      const h = model.features(b, x);
      const logits = model.logits(b, h);
      const noise = b.noise('noise of z', [settings.latents], 'normal');
      const logQ = concat(
        logits.map((one) => logSoftmax(one)),
        1,
      );
      const codes = all.map((one) => expand(constant(one, [1, one.length]), logQ));
      const posteriors = codes.map((code) => zGiven(b, h, code));
      const costs = costsOf(
        b,
        model,
        x,
        codes.map((code, i) => ({ z: sample(posteriors[i], noise), y: code })),
      );
      const weights = codes.map((code) => logQ.times(code).sum(1).exp());
      const expected = (values: readonly Tensor[]) => total(values.map((one, i) => one.times(weights[i]))).mean();
      return {
        reconstruction: expected(costs),
        'kl z': expected(posteriors.map((one) => klToStandardNormal(one).sum(1))),
        'kl y': total(logits.map((one) => klToUniform(one).mean())),
      };
    },
    labelled(b) {
      const { x, y: known } = labelledItems(b, context);
      const h = model.features(b, x);
      const code = concat(known, 1);
      const q = zGiven(b, h, code);
      const z = sample(q, b.noise('labelled noise of z', [settings.latents], 'normal'));
      const reconstruction = costsOf(b, model, x, [{ z, y: code }])[0].mean();
      const kl = klToStandardNormal(q).sum(1).mean();
      const { classification, accuracy } = classTerms(model.logits(b, h), known);
      return {
        bound: reconstruction.plus(kl).plus(surpriseOfClasses(y)),
        terms: {
          'labelled reconstruction': reconstruction,
          'labelled kl z': kl,
          classification,
          'labelled accuracy': accuracy,
        },
      };
    },
  };
}

/** Each choice of one class in every variable, as one-hot rows side by side. */
function combinations(y: readonly Block[]): number[][] {
  const count = y.reduce((product, { size }) => product * size, 1);
  if (count > mostCombinations) {
    throw new UntangleError(
      `M2 decodes an item with every combination of its classes; ${y.map(({ size }) => size).join(' × ')} are ${count}, over ${mostCombinations}.`,
      { kind: 'call', hint: 'Take objective=importance, which samples them, or ccvae.' },
    );
  }
  return y.reduce<number[][]>(
    (all, { size }) => all.flatMap((one) => Array.from({ length: size }, (_, k) => [...one, ...oneHotOf(k, size)])),
    [[]],
  );
}

const oneHotOf = (k: number, size: number) => Array.from({ length: size }, (_, i) => (i === k ? 1 : 0));

/** Every step decodes each item so many times. */
const mostCombinations = 64;
