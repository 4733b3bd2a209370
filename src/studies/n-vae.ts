/** The figures of N-VAE: what each class varies in, what classes share, and which of both a dimension is (KL). */
import type { Arm, Departure, Study, StudyFigure } from './study.ts';

const cite = 'Antorán and Miguel 2019';

const ours: Departure[] = [
  { of: 'network', says: 'Its layers are not in the paper; see the method’s page for ours.' },
  { of: 'latents', says: 'Its latent sizes are not in the paper; see the method’s page for ours.' },
  { of: 'batch', says: 'Its batch is not in the paper: 128 is ours.' },
  { of: 'optimiser', says: 'Its optimiser is not in the paper: Adam at 1e-3 is ours.' },
  { of: 'length', says: 'How long it trains is not in the paper: 60 epochs are ours.' },
];
const parts: Departure = { of: 'items', says: 'How it parts the faces is not in the paper: a tenth is held out.' };

const budgetsOf = (departures: readonly Departure[]): Study['budgets'] => ({
  quick: { seeds: [1], set: ['steps=60'], departures: ['60 steps: proves the way, not the pictures.'] },
  standard: { seeds: [1], set: ['epochs=8'], departures: ['8 epochs.', ...departures] },
  paper: { seeds: [1, 2, 3], set: ['epochs=60', 'validation=0'], departures },
});

const columns: Study['columns'] = [
  { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 2, better: 'higher' },
  { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
  { name: 'KL', metric: 'kl', part: 'total', digits: 1, better: 'lower' },
];

type SetName = 'mnist' | 'fashion-mnist' | 'yale-b';

const nVae = (preset: SetName): Arm => ({ name: 'N-VAE', method: 'n-vae', preset });

/** A figure of N-VAE on a set, by its kinds of pictures. */
function figureOf(
  number: string,
  title: string,
  data: SetName,
  figures: readonly (Omit<StudyFigure, 'arm'> & { arm?: string })[],
  arms: readonly Arm[] = [nVae(data)],
): Study {
  return {
    name: `n-vae-figure-${number}`,
    title: `N-VAE, Figure ${number.replace(/-.*/, '')}: ${title}`,
    paper: { cite, where: `Fig. ${number.replace(/-.*/, '')}` },
    question: 'Do class-related codes hold what varies inside a class, and shared ones what classes share?',
    data,
    columns,
    arms,
    claims: [],
    figures: figures.map((figure) => ({ arm: arms[0].name, ...figure })),
    budgets: budgetsOf(data === 'yale-b' ? [...ours, parts] : ours),
  };
}

const classes = { title: 'Class-related factors', kind: 'classes' };
const shared = { title: 'Shared factors', kind: 'traversal', options: { blocks: ['shared'] } };
const carried = { title: 'KL of each dimension', kind: 'kl' };

/** Latents of two dimensions, for the plane. */
const inThePlane: readonly Arm[] = [
  { ...nVae('mnist'), set: ['latents=2'] },
  { name: 'β-VAE (β = 5)', method: 'beta-vae', set: ['latents=2', 'beta=5', 'network=parted-mnist', 'batchSize=128'] },
];
const plain = { kind: 'embedding', options: { method: 'plain', blocks: ['shared'] } } as const;

/** A class for each person; the paper shows five. */
const people: StudyFigure['options'][] = [0, 1, 2, 3, 4].map((item) => ({ from: String(item), blocks: ['shared'] }));

const withoutBias: Arm = { ...nVae('mnist'), name: 'N-VAE (no one-hot bias)', set: ['oneHotBias=false'] };

export const nVaeFigures: readonly Study[] = [
  figureOf('1', 'what varies inside each digit', 'mnist', [classes]),
  figureOf('2', 'what digits share', 'mnist', [shared]),
  {
    ...figureOf(
      '3',
      'latents of β-VAE and N-VAE in the plane',
      'mnist',
      inThePlane.flatMap(({ name }) => [
        { title: `Codes, ${name}`, arm: name, ...plain },
        { title: `Each dimension moved alone, ${name}`, arm: name, kind: 'traversal', options: { blocks: ['shared'] } },
      ]),
      inThePlane,
    ),
    columns: columns.filter(({ name }) => name !== 'accuracy'),
    question: 'Are shared codes without the gaps between classes that a plain latent has?',
  },
  figureOf('5', 'the KL of each dimension on MNIST', 'mnist', [carried]),
  figureOf('5-fashion', 'the KL of each dimension on Fashion-MNIST', 'fashion-mnist', [carried]),
  figureOf('5-yale', 'the KL of each dimension on Yale B', 'yale-b', [carried]),
  figureOf('6', 'what varies inside each garment', 'fashion-mnist', [classes]),
  figureOf('7', 'what garments share', 'fashion-mnist', [shared]),
  figureOf(
    '8',
    'what the faces of five people share',
    'yale-b',
    people.map((options, i) => ({ title: `Shared factors of item ${i}`, kind: 'traversal', options })),
  ),
  {
    ...figureOf(
      '10',
      'the KL of class-related codes, with the class shown to the decoder and without',
      'mnist',
      [nVae('mnist'), withoutBias].map(({ name }) => ({ title: name, arm: name, kind: 'class-kl' })),
      [nVae('mnist'), withoutBias],
    ),
    question: 'Do class-related codes stay nearer their prior where the decoder is shown the class?',
    claims: [{ text: 'They do.', column: 'KL', order: ['N-VAE', 'N-VAE (no one-hot bias)'] }],
  },
  {
    ...figureOf(
      '11',
      'samples of each class at σ 1.4',
      'mnist',
      [{ title: 'Samples at σ = 1.4', kind: 'samples', options: { sigma: 1.4 } }],
      [nVae('mnist')],
    ),
    question: 'Do digits drawn further from the middle of the prior stay digits?',
  },
];
