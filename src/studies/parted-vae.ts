/** The tables of PartedVAE: factor scores without and with few labels, and a classifier of 256 labels. */
import type { Arm, Column, Departure, Study } from './study.ts';

export const partedVaePaper = 'Hajimiri et al. 2021';

/** The factor score as the authors' own code measures it, which is not that of other libraries. */
const columns: Column[] = [
  { name: 'factor score', metric: 'factor-vae', digits: 3, better: 'higher' },
  { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
];
const metricOptions = { 'factor-vae': { protocol: 'parted-vae', batch: 100, pruneStd: 0.1 } };

const generated: Departure = { of: 'data', says: 'The set is generated (dSprites-compatible).' };

/** 30 epochs of 11,520 steps: the authors train on all pictures, and measure on them. */
export const spriteBudgets: Study['budgets'] = {
  quick: {
    seeds: [1],
    data: 'dsprites-small',
    set: ['steps=40', 'batchSize=32'],
    departures: ['40 steps: proves the way, not the numbers.'],
  },
  standard: {
    seeds: [1],
    data: 'dsprites-small',
    set: ['steps=12000'],
    departures: [
      'Every second orientation, x and y of the generated (dSprites-compatible) set: 92,160 images.',
      '12,000 steps in place of 30 epochs of 11,520; capacities rise to the same end in as many steps.',
    ],
  },
  paper: {
    seeds: [1, 2, 3, 4, 5],
    set: ['epochs=30'],
    items: 737_280,
    departures: [generated],
  },
};

/** Schedules of the preset, brought to the length of the standard budget. */
const shortened = {
  standard: ['capacityZ=linear(0,30,12000)', 'capacityU=linear(0,5,12000)', 'attentionSlope=linear(1,8,4000)'],
};

export const sprites = {
  data: 'dsprites:part=undivided',
  part: 'all',
  set: ['network=parted-dsprites'],
  metricOptions,
} as const;

export const partedVaeTable1: Study = {
  ...sprites,
  name: 'parted-vae-table-1',
  title: 'PartedVAE, Table 1: unsupervised factor score',
  paper: { cite: partedVaePaper, where: 'Table 1' },
  question: 'Does parting class-related from class-independent factors disentangle dSprites better, without labels?',
  columns,
  arms: [
    row('VAE', 'vae', 0.41),
    row('β-VAE (β = 2)', 'beta-vae', 0.58, ['beta=2']),
    row('FactorVAE (γ = 35)', 'factor-vae', 0.71, ['gamma=35']),
    row('β-TCVAE (β = 5)', 'beta-tcvae', 0.7, ['beta=5']),
    row('HFVAE', 'hfvae', 0.63),
    row('Guided-VAE', 'guided-vae', 0.67),
    row('Guided-β-TCVAE', 'guided-beta-tcvae', 0.73),
    {
      name: 'PartedVAE',
      method: 'parted-vae',
      preset: 'dsprites',
      setAt: shortened,
      theirs: { 'factor score': 0.77 },
    },
  ],
  claims: [
    {
      text: 'PartedVAE is ahead of β-TCVAE, β-VAE and VAE.',
      column: 'factor score',
      order: ['PartedVAE', ['β-TCVAE (β = 5)', 'β-VAE (β = 2)', 'VAE']],
    },
  ],
  budgets: {
    ...spriteBudgets,
    paper: {
      ...spriteBudgets.paper,
      departures: [
        ...spriteBudgets.paper.departures,
        {
          of: 'length',
          says: 'Other rows than PartedVAE’s are partly another paper’s, whose length is not given: they train as long as it does.',
        },
      ],
    },
  },
};

export const withLabels = (labels: number, mean: number, deviation: number): Arm => ({
  name: `${labels} labels`,
  method: 'parted-vae',
  preset: 'dsprites',
  setAt: shortened,
  labels: { labels, labelFactors: ['shape'] },
  theirs: { 'factor score': { mean, deviation } },
});

const amounts = [10_000, 3686, 1000, 737, 100];
const labelled: Departure = {
  of: 'labels',
  says: 'Labelled items are drawn from every shape in proportion; the authors’ are spread over place, angle and scale as well.',
};

export const partedVaeTable2: Study = {
  ...sprites,
  name: 'parted-vae-table-2',
  title: 'PartedVAE, Table 2 and section 5.3: factor score with few labels',
  paper: { cite: partedVaePaper, where: 'Table 2 and section 5.3' },
  question: 'How much do few labels help, and does the Bhattacharyya term matter?',
  columns: [...columns, { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 1, better: 'higher' }],
  arms: [
    withLabels(100, 0.626, 0.04),
    withLabels(737, 0.718, 0.03),
    withLabels(1000, 0.735, 0.04),
    withLabels(3686, 0.881, 0.11),
    withLabels(10_000, 0.905, 0.1),
    {
      ...withLabels(3686, 0.829, 0),
      name: '3686 labels without the Bhattacharyya term',
      set: ['gammaBc=0'],
      theirs: { 'factor score': 0.829 },
    },
  ],
  claims: [
    ...amounts.slice(1).map((fewer, i) => ({
      text: `${amounts[i]} labels make better factors than ${fewer}.`,
      column: 'factor score',
      order: [`${amounts[i]} labels`, `${fewer} labels`] as const,
    })),
    {
      text: 'The Bhattacharyya term helps.',
      column: 'factor score',
      order: ['3686 labels', '3686 labels without the Bhattacharyya term'],
    },
  ],
  budgets: {
    ...spriteBudgets,
    paper: { ...spriteBudgets.paper, departures: [...spriteBudgets.paper.departures, labelled] },
  },
};

/** PartedVAE on MNIST with the first 256 labels, and the length of each budget. */
export const mnistArm: Arm = {
  name: 'PartedVAE',
  method: 'parted-vae',
  preset: 'mnist',
  setAt: {
    standard: [
      'steps=32000',
      'capacityZ=linear(0,4,20000)',
      'capacityU=linear(0,4,20000)',
      'attentionSlope=linear(1,8,10000)',
    ],
    // 60 epochs of 938 batches.
    paper: ['steps=56280', 'learningRate=0.0015'],
  },
  labels: { labels: 256, labelsFrom: 'first' },
  theirs: { accuracy: 95 },
};

export const mnistBudgets: Study['budgets'] = {
  quick: { seeds: [1], set: ['steps=60'], departures: ['60 steps: proves the way, not the number.'] },
  standard: {
    seeds: [1],
    set: [],
    departures: [
      '32,000 steps in place of 56,280 (60 epochs), with the capacities rising in 20,000 of them to the 4 nats that they end at there, at a rate of 5e-4 in place of 1.5e-3.',
      'A tenth of the training digits is held out, so that “the first 256” are among the first 300.',
    ],
  },
  paper: { seeds: [1, 2, 3], set: ['validation=0'], departures: [] },
};

export const partedVaeLabels: Study = {
  name: 'parted-vae-256-labels',
  title: 'PartedVAE: MNIST with 256 labels',
  paper: { cite: partedVaePaper, where: 'section 5.1' },
  question:
    'How well does the encoder classify with 256 labels, against the same encoder trained on those labels alone?',
  data: 'mnist:size=32',
  columns: [
    { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 2, better: 'higher' },
    { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
  ],
  arms: [
    mnistArm,
    {
      name: 'labels alone',
      method: 'classifier',
      set: ['network=parted-mnist', 'steps=3000'],
      labels: { labels: 256, labelsFrom: 'first' },
      theirs: { accuracy: 83 },
    },
  ],
  claims: [
    { text: 'Unlabelled digits help the classifier.', column: 'accuracy', order: ['PartedVAE', 'labels alone'] },
  ],
  budgets: {
    ...mnistBudgets,
    paper: {
      ...mnistBudgets.paper,
      departures: [
        {
          of: 'length',
          says: 'How long the classifier of 256 labels trains is not in the paper: 3,000 steps are ours.',
        },
        { of: 'optimiser', says: 'Nor is its rate: 5e-4 is ours.' },
      ],
    },
  },
};

function row(name: string, method: string, score: number, set: readonly string[] = []): Arm {
  return {
    name,
    method,
    set: ['latents=6', 'batchSize=64', 'learningRate=5e-4', ...set],
    theirs: { 'factor score': score },
  };
}
