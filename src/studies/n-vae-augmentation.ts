/** Figure 9 of N-VAE: classifiers that learn from generated images. */
import type { Arm, Claim, Column, Departure, Study } from './study.ts';

const sigmas = [1, 1.4, 2] as const;
const replaced = [0.4, 1] as const;

function columnOf(share: number, sigma: number): string {
  return `${share === 1 ? 'all' : `${100 * share} %`} replaced, σ ${sigma}`;
}

const columns: Column[] = [
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
];

/** With half the batch of the others, the GANs see as many images in twice the steps. */
const twice: NonNullable<Arm['setAt']> = { standard: ['steps=6000'], paper: ['steps=100000'] };

const classifier: Departure = {
  of: 'measure',
  says: 'The classifier is not in the paper: ours has one hidden layer.',
};

/** Its values are in a picture only. */
function augmentationOf(name: string, title: string, data: 'mnist' | 'fashion-mnist', claims: readonly Claim[]): Study {
  const arms: Arm[] = [
    { name: 'N-VAE', method: 'n-vae', preset: data },
    {
      name: 'conditional VAE',
      method: 'conditional-vae',
      set: ['network=parted-mnist', 'latents=10', 'batchSize=128'],
    },
    { name: 'CGAN', method: 'cgan', preset: data, setAt: twice },
    { name: 'AC-GAN', method: 'ac-gan', preset: data, setAt: twice },
  ];
  return {
    name,
    title: `N-VAE, Figure 9: augmentation of ${title}`,
    paper: { cite: 'Antorán and Miguel 2019', where: 'Fig. 9' },
    question: 'Do images drawn at a wider spread σ teach a classifier what real ones do?',
    data: `${data}:size=32`,
    columns,
    metricOptions: { augmentation: { sigmas, replace: replaced } },
    arms,
    claims,
    figures: ['N-VAE', 'CGAN'].map((arm) => ({ title: arm, arm, kind: 'samples' })),
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
        set: ['steps=50000', 'validation=0'],
        metricOptions: { augmentation: { trainImages: 60_000 } },
        departures: [
          classifier,
          { of: 'network', says: 'Layers are not in the paper; see the methods’ pages for ours.' },
          { of: 'latents', says: 'Latent sizes are not in the paper; see the methods’ pages for ours.' },
          { of: 'batch', says: 'Batches are not in the paper: 128, and 64 for the GANs, are ours.' },
          { of: 'optimiser', says: 'The optimiser is not in the paper: Adam is ours.' },
          {
            of: 'length',
            says: 'How long they train is not in the paper: 50,000 steps, and 100,000 of the GANs, are ours.',
          },
        ],
      },
    },
  };
}

const first = columnOf(1, 1);
const widest: Claim[] = replaced.flatMap((share) =>
  ['conditional VAE', 'CGAN', 'AC-GAN'].map((other): Claim => {
    const column = columnOf(share, 2);
    return { text: `N-VAE is the best as σ grows, so ahead of ${other}: ${column}.`, column, order: ['N-VAE', other] };
  }),
);

export const nVaeFigure9: Study = augmentationOf('n-vae-figure-9', 'MNIST', 'mnist', [
  {
    text: 'With every image replaced at σ 1, CGAN’s teach most and N-VAE’s come next.',
    column: first,
    order: ['CGAN', 'N-VAE', ['conditional VAE', 'AC-GAN']],
  },
  { text: 'AC-GAN’s teach less than N-VAE’s there.', column: first, order: ['N-VAE', 'AC-GAN'] },
  ...widest,
]);

export const nVaeFigure9Fashion: Study = augmentationOf('n-vae-figure-9-fashion', 'Fashion-MNIST', 'fashion-mnist', [
  ...replaced.map((share) => ({
    text: `N-VAE’s garments teach most, ${columnOf(share, 1)}.`,
    column: columnOf(share, 1),
    order: ['N-VAE', ['conditional VAE', 'CGAN', 'AC-GAN']] as const,
  })),
  ...widest,
]);
