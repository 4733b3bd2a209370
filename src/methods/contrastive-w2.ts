/**
 * The contrastive loss with W2 (contrastive paper, Eq. 8): Eq. 7 + λ_z W2²(q̂_t(z), q̂_b(z)), the squared Wasserstein distance
 * between the codes z of the target's and the background's batch, so that neither set can be told by its z.
 */
import { choice, entropicTransportCost, integer, number, salience, transportCost } from '../objectives/index.ts';
import { partners, type Tensor } from '../tensor/index.ts';
import { lambdaS } from './contrastive-correct.ts';
import { beta, bound, contrastiveMethod, contrastivePresets } from './contrastive-parts.ts';

/** What finds the row of the background's batch that each row of the target's goes to at the least cost, as int64. */
export type Partners = (target: Tensor, background: Tensor) => Tensor;

/** The method with a way of its own to find partners. */
export function contrastiveW2With(find: Partners) {
  return contrastiveMethod({
    name: 'contrastive-w2',
    title: 'Contrastive VAE with W2',
    summary: 'Draws the background’s salient code to zero, and the shared codes of both sets together.',
    paper: { cite: 'Towards Principled Objectives for Contrastive Disentanglement', equations: 'Eq. 8 and 9' },
    options: {
      beta,
      lambdaS,
      lambdaZ: number('weight λ_z of W2² between the sets’ shared codes', { default: 1, min: 0 }),
      solver: choice('the best assignment of codes, or a smooth plan by Sinkhorn’s iterations', ['exact', 'sinkhorn'], {
        default: 'exact',
      }),
      epsilon: number('weight of the entropy in Sinkhorn’s plan', { default: 0.5, min: 1e-3, schedulable: false }),
      iterations: integer('Sinkhorn’s iterations', { default: 20, min: 1, max: 1000 }),
    },
    presets: contrastivePresets,
    objective({ terms, target, background }, settings) {
      const salient = salience(background.posteriors.s);
      const w2 =
        settings.solver === 'exact'
          ? transportCost(target.z, background.z, find(target.z, background.z))
          : entropicTransportCost(target.z, background.z, settings);
      return {
        minimises: bound(terms, settings.beta).plus(salient.times(settings.lambdaS)).plus(w2.times(settings.lambdaZ)),
        terms: { 'background salience': salient, w2 },
      };
    },
  });
}

export const contrastiveW2 = contrastiveW2With(partners);
