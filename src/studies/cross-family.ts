/** A study of our own: every unsupervised method on one set, by every family of measures. */
import type { Study } from './study.ts';

const budget = { seeds: [1, 2, 3], set: ['steps=20000'], departures: ['The set is generated (dSprites-compatible).'] };

export const everyMethod: Study = {
  name: 'every-method',
  title: 'Every unsupervised method on one set',
  paper: { cite: 'a study of untangle’s own', where: 'no table to compare with' },
  question: 'How do all unsupervised methods stand to each other when network, data, length and measures are the same?',
  data: 'dsprites-small',
  set: ['network=parted-dsprites', 'latents=10', 'batchSize=64', 'learningRate=5e-4'],
  columns: [
    { name: 'FactorVAE', metric: 'factor-vae', digits: 3, better: 'higher' },
    { name: 'MIG', metric: 'mig', digits: 3, better: 'higher' },
    { name: 'DCI', metric: 'dci', digits: 3, better: 'higher' },
    { name: 'SAP', metric: 'sap', digits: 3, better: 'higher' },
    { name: 'modularity', metric: 'modularity', digits: 3, better: 'higher' },
    { name: 'reconstruction', metric: 'reconstruction', digits: 4, better: 'lower' },
  ],
  arms: [
    { name: 'VAE', method: 'vae' },
    { name: 'β-VAE (4)', method: 'beta-vae', set: ['beta=4'] },
    {
      name: 'annealed VAE',
      method: 'annealed-vae',
      set: ['gamma=100'],
      // The capacity reaches its end at three quarters of the training.
      setAt: { standard: ['capacity=linear(0,25,3750)'], paper: ['capacity=linear(0,25,15000)'] },
    },
    { name: 'DIP-VAE-I (10)', method: 'dip-vae-i', set: ['lambdaOffDiagonal=10', 'lambdaDiagonal=100'] },
    { name: 'DIP-VAE-II (10)', method: 'dip-vae-ii', set: ['lambdaOffDiagonal=10', 'lambdaDiagonal=10'] },
    { name: 'FactorVAE (35)', method: 'factor-vae', set: ['gamma=35'] },
    { name: 'β-TCVAE (6)', method: 'beta-tcvae', set: ['beta=6'] },
    { name: 'sVAE', method: 'svae' },
    { name: 'HFVAE', method: 'hfvae' },
    { name: 'Guided-VAE', method: 'guided-vae' },
    { name: 'Guided-β-TCVAE', method: 'guided-beta-tcvae' },
  ],
  claims: [],
  budgets: {
    quick: {
      ...budget,
      seeds: [1],
      set: ['steps=40', 'batchSize=32'],
      departures: ['40 steps: proves the way, not the numbers.'],
    },
    standard: {
      seeds: [1],
      set: ['steps=5000', 'learningRate=1e-3'],
      departures: [...budget.departures, '5,000 steps at 1e-3 in place of 20,000 at 5e-4; one seed.'],
    },
    paper: budget,
  },
};
