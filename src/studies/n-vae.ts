/** The figures of N-VAE: what each class varies in, what classes share, and which of both a dimension is (KL). */
import type { Study } from './study.ts';

export const nVaeFigures: Study = {
  name: 'n-vae-figures',
  title: 'N-VAE, Figures 1, 2 and 5: MNIST',
  paper: { cite: 'Antorán and Miguel 2019', where: 'Fig. 1, 2, 5 and appendix B' },
  question: 'Do class-related codes hold what varies inside a class, and does the class stay when shared codes move?',
  data: 'mnist',
  columns: [
    { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 2, better: 'higher' },
    { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
    { name: 'KL', metric: 'kl', part: 'total', digits: 1, better: 'lower' },
  ],
  arms: [
    { name: 'N-VAE', method: 'n-vae', preset: 'mnist' },
    { name: 'N-VAE (no one-hot bias)', method: 'n-vae', preset: 'mnist', set: ['oneHotBias=false'] },
    { name: 'conditional VAE', method: 'conditional-vae' },
  ],
  claims: [],
  figures: [
    { title: 'Class-related factors of each digit (Fig. 1)', arm: 'N-VAE', kind: 'classes' },
    { title: 'Shared factors (Fig. 2)', arm: 'N-VAE', kind: 'traversal' },
    { title: 'KL of each block (Fig. 5)', arm: 'N-VAE', kind: 'kl' },
    { title: 'Samples of each class', arm: 'N-VAE', kind: 'samples' },
  ],
  budgets: {
    quick: { seeds: [1], set: ['steps=60'], departures: ['60 steps: proves the way, not the pictures.'] },
    standard: {
      seeds: [1],
      set: ['epochs=8'],
      departures: [
        'Layers, latent sizes, optimiser and length are not in the paper; see the method’s page for ours. 8 epochs.',
      ],
    },
    paper: {
      seeds: [1, 2, 3],
      set: ['epochs=60'],
      departures: ['Layers, latent sizes, optimiser and length are not in the paper; see the method’s page for ours.'],
    },
  },
};
