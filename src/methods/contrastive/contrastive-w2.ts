/**
 * The contrastive loss with W2 (contrastive paper, Eq. 8): Eq. 7 + λ_z W2²(q̂_t(z), q̂_b(z)), the squared Wasserstein distance
 * between the codes z of the target's and the background's batch, so that neither set can be told by its z.
 */
import { entropicTransportCost, exactTransportCost, salience } from '../../objectives/index.ts';
import { choice, integer, number } from '../../options/index.ts';
import { lambdaS } from './contrastive-correct.ts';
import { beta, bound, contrastiveMethod, contrastivePresets } from './family.ts';

export const contrastiveW2 = contrastiveMethod({
  name: 'contrastive-w2',
  title: 'Contrastive VAE with W2',
  summary: 'Draws the background’s salient code to zero, and the shared codes of both sets together.',
  paper: { cite: 'Towards Principled Objectives for Contrastive Disentanglement', equations: 'Eq. 8 and 9' },
  options: {
    beta,
    lambdaS,
    lambdaZ: number('weight λ_z of W2² between the sets’ shared codes', { default: 1, min: 0 }),
    match: choice(
      'what of z is drawn together: samples as in the paper, or posterior means, since a z that the background leaves at its prior matches in samples and still tells the target’s items apart',
      ['samples', 'means'],
      { default: 'samples' },
    ),
    solver: choice('the best assignment of codes, or a smooth plan by Sinkhorn’s iterations', ['exact', 'sinkhorn'], {
      default: 'exact',
    }),
    epsilon: number('weight of the entropy in Sinkhorn’s plan', { default: 0.5, min: 1e-3, schedulable: false }),
    iterations: integer('Sinkhorn’s iterations', { default: 20, min: 1, max: 1000 }),
  },
  ours: ['match', 'solver', 'epsilon', 'iterations'],
  presets: contrastivePresets,
  objective({ terms, target, background }, settings) {
    const salient = salience(background.posteriors.s);
    const [a, b] =
      settings.match === 'samples'
        ? [target.z, background.z]
        : [target.posteriors.z.mean, background.posteriors.z.mean];
    const w2 = settings.solver === 'exact' ? exactTransportCost(a, b) : entropicTransportCost(a, b, settings);
    return {
      minimises: bound(terms, settings.beta).plus(salient.times(settings.lambdaS)).plus(w2.times(settings.lambdaZ)),
      terms: { 'background salience': salient, w2 },
    };
  },
});
