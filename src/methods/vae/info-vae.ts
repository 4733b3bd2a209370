/**
 * InfoVAE (Zhao, Song and Ermon 2017, Eq. 6): −E ln p(x|z) + (1 − α) KL(q(z|x) ‖ p(z)) + (α + λ − 1) D(q(z) ‖ p(z)), with the
 * divergence D of all codes as a maximum mean discrepancy. At α = 1 the KL of each item is gone, and codes keep what they can
 * tell; at α = 0 and λ = 1 it is the VAE.
 */
import { maximumMeanDiscrepancy } from '../../objectives/index.ts';
import { number } from '../../options/index.ts';
import { vaeMethod } from './family.ts';

export const infoVae = vaeMethod({
  name: 'info-vae',
  title: 'InfoVAE',
  summary: 'Draws all codes together to the prior, and leaves each item’s posterior its information.',
  paper: { cite: 'Zhao, Song and Ermon 2017', equations: 'Eq. 6, with D = MMD (section 4.2)' },
  options: {
    alpha: number('how much of the mutual information of items and codes is kept, which takes 1 − α of the KL', {
      default: 1,
      max: 1,
    }),
    // The paper chooses it by the data; 1000 is ours.
    lambda: number('weight λ of the codes’ divergence from the prior, which counts α + λ − 1 times', {
      default: 1000,
      min: 0,
    }),
  },
  objective({ b, z, reconstruction, kl }, { alpha, lambda, latents }) {
    const mmd = maximumMeanDiscrepancy(z, b.noise('sample of the prior', [latents], 'normal'));
    const ofItems = alpha.negate().plus(1);
    return {
      minimises: reconstruction.plus(kl.times(ofItems)).plus(mmd.times(lambda.minus(ofItems))),
      terms: { mmd },
    };
  },
});
