/** The variational autoencoder (Kingma and Welling 2014, Eq. 10): −ELBO = −E ln p(x|z) + KL(q(z|x) ‖ p(z)). */
import { vaeMethod } from './family.ts';

export const vae = vaeMethod({
  name: 'vae',
  title: 'VAE',
  summary: 'Reconstruction and KL with equal weight: the baseline of all others.',
  paper: { cite: 'Kingma and Welling 2014', equations: 'Eq. 10' },
  options: {},
  objective: ({ reconstruction, kl }) => ({ minimises: reconstruction.plus(kl) }),
});
