/** β-VAE (Higgins et al. 2017, Eq. 4): the ELBO with β on the KL, which draws the posterior to the factorised prior. */
import { number } from '../../options/index.ts';
import { vaeMethod } from './family.ts';

export const betaVae = vaeMethod({
  name: 'beta-vae',
  title: 'β-VAE',
  summary: 'Puts a weight β above 1 on the KL.',
  paper: { cite: 'Higgins et al. 2017', equations: 'Eq. 4' },
  options: { beta: number('weight of the KL', { default: 4, min: 0 }) },
  presets: {
    dsprites: { beta: 4, latents: 10, network: 'shapes-mlp', batchSize: 400 },
    'dsprites-60': { beta: 60, latents: 10, network: 'shapes-mlp', batchSize: 400 },
    celeba: { beta: 4, latents: 32, network: 'beta-conv', batchSize: 100 },
  },
  objective: ({ reconstruction, kl }, { beta }) => ({ minimises: reconstruction.plus(kl.times(beta)) }),
});
