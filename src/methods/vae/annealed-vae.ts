/**
 * The capacity-annealed VAE (Burgess et al. 2018, Eq. 8): γ |KL − C|, where the capacity C rises over the training, so that the
 * code opens up one factor after the other.
 */
import { number } from '../../options/index.ts';
import { vaeMethod } from './family.ts';

export const annealedVae = vaeMethod({
  name: 'annealed-vae',
  title: 'Annealed VAE',
  summary: 'Holds the KL at a capacity that rises with the steps.',
  paper: { cite: 'Burgess et al. 2018', equations: 'Eq. 8' },
  options: {
    gamma: number('weight of the distance between KL and capacity', { default: 1000, min: 0 }),
    capacity: number('nats that the code may carry', { default: 'linear(0,25,100000)', min: 0 }),
  },
  presets: { dsprites: { gamma: 1000, capacity: 'linear(0,25,100000)', latents: 10, learningRate: 5e-4 } },
  objective({ reconstruction, kl }, { gamma, capacity }) {
    // The distance is that of the batch's mean KL, not the mean of each item's.
    const distance = kl.minus(capacity).abs();
    return { minimises: reconstruction.plus(distance.times(gamma)), terms: { distance } };
  },
});
