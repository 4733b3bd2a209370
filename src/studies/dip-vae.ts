/** The tables and figures of DIP-VAE (Kumar, Sattigeri and Balakrishnan 2018). */
import type { Arm, Column, Study, StudyBudget } from './study.ts';

const cite = 'Kumar, Sattigeri and Balakrishnan 2018';

const columns: Column[] = [
  { name: 'Z-diff', metric: 'z-diff', factor: 100, digits: 1, better: 'higher' },
  { name: 'SAP', metric: 'sap', digits: 4, better: 'higher' },
  { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
];

/** As the paper measures: a linear SVM with C = 0.01, SAP in Kumar's form. */
const metricOptions = {
  'z-diff': { classifier: 'svm-hinge', c: 0.01 },
  sap: { form: 'kumar', regressAbove: 5, inactiveStd: 0.01 },
};

const mlp = ['network=shapes-mlp', 'latents=10', 'batchSize=400', 'learningRate=1e-3'];

const budgets: Study['budgets'] = {
  quick: {
    seeds: [1],
    data: 'dsprites-small',
    set: ['steps=60', 'batchSize=100', 'network=auto'],
    departures: [
      '60 steps of batch 100 on the small set with a convolutional network: proves the way, not the numbers.',
    ],
  },
  standard: {
    seeds: [1],
    data: 'dsprites-small',
    set: ['steps=6000', 'batchSize=64', 'network=parted-dsprites'],
    departures: [
      'Every second orientation, x and y of the generated (dSprites-compatible) set; 80 % of it is trained on.',
      'A convolutional network in place of the MLP, which is slower in time and in steps: 6,000 of batch 64 in place of 400. The paper does not say how long it trains. Adam at 1e-3; it does not say with what.',
      'Every λ of DIP-VAE is 64/400 of the paper’s: it weighs the sampling noise of the moments too, which is 400/64 times as large.',
    ],
  },
  paper: {
    seeds: [1, 2, 3],
    set: ['epochs=100'],
    departures: [
      'The set is generated (dSprites-compatible). Optimiser and length are not in the paper: Adam at 1e-3, 100 epochs.',
    ],
  },
};

export const dipVaeTable1: Study = {
  name: 'dip-vae-table-1',
  title: 'DIP-VAE, Table 1: 2D Shapes',
  paper: { cite, where: 'Table 1' },
  question: 'Do DIP-VAE-I and -II disentangle 2D Shapes better than VAE and β-VAE, at less cost in reconstruction?',
  data: 'dsprites',
  set: mlp,
  columns,
  metricOptions,
  arms: [
    { name: 'VAE', method: 'vae', theirs: { 'Z-diff': 81.3, SAP: 0.0417, reconstruction: 0.0017 } },
    {
      name: 'β-VAE (β = 4)',
      method: 'beta-vae',
      set: ['beta=4'],
      theirs: { 'Z-diff': 80.7, SAP: 0.0811, reconstruction: 0.0032 },
    },
    {
      name: 'β-VAE (β = 60)',
      method: 'beta-vae',
      set: ['beta=60'],
      theirs: { 'Z-diff': 95.7, SAP: 0.5503, reconstruction: 0.0113 },
    },
    { ...dip1(10), theirs: { 'Z-diff': 98.7, SAP: 0.1889, reconstruction: 0.0018 } },
    { ...dip2(5), theirs: { 'Z-diff': 95.3, SAP: 0.2188, reconstruction: 0.0023 } },
    { ...dip2(500), theirs: { 'Z-diff': 98.0, SAP: 0.5253, reconstruction: 0.0079 } },
  ],
  claims: [
    {
      text: 'DIP-VAE-II with λ = 500 has a higher SAP score than DIP-VAE-I and VAE.',
      column: 'SAP',
      order: ['DIP-VAE-II (λ = 500)', ['DIP-VAE-I (λ = 10)', 'VAE']],
    },
    {
      text: 'It reconstructs better than β-VAE with β = 60, whose SAP score is alike.',
      column: 'reconstruction',
      order: ['DIP-VAE-II (λ = 500)', 'β-VAE (β = 60)'],
    },
    {
      text: 'DIP-VAE-I has a higher Z-diff score than β-VAE with β = 4 and VAE.',
      column: 'Z-diff',
      order: ['DIP-VAE-I (λ = 10)', ['β-VAE (β = 4)', 'VAE']],
    },
  ],
  figures: [
    {
      title: 'DIP-VAE-II (λ = 500): each dimension moved alone (Fig. 3)',
      arm: 'DIP-VAE-II (λ = 500)',
      kind: 'traversal',
    },
    { title: 'β-VAE (β = 60): each dimension moved alone (Fig. 3)', arm: 'β-VAE (β = 60)', kind: 'traversal' },
  ],
  budgets,
};

export const dipVaeFigure1: Study = {
  name: 'dip-vae-figure-1',
  title: 'DIP-VAE, Figure 1: disentanglement against reconstruction',
  paper: { cite, where: 'Fig. 1' },
  question: 'How do SAP and Z-diff move with the reconstruction error over the range of each method’s weight?',
  data: 'dsprites',
  set: mlp,
  columns,
  metricOptions,
  arms: [
    ...[1, 4, 16, 64, 256].map((beta): Arm => ({ name: `β-VAE ${beta}`, method: 'beta-vae', set: [`beta=${beta}`] })),
    ...[1, 5, 20, 100, 500].map((lambda): Arm => ({ ...dip1(lambda), name: `DIP-VAE-I ${lambda}` })),
    ...[1, 5, 20, 100, 500].map((lambda): Arm => ({ ...dip2(lambda), name: `DIP-VAE-II ${lambda}` })),
  ],
  claims: [],
  tradeOffs: [
    {
      title: 'SAP against reconstruction error',
      x: 'reconstruction',
      y: 'SAP',
      groups: ['β-VAE', 'DIP-VAE-I ', 'DIP-VAE-II'],
    },
    {
      title: 'Z-diff against reconstruction error',
      x: 'reconstruction',
      y: 'Z-diff',
      groups: ['β-VAE', 'DIP-VAE-I ', 'DIP-VAE-II'],
    },
  ],
  budgets: { ...budgets, quick: { ...budgets.quick, arms: ['β-VAE 1', 'β-VAE 64', 'DIP-VAE-II 5'] } },
};

const celebaBudget: StudyBudget = {
  seeds: [1],
  set: ['epochs=10'],
  departures: [
    'The 40 attributes of CelebA are the factors, as in the paper. Length and optimiser are not in the paper.',
  ],
};

export const dipVaeTable2: Study = {
  name: 'dip-vae-table-2',
  title: 'DIP-VAE, Table 1: CelebA',
  paper: { cite, where: 'Table 1, right half, and Table 2' },
  question: 'The same on faces, where the attributes of CelebA are the factors.',
  data: 'celeba:size=64',
  set: ['network=beta-conv', 'latents=32', 'batchSize=100'],
  columns: [
    { name: 'Z-diff', metric: 'z-diff', factor: 100, digits: 1, better: 'higher' },
    { name: 'SAP', metric: 'sap', factor: 100, digits: 2, better: 'higher' },
    { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
  ],
  metricOptions,
  arms: [
    { name: 'VAE', method: 'vae', theirs: { 'Z-diff': 7.5, SAP: 0.35, reconstruction: 0.0876 } },
    {
      name: 'β-VAE (β = 4)',
      method: 'beta-vae',
      set: ['beta=4'],
      theirs: { 'Z-diff': 8.1, SAP: 0.48, reconstruction: 0.0937 },
    },
    {
      name: 'β-VAE (β = 32)',
      method: 'beta-vae',
      set: ['beta=32'],
      theirs: { 'Z-diff': 6.4, SAP: 3.72, reconstruction: 0.1572 },
    },
    {
      name: 'DIP-VAE-I (λ = 2)',
      method: 'dip-vae-i',
      set: ['lambdaOffDiagonal=2', 'lambdaDiagonal=100'],
      theirs: { 'Z-diff': 14.8, SAP: 3.69, reconstruction: 0.0904 },
    },
    {
      name: 'DIP-VAE-II (λ = 1)',
      method: 'dip-vae-ii',
      set: ['lambdaOffDiagonal=1', 'lambdaDiagonal=0.5'],
      theirs: { 'Z-diff': 7.1, SAP: 2.94, reconstruction: 0.0884 },
    },
    {
      name: 'DIP-VAE-II (λ = 80)',
      method: 'dip-vae-ii',
      set: ['lambdaOffDiagonal=80', 'lambdaDiagonal=40'],
      theirs: { 'Z-diff': 11.5, SAP: 3.93, reconstruction: 0.1477 },
    },
  ],
  claims: [
    {
      text: 'DIP-VAE-I has a higher SAP score than VAE at about its reconstruction error.',
      column: 'SAP',
      order: ['DIP-VAE-I (λ = 2)', 'VAE'],
    },
  ],
  budgets: {
    quick: { ...celebaBudget, set: ['steps=60'] },
    standard: celebaBudget,
    paper: { ...celebaBudget, seeds: [1, 2, 3], set: ['epochs=50'] },
  },
};

function dip1(lambda: number): Arm {
  return dip('DIP-VAE-I', lambda, { lambdaOffDiagonal: lambda, lambdaDiagonal: 10 * lambda });
}

function dip2(lambda: number): Arm {
  return dip('DIP-VAE-II', lambda, { lambdaOffDiagonal: lambda, lambdaDiagonal: lambda, lambdaThird: 200 });
}

/** A row with the paper's weights, which are for batches of 400, brought to other batches: the moments' noise goes with 1/B. */
function dip(title: string, lambda: number, weights: Record<string, number>): Arm {
  const at = (batch: number) => Object.entries(weights).map(([name, weight]) => `${name}=${(weight * batch) / 400}`);
  return {
    name: `${title} (λ = ${lambda})`,
    method: title.toLowerCase(),
    set: at(400),
    setAt: { quick: at(100), standard: at(64) },
  };
}
