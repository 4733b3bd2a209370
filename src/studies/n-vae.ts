/** The figures of N-VAE: what each class varies in, what classes share, and which of both a dimension is (KL). */
import type { Arm, Claim, Column, Study } from './study.ts';

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

/** The garments of Fig. 5, 6 and 7. */
export const nVaeFashion: Study = {
  ...nVaeFigures,
  name: 'n-vae-figures-fashion',
  title: 'N-VAE, Figures 5, 6 and 7: Fashion-MNIST',
  paper: { ...nVaeFigures.paper, where: 'Fig. 5, 6 and 7' },
  data: 'fashion-mnist',
  arms: nVaeFigures.arms.map((arm) => (arm.preset ? { ...arm, preset: 'fashion-mnist' } : arm)),
  figures: [
    { title: 'Class-related factors of each garment (Fig. 6)', arm: 'N-VAE', kind: 'classes' },
    { title: 'Shared factors (Fig. 7)', arm: 'N-VAE', kind: 'traversal' },
    { title: 'KL of each block (Fig. 5)', arm: 'N-VAE', kind: 'kl' },
  ],
};

const sigmas = [1, 1.4, 2] as const;
const replaced = [0.4, 1] as const;

function columnOf(share: number, sigma: number): string {
  return `${share === 1 ? 'all' : `${100 * share} %`} replaced, σ ${sigma}`;
}

/** With half the batch of the others, the GANs see as many images in twice the steps. */
const twice: NonNullable<Arm['setAt']> = { standard: ['steps=6000'], paper: ['steps=100000'] };

/** Fig. 9, whose values are in a picture only. */
export const nVaeAugmentation: Study = {
  name: 'n-vae-figure-9',
  title: 'N-VAE, Figure 9: augmentation of MNIST',
  paper: { cite: 'Antorán and Miguel 2019', where: 'Fig. 9' },
  question: 'Do images drawn at a wider spread σ teach a classifier what real ones do?',
  data: 'mnist:size=32',
  columns: [
    ...replaced.flatMap((share) =>
      sigmas.map(
        (sigma): Column => ({
          name: columnOf(share, sigma),
          metric: 'augmentation',
          part: `σ ${sigma}, replaced ${share}`,
          factor: 100,
          digits: 2,
          better: 'lower',
        }),
      ),
    ),
    { name: 'real images', metric: 'augmentation', part: 'baseline', factor: 100, digits: 2, better: 'lower' },
  ],
  metricOptions: { augmentation: { sigmas, replace: replaced } },
  arms: [
    { name: 'N-VAE', method: 'n-vae', preset: 'mnist' },
    { name: 'conditional VAE', method: 'conditional-vae', set: ['network=parted-mnist', 'latents=10'] },
    { name: 'CGAN', method: 'cgan', preset: 'mnist', setAt: twice },
    { name: 'AC-GAN', method: 'ac-gan', preset: 'mnist', setAt: twice },
  ],
  claims: [
    {
      text: 'With every image replaced at σ 1, CGAN’s teach most and N-VAE’s come next.',
      column: 'all replaced, σ 1',
      order: ['CGAN', 'N-VAE', ['conditional VAE', 'AC-GAN']],
    },
    {
      text: 'AC-GAN’s teach less than N-VAE’s there.',
      column: 'all replaced, σ 1',
      order: ['N-VAE', 'AC-GAN'],
    },
    ...replaced.flatMap((share) =>
      ['conditional VAE', 'CGAN', 'AC-GAN'].map((other): Claim => {
        const column = columnOf(share, 2);
        return {
          text: `N-VAE is the best as σ grows, so ahead of ${other}: ${column}.`,
          column,
          order: ['N-VAE', other],
        };
      }),
    ),
  ],
  figures: [
    { title: 'N-VAE', arm: 'N-VAE', kind: 'samples' },
    { title: 'CGAN', arm: 'CGAN', kind: 'samples' },
  ],
  budgets: {
    quick: {
      seeds: [1],
      set: ['steps=40'],
      metricOptions: { augmentation: { trainImages: 500, testImages: 500, perClass: 50 } },
      departures: ['40 steps: proves the way, not the numbers.'],
    },
    standard: {
      seeds: [1, 2, 3],
      set: ['steps=3000'],
      departures: [
        'The classifier is not in the paper: ours has one hidden layer, and learns from 5,000 images.',
        'The paper has the classes of its errors in a picture only, so no numbers of theirs stand here.',
        '3,000 steps of batch 128, for the GANs 6,000 of batch 64.',
      ],
    },
    paper: {
      seeds: [1, 2, 3],
      set: ['steps=50000'],
      metricOptions: { augmentation: { trainImages: 60_000 } },
      departures: ['The classifier is not in the paper: ours has one hidden layer.'],
    },
  },
};
