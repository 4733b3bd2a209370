/**
 * The reference-based VAE (Ruiz et al. 2019, Eq. 3): the negative ELBOs of target and reference items, where a reference item is
 * decoded from its z and a learned e^r, the same for all. The paper's target factors e are the block s here.
 */
import { withDefault } from '../../options/index.ts';
import { bound, contrastiveFamily, contrastiveOptions } from './family.ts';

/** Makes a method of the paper's model: with a learned s⁰, and with its own sizes, encoders and likelihood (section 5.2). */
export const referenceMethod = contrastiveFamily('learned', {
  ...contrastiveOptions,
  zLatents: withDefault(contrastiveOptions.zLatents, 32),
  sLatents: withDefault(contrastiveOptions.sLatents, 32),
  encoders: withDefault(contrastiveOptions.encoders, 'two'),
  likelihood: withDefault(contrastiveOptions.likelihood, 'laplace'),
  scale: withDefault(contrastiveOptions.scale, 0.01),
});

/** The paper's optimiser and batch (section 5.2). */
export const referenceTraining = { learningRate: 1e-4, beta1: 0.5, beta2: 0.99, batchSize: 36 };

export const referencePresets = {
  'styled-mnist': { network: 'reference-64', zLatents: 32, sLatents: 32, epochs: 30 },
  affectnet: { network: 'reference-96', zLatents: 32, sLatents: 32, epochs: 20 },
};

export const rbVae = referenceMethod({
  name: 'rb-vae',
  title: 'Rb-VAE',
  summary: 'Decodes reference items with a learned salient code that they all share.',
  paper: { cite: 'Ruiz, Martinez, Binefa and Verbeek 2019', equations: 'Eq. 3' },
  options: {},
  presets: referencePresets,
  training: referenceTraining,
  objective: ({ terms }) => ({ minimises: bound(terms) }),
});
