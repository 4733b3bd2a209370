/** The faces of “Contrastive objectives”: Table 1 on CelebA and AffectNet, and Table 2, expressions class by class. */
import { contrastiveColumns, contrastivePaper, tableArms, tableClaims, unstated } from './contrastive.ts';
import type { Arm, Column, Departure, Study } from './study.ts';

/** What the paper says of Grassy-MNIST alone, and its split, which it says of no set. */
const ofFaces = (network: string): Departure[] => [
  ...unstated.filter((one) => typeof one !== 'string' && one.of !== 'network'),
  { of: 'network', says: network },
  { of: 'batch', says: 'The paper gives a batch for Grassy-MNIST alone: the same 128 is taken.' },
  { of: 'optimiser', says: 'The paper gives Adam at 1e-3 for Grassy-MNIST alone: the same is taken.' },
  { of: 'length', says: 'The paper shows 200 epochs of Grassy-MNIST alone: the same are taken.' },
  { of: 'items', says: 'What the paper measures on is not in it: a tenth of either set is held out.' },
];

export const ofCelebA: Departure[] = ofFaces('Eight layers, as in the paper; their channel counts are not in it.');
export const ofAffectNet: Departure[] = [
  ...ofFaces('The paper gives no network for AffectNet: the eight layers of CelebA’s are taken.'),
  { of: 'latents', says: 'Sizes are not in the paper’s text: 32 and 32 are ours.' },
  {
    of: 'data',
    says: 'Faces are cut out by the set’s boxes and not aligned by landmarks; the seven expressions have up to 5,000 faces each.',
  },
];

/** Faces, whose files are not free to ship. */
export function faceBudgets(departures: readonly Departure[]): Study['budgets'] {
  return {
    quick: {
      seeds: [1],
      set: ['steps=20', 'batchSize=16', 'network=auto'],
      metricOptions: { clustering: { iterations: 250 } },
      departures: ['20 steps with a small network: proves the way, not the numbers.'],
    },
    standard: {
      seeds: [1],
      set: ['steps=3000', 'network=auto'],
      departures: ['3,000 steps with the network for any image.', ...departures],
    },
    paper: { seeds: [1, 2, 3], set: ['epochs=200', 'validation=0'], departures },
  };
}

export const faceSettings = [
  'batchSize=128',
  'learningRate=1e-3',
  'network=contrastive-64',
  'likelihood=gaussian',
  'scale=0.2',
];
export const celebASizes = ['zLatents=16', 'sLatents=6'];
export const affectNetSizes = ['zLatents=32', 'sLatents=32'];

const shared = {
  columns: contrastiveColumns,
  claims: tableClaims.filter(({ column }) => column === 'W2²'),
  paper: { cite: contrastivePaper, where: 'Table 1' },
  part: 'test',
} as const;

export const contrastiveTable1CelebA: Study = {
  ...shared,
  name: 'contrastive-table-1-celeba',
  title: 'Contrastive objectives, Table 1: CelebA',
  question: 'Are caps and eyeglasses found in the salient code, against faces with neither?',
  data: 'celeba:part=caps-and-glasses',
  set: [...faceSettings, ...celebASizes],
  arms: tableArms([
    [52.06, 0.35, 60.01, 0.39, 38.26],
    [55.12, 0.31, 56.17, 0.36, 43.87],
    [59.97, 0.38, 51.53, 0.34, 35.51],
    [55.05, 0.34, 64.55, 0.42, 11.07],
  ]),
  budgets: faceBudgets(ofCelebA),
};

export const contrastiveTable1AffectNet: Study = {
  ...shared,
  name: 'contrastive-table-1-affectnet',
  title: 'Contrastive objectives, Table 1: AffectNet',
  question: 'Are expressions found in the salient code, against neutral faces?',
  data: 'affectnet',
  set: [...faceSettings, ...affectNetSizes],
  arms: tableArms([
    [19.02, 0.17, 17.75, 0.15, 35.76],
    [18.31, 0.15, 19.85, 0.15, 41.34],
    [18.16, 0.14, 19.06, 0.16, 30.04],
    [16.06, 0.14, 22.66, 0.18, 10.11],
  ]),
  budgets: faceBudgets(ofAffectNet),
};

export const expressions = ['happiness', 'sadness', 'surprise', 'fear', 'disgust', 'anger', 'contempt'];

/** The accuracy of each expression. */
export const expressionColumns: Column[] = expressions.map((name) => ({
  name,
  metric: 'linear-probe',
  part: 'perClass',
  entry: { of: 'classes', name },
  digits: 3,
  better: 'higher',
}));

/** A row by the paper's numbers of the seven expressions; methods with a salient code are measured on it alone. */
function expressionArm(name: string, method: string, theirs: readonly number[], set: readonly string[]): Arm {
  return {
    name,
    method,
    set,
    ...(set.some((one) => one.startsWith('sLatents')) && { metricOptions: { 'linear-probe': { block: 's' } } }),
    theirs: Object.fromEntries(theirs.map((value, i) => [expressions[i], value])),
  };
}

/** Its rows but the last two are Ruiz et al.'s; here all are trained alike. */
export const contrastiveTable2: Study = {
  name: 'contrastive-table-2',
  title: 'Contrastive objectives, Table 2: AffectNet, class by class',
  paper: { cite: contrastivePaper, where: 'Table 2' },
  question: 'Which expressions does a shallow classifier tell from the salient code?',
  data: 'affectnet',
  part: 'test',
  set: faceSettings,
  columns: expressionColumns,
  arms: [
    expressionArm(
      'DIP-VAE-II',
      'dip-vae-ii',
      [0.548, 0.245, 0.401, 0.389, 0.268, 0.391, 0.463],
      ['latents=32', 'lambdaOffDiagonal=10', 'lambdaDiagonal=10'],
    ),
    expressionArm('sVAE', 'svae', [0.583, 0.251, 0.389, 0.349, 0.26, 0.391, 0.469], ['latents=32']),
    expressionArm('β-TCVAE', 'beta-tcvae', [0.563, 0.277, 0.393, 0.349, 0.256, 0.427, 0.467], ['latents=32', 'beta=6']),
    expressionArm('Rb-VAE', 'rb-vae', [0.536, 0.393, 0.379, 0.311, 0.32, 0.383, 0.421], affectNetSizes),
    expressionArm('sRb-VAE', 'srb-vae', [0.587, 0.405, 0.387, 0.327, 0.344, 0.425, 0.483], affectNetSizes),
    expressionArm('Eq. 7', 'contrastive-correct', [0.575, 0.488, 0.389, 0.365, 0.356, 0.395, 0.501], affectNetSizes),
    expressionArm('Eq. 8', 'contrastive-w2', [0.579, 0.491, 0.401, 0.374, 0.358, 0.398, 0.506], affectNetSizes),
  ],
  claims: ['sadness', 'disgust', 'contempt'].map((column) => ({
    text: `Eq. 8 tells ${column} best.`,
    column,
    order: ['Eq. 8', ['Eq. 7', 'sRb-VAE', 'Rb-VAE', 'β-TCVAE', 'sVAE', 'DIP-VAE-II']] as const,
  })),
  budgets: faceBudgets([
    ...ofAffectNet,
    {
      of: 'measure',
      says: 'Which shallow classifier the paper takes is not in it: ours is logistic regression, fitted on one part of the held-out faces and judged on the other.',
    },
    { of: 'weights', says: 'The weights of DIP-VAE-II and β-TCVAE are not in the paper: 10 and 6 are taken.' },
  ]),
};
