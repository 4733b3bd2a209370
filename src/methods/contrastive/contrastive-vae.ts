/**
 * The contrastive VAE (contrastive paper, Eq. 3), which cVAE and Rb-VAE start from: the negative ELBOs of target and background,
 * where the background is decoded without a salient code. Nothing keeps the background's s at zero, nor the target's s out of z.
 */
import { beta, bound, contrastiveMethod, contrastivePresets } from './family.ts';

export const contrastiveVae = contrastiveMethod({
  name: 'contrastive-vae',
  title: 'Contrastive VAE',
  summary: 'Decodes the background without the salient code: the base of its family.',
  paper: { cite: 'Towards Principled Objectives for Contrastive Disentanglement', equations: 'Eq. 3' },
  options: { beta },
  presets: contrastivePresets,
  objective: ({ terms }, settings) => ({ minimises: bound(terms, settings.beta) }),
});
