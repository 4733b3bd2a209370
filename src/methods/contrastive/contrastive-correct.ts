/**
 * The correct contrastive loss (contrastive paper, Eq. 7): L_VAE + λ_s E_b[‖μ_s(y)‖² + ‖σ_s(y)‖²]. The last term stands for the
 * divergence of the background's salient posterior from its prior, the point 0, which Eq. 3 leaves out.
 */

import { salience } from '../../objectives/index.ts';
import { number } from '../../options/index.ts';
import { beta, bound, contrastiveMethod, contrastivePresets } from './family.ts';

/** The paper says “large” and gives no value: 10 is ours. */
export const lambdaS = number('weight λ_s of the background’s salient code', { default: 10, min: 0 });

export const contrastiveCorrect = contrastiveMethod({
  name: 'contrastive-correct',
  title: 'Correct contrastive VAE',
  summary: 'Draws the background’s salient code to zero.',
  paper: { cite: 'Towards Principled Objectives for Contrastive Disentanglement', equations: 'Eq. 7' },
  options: { beta, lambdaS },
  presets: contrastivePresets,
  objective({ terms, background }, settings) {
    const salient = salience(background.posteriors.s);
    return {
      minimises: bound(terms, settings.beta).plus(salient.times(settings.lambdaS)),
      terms: { 'background salience': salient },
    };
  },
});
