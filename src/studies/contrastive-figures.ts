/** The figures of “Contrastive objectives”. */
import { contrastiveColumns, contrastivePaper, grassyBudgets, grassySettings, paperArms } from './contrastive.ts';
import { affectNetSizes, celebASizes, faceBudgets, faceSettings, ofAffectNet, ofCelebA } from './contrastive-faces.ts';
import type { Arm, Study, StudyFigure } from './study.ts';

const grassy = {
  data: 'grassy-mnist',
  set: grassySettings,
  columns: contrastiveColumns,
  claims: [],
  part: 'test',
  budgets: grassyBudgets(),
} as const;

const at = (where: string) => ({ cite: contrastivePaper, where });

const everyRow = (kind: string, options: StudyFigure['options'] = {}): StudyFigure[] =>
  paperArms.map(({ name }) => ({ title: name, arm: name, kind, options }));

export const contrastiveFigure4: Study = {
  ...grassy,
  name: 'contrastive-figure-4',
  title: 'Contrastive objectives, Figure 4: the salient codes in the plane',
  paper: at('Fig. 4'),
  question: 'Do digits lie apart, and the grass in one place?',
  arms: paperArms,
  figures: everyRow('embedding', { blocks: ['s'] }),
};

export const contrastiveFigure5: Study = {
  ...grassy,
  name: 'contrastive-figure-5',
  title: 'Contrastive objectives, Figure 5: each half of the code alone',
  paper: at('Fig. 5'),
  question: 'What is left of a digit on grass as [z, s], [z, 0] and [0, s]?',
  arms: paperArms,
  figures: everyRow('swap'),
};

const lambdas = [0.1, 0.3, 1, 3, 10];

/** W2 over training, and what λ_z does. Its values are in a picture only. */
export const contrastiveFigure6: Study = {
  ...grassy,
  name: 'contrastive-figure-6',
  title: 'Contrastive objectives, Figure 6: the weight of W2',
  paper: at('Fig. 6'),
  question: 'How do the codes move with λ_z, and is 1 the best?',
  arms: [
    ...paperArms.filter(({ name }) => name !== 'Eq. 8'),
    ...lambdas.map(
      (lambda): Arm => ({ name: `λ_z = ${lambda}`, method: 'contrastive-w2', set: [`lambdaZ=${lambda}`] }),
    ),
  ],
  claims: [
    {
      text: 'λ_z = 1 separates the digits best.',
      column: 's accuracy',
      order: ['λ_z = 1', lambdas.filter((lambda) => lambda !== 1).map((lambda) => `λ_z = ${lambda}`)],
    },
    { text: 'More weight, less distance.', column: 'W2²', order: ['λ_z = 10', 'λ_z = 1', 'λ_z = 0.1', 'Eq. 7'] },
    {
      text: 'After training no other loss has brought the common codes as close (Fig. 6a).',
      column: 'W2²',
      order: ['λ_z = 1', ['Eq. 7', 'cVAE', 'sRb-VAE']],
    },
  ],
  figures: [{ title: 'W2 and the other terms over training (Fig. 6a)', arm: 'λ_z = 1', kind: 'curves' }],
  tradeOffs: [{ title: 'Digits in s against W2 (Fig. 6b)', x: 'W2²', y: 's accuracy', groups: ['λ_z', 'Eq. 7'] }],
  budgets: grassyBudgets(['Eq. 7', 'λ_z = 1']),
};

const sets: readonly Arm[] = [
  { name: 'Grassy-MNIST', method: 'contrastive-w2', set: grassySettings },
  { name: 'non-linear Grassy-MNIST', method: 'contrastive-w2', data: 'grassy-mnist-nonlinear', set: grassySettings },
  {
    name: 'CelebA',
    method: 'contrastive-w2',
    data: 'celeba:part=caps-and-glasses',
    set: [...faceSettings, ...celebASizes],
  },
  { name: 'AffectNet', method: 'contrastive-w2', data: 'affectnet', set: [...faceSettings, ...affectNetSizes] },
];

/** Each row trains on its own set. */
const severalSets: Study['budgets'] = {
  quick: { seeds: [1], set: ['steps=20', 'batchSize=16', 'network=auto'], departures: ['20 steps: proves the way.'] },
  standard: {
    seeds: [1],
    set: ['steps=3000', 'network=auto'],
    departures: ['3,000 steps with the network for any image.', ...ofAffectNet],
  },
  paper: {
    ...faceBudgets([]).paper,
    departures: [...grassyBudgets().paper.departures, ...ofCelebA, ...ofAffectNet],
  },
};

const reconstructions = (figure: string, items: number): Study => ({
  name: `contrastive-figure-${figure}`,
  title: `Contrastive objectives, Figure ${figure}: reconstructions of background and target`,
  paper: at(`Fig. ${figure}`),
  question: 'How well does Eq. 8 reconstruct both sets?',
  data: 'grassy-mnist',
  part: 'test',
  columns: [
    { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
    { name: 'W2²', metric: 'wasserstein', digits: 2, better: 'lower' },
  ],
  arms: sets,
  claims: [],
  figures: sets.map(({ name }) => ({ title: name, arm: name, kind: 'reconstruction', options: { items } })),
  budgets: severalSets,
});

export const contrastiveFigure7: Study = reconstructions('7', 16);
export const contrastiveFigure9: Study = reconstructions('9', 40);

/** Two items at the corners, of which each direction moves every other dimension of s; z is the first item's. */
const square: StudyFigure['options'] = { corners: ['0', '1'], blocks: ['s'], steps: 8 };
const squareOf = (arm: string): StudyFigure => ({ title: arm, arm, kind: 'interpolation', options: square });

export const contrastiveFigure8: Study = {
  ...contrastiveFigure7,
  name: 'contrastive-figure-8',
  title: 'Contrastive objectives, Figure 8: interpolation in the salient code over a square',
  paper: at('Fig. 8'),
  question: 'Does the digit, or the cap, change while the background stays?',
  arms: sets.filter(({ name }) => name === 'Grassy-MNIST' || name === 'CelebA'),
  figures: ['Grassy-MNIST', 'CelebA'].map(squareOf),
};

export const contrastiveFigure10: Study = {
  ...grassy,
  name: 'contrastive-figure-10',
  title: 'Contrastive objectives, Figure 10: interpolation over a square on Grassy-MNIST',
  paper: at('Fig. 10'),
  question: 'What lies between digits, with the grass held?',
  arms: paperArms.filter(({ name }) => name === 'Eq. 8'),
  figures: [
    squareOf('Eq. 8'),
    { ...squareOf('Eq. 8'), title: 'Between four digits', options: { ...square, corners: ['0', '1', '2', '3'] } },
  ],
};
