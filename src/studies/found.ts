/** Settings that our searches found, by method and name: not the papers', and made for half an hour on one core. */
import type { Preset } from '../methods/index.ts';

const styledMnist: Preset = {
  network: 'reference-64-narrow',
  zLatents: 32,
  sLatents: 32,
  // The scale as well, or its 2,500 steps go to pixels alone.
  scale: 0.1,
  learningRate: 'linear(0.001,0.0002,2500)',
  steps: 2500,
};

export const foundPresets: Readonly<Record<string, Readonly<Record<string, Preset>>>> = {
  'dip-vae-ii': {
    // Eleven minutes on one core, for `dsprites-small`: the best of a search, with weights for batches of 64.
    'dsprites-short': {
      lambdaOffDiagonal: 'linear(200,60,3500)',
      lambdaDiagonal: 'linear(200,60,3500)',
      lambdaThird: 30,
      latents: 10,
      network: 'parted-dsprites',
      batchSize: 64,
      learningRate: 1e-3,
      steps: 4000,
    },
  },
  'contrastive-w2': {
    // Four dimensions are what the grass of Grassy-MNIST fills: in more there is room for digits. Batches of 32 learn more from as
    // many items than those of 128, and a digit has half of its contrast there, so that it takes a small scale to weigh it.
    'grassy-mnist-short': {
      zLatents: 4,
      sLatents: 8,
      likelihood: 'gaussian',
      scale: 0.07,
      independence: 300,
      network: 'parted-mnist',
      batchSize: 32,
      learningRate: 'linear(0.001,0.0001,30000)',
      steps: 30_000,
    },
  },
  'rb-vae': { 'styled-mnist-short': styledMnist },
  'srb-vae': { 'styled-mnist-short': styledMnist },
};
