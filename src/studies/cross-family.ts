/** A study of our own: every method that codes images, on one set, by every measure that applies. */
import type { Arm, Column, Study } from './study.ts';

const columns: Column[] = [
  { name: 'FactorVAE', metric: 'factor-vae', digits: 3, better: 'higher' },
  { name: 'Z-diff', metric: 'z-diff', digits: 3, better: 'higher' },
  { name: 'MIG', metric: 'mig', digits: 3, better: 'higher' },
  { name: 'SAP', metric: 'sap', digits: 3, better: 'higher' },
  { name: 'DCI', metric: 'dci', digits: 3, better: 'higher' },
  { name: 'completeness', metric: 'dci', part: 'completeness', digits: 3, better: 'higher' },
  { name: 'informativeness', metric: 'dci', part: 'informativeness', digits: 3, better: 'higher' },
  { name: 'modularity', metric: 'modularity', digits: 3, better: 'higher' },
  { name: 'explicitness', metric: 'explicitness', digits: 3, better: 'higher' },
  { name: 'IRS', metric: 'irs', digits: 3, better: 'higher' },
  { name: 'total correlation', metric: 'unsupervised', digits: 2, better: 'lower' },
  { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
];

/** A method that learns from the images alone. */
function unlabelled(name: string, method: string, ...set: string[]): Arm {
  return { name, method, set: ['latents=10', ...set] };
}

/** Against the smallest sprites as the background: what the target adds is scale. */
function contrasted(name: string, method: string): Arm {
  return {
    name,
    method,
    set: ['zLatents=8', 'sLatents=2'],
    choice: { where: 'scale >= 0', backgroundWhere: 'scale = 0' },
  };
}

/** A capacity that reaches its end at three quarters of the training. */
const rising = (name: string, to: number) => ({
  standard: [`${name}=linear(0,${to},1875)`],
  paper: [`${name}=linear(0,${to},15000)`],
});

/** PartedVAE with the schedules of its preset brought to the length of the training. */
const parted: Arm = {
  name: 'PartedVAE',
  method: 'parted-vae',
  preset: 'dsprites',
  setAt: {
    standard: ['capacityZ=linear(0,30,2500)', 'capacityU=linear(0,5,2500)', 'attentionSlope=linear(1,8,1000)'],
    paper: ['capacityZ=linear(0,30,20000)', 'capacityU=linear(0,5,20000)', 'attentionSlope=linear(1,8,8000)'],
  },
};

const shapes = { labelFactors: ['shape'] };
const generated = 'The set is generated (dSprites-compatible).';

export const everyMethod: Study = {
  name: 'every-method',
  title: 'Every method on one set',
  paper: { cite: 'a study of untangle’s own', where: 'no table to compare with' },
  question: 'How do all methods stand to each other when network, data, length and measures are the same?',
  data: 'dsprites-small',
  set: ['network=parted-dsprites', 'batchSize=64', 'learningRate=5e-4'],
  columns,
  arms: [
    unlabelled('VAE', 'vae'),
    unlabelled('β-VAE (4)', 'beta-vae', 'beta=4'),
    { ...unlabelled('annealed VAE', 'annealed-vae', 'gamma=100'), setAt: rising('capacity', 25) },
    unlabelled('DIP-VAE-I (10)', 'dip-vae-i', 'lambdaOffDiagonal=10', 'lambdaDiagonal=100'),
    unlabelled('DIP-VAE-II (10)', 'dip-vae-ii', 'lambdaOffDiagonal=10', 'lambdaDiagonal=10'),
    unlabelled('InfoVAE', 'info-vae'),
    unlabelled('FactorVAE (35)', 'factor-vae', 'gamma=35'),
    unlabelled('β-TCVAE (6)', 'beta-tcvae', 'beta=6'),
    unlabelled('sVAE', 'svae'),
    unlabelled('HFVAE', 'hfvae'),
    unlabelled('Guided-VAE', 'guided-vae'),
    unlabelled('Guided-β-TCVAE', 'guided-beta-tcvae'),
    {
      name: 'JointVAE',
      method: 'joint-vae',
      preset: 'dsprites',
      setAt: {
        standard: ['capacityZ=linear(0,25,1875)', 'capacityC=linear(0,1.1,1875)'],
        paper: ['capacityZ=linear(0,25,15000)', 'capacityC=linear(0,1.1,15000)'],
      },
    },
    parted,
    { ...parted, name: 'PartedVAE (1000 shapes)', labels: { labels: 1000, ...shapes } },
    {
      name: 'M2 (1000 shapes)',
      method: 'm2-vae',
      set: ['latents=10', 'alpha=10'],
      labels: { labels: 1000, ...shapes },
    },
    {
      name: 'CCVAE (1000 shapes)',
      method: 'ccvae',
      set: ['latents=9', 'classLatents=1', 'gamma=10'],
      labels: { labels: 1000, ...shapes },
    },
    { name: 'InfoGAN', method: 'infogan', set: ['classes=3', 'codes=5', 'latents=10'] },
    { name: 'N-VAE (shapes)', method: 'n-vae', set: ['latents=7', 'classLatents=1'], labels: shapes },
    { name: 'conditional VAE (shapes)', method: 'conditional-vae', set: ['latents=10'], labels: shapes },
    contrasted('Eq. 3 (base)', 'contrastive-vae'),
    contrasted('cVAE', 'cvae-tc'),
    contrasted('Eq. 7', 'contrastive-correct'),
    contrasted('Eq. 8', 'contrastive-w2'),
    contrasted('MM-cVAE', 'mm-cvae'),
    contrasted('SepVAE', 'sep-vae'),
    contrasted('clvm', 'clvm'),
    contrasted('Rb-VAE', 'rb-vae'),
    contrasted('sRb-VAE', 'srb-vae'),
  ],
  claims: [],
  budgets: {
    quick: {
      seeds: [1],
      set: ['steps=40', 'batchSize=32'],
      departures: ['40 steps: proves the way, not the numbers.'],
    },
    standard: {
      seeds: [1],
      set: ['steps=2500', 'learningRate=1e-3'],
      departures: [generated, '2,500 steps at 1e-3 in place of 20,000 at 5e-4.'],
    },
    paper: { seeds: [1, 2, 3], set: ['steps=20000'], departures: [generated] },
  },
};
