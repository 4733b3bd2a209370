/** The tables of PartedVAE: factor scores without and with few labels, and a classifier of 256 labels. */
import type { Arm, Column, Study } from './study.ts';

const cite = 'Hajimiri et al. 2021';

/** The factor score as the authors' own code measures it, which is not that of other libraries. */
const columns: Column[] = [
  { name: 'factor score', metric: 'factor-vae', digits: 3, better: 'higher' },
  { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
];
const metricOptions = { 'factor-vae': { protocol: 'parted-vae', batch: 100, pruneStd: 0.1 } };

const budgets: Study['budgets'] = {
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
    departures: ['The set is generated (dSprites-compatible).'],
  },
};

/** Schedules of the preset, brought to the length of the standard budget. */
const shortened = {
  standard: ['capacityZ=linear(0,30,12000)', 'capacityU=linear(0,5,12000)', 'attentionSlope=linear(1,8,4000)'],
};

export const partedVaeTable1: Study = {
  name: 'parted-vae-table-1',
  title: 'PartedVAE, Table 1: unsupervised factor score',
  paper: { cite, where: 'Table 1' },
  question: 'Does parting class-related from class-independent factors disentangle dSprites better, without labels?',
  data: 'dsprites',
  set: ['network=parted-dsprites'],
  columns,
  metricOptions,
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
  budgets,
};

const withLabels = (labels: number, mean: number, deviation: number): Arm => ({
  name: `${labels} labels`,
  method: 'parted-vae',
  preset: 'dsprites',
  setAt: shortened,
  labels: { labels, labelFactors: ['shape'] },
  theirs: { 'factor score': { mean, deviation } },
});

export const partedVaeTable2: Study = {
  name: 'parted-vae-table-2',
  title: 'PartedVAE, Table 2 and section 5.3: factor score with few labels',
  paper: { cite, where: 'Table 2 and section 5.3' },
  question: 'How much do few labels help, and does the Bhattacharyya term matter?',
  data: 'dsprites',
  set: ['network=parted-dsprites'],
  columns: [...columns, { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 1, better: 'higher' }],
  metricOptions,
  arms: [
    withLabels(100, 0.626, 0.04),
    withLabels(1000, 0.735, 0.04),
    withLabels(3686, 0.881, 0.11),
    {
      ...withLabels(3686, 0.829, 0),
      name: '3686 labels without the Bhattacharyya term',
      set: ['gammaBc=0'],
      theirs: { 'factor score': 0.829 },
    },
  ],
  claims: [
    {
      text: 'More labels, better factors.',
      column: 'factor score',
      order: ['3686 labels', '1000 labels', '100 labels'],
    },
    {
      text: 'The Bhattacharyya term helps.',
      column: 'factor score',
      order: ['3686 labels', '3686 labels without the Bhattacharyya term'],
    },
  ],
  budgets,
};

export const partedVaeLabels: Study = {
  name: 'parted-vae-256-labels',
  title: 'PartedVAE: MNIST with 256 labels',
  paper: { cite, where: 'section 5.1' },
  question:
    'How well does the encoder classify with 256 labels, against the same encoder trained on those labels alone?',
  data: 'mnist:size=32',
  columns: [
    { name: 'accuracy', metric: 'class-accuracy', factor: 100, digits: 2, better: 'higher' },
    { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
  ],
  arms: [
    {
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
        paper: ['epochs=60'],
      },
      labels: { labels: 256, labelsFrom: 'first' },
      theirs: { accuracy: 95 },
    },
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
  figures: [
    { title: 'Class-related factors (Fig. 4)', arm: 'PartedVAE', kind: 'classes' },
    { title: 'Class-independent factors (Fig. 4)', arm: 'PartedVAE', kind: 'traversal' },
    { title: 'Attributes put on another digit (Fig. 5)', arm: 'PartedVAE', kind: 'transfer' },
  ],
  budgets: {
    quick: { seeds: [1], set: ['steps=60'], departures: ['60 steps: proves the way, not the number.'] },
    standard: {
      seeds: [1],
      set: [],
      departures: [
        '32,000 steps in place of 56,280 (60 epochs), with the capacities rising in 20,000 of them to the 4 nats that they end at there.',
      ],
    },
    paper: { seeds: [1, 2, 3], set: [], departures: [] },
  },
};

function row(name: string, method: string, score: number, set: readonly string[] = []): Arm {
  return { name, method, set: ['latents=6', ...set], theirs: { 'factor score': score } };
}
