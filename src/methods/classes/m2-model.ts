/** What both ways of inference of M2 stand on, and what they give. */
import type { Block } from '../../model/index.ts';
import { apply, type Build } from '../../nn/index.ts';
import type { GaussianPosterior } from '../../objectives/index.ts';
import { concat, stackRows, type Tensor, unstackRows } from '../../tensor/index.ts';
import { type AutoencoderSettings, gaussianHead, reconstructionsOf } from '../autoencoder.ts';
import type { Context } from '../method.ts';
import { joinLayers } from './conditional-vae.ts';

export interface M2Model {
  context: Context;
  settings: AutoencoderSettings & { latents: number; samples: number; temperature: Tensor };
  /** A class block for each variable. */
  y: readonly Block[];
  features(b: Build, x: Tensor): Tensor;
  logits(b: Build, h: Tensor): Tensor[];
  decoded(b: Build, z: Tensor, code: Tensor): Tensor;
}

export interface M2Inference {
  encode(b: Build, x: Tensor): { logits: Tensor[]; z: GaussianPosterior };
  /** The three parts of U(x), mean over the batch. */
  unlabelled(b: Build): { reconstruction: Tensor; 'kl z': Tensor; 'kl y': Tensor };
  /** What a labelled item's bound costs, mean over the batch, and what is logged of it. */
  labelled(b: Build): { bound: Tensor; terms: { classification: Tensor } & Record<string, Tensor> };
}

/** Features with something that can change what is read off them: a class, or a code. */
export function joinedInputs(b: Build, h: Tensor, other: Tensor): Tensor {
  return apply(b.at('join'), joinLayers, concat([h, other], 1));
}

/** q(z|·) off features. */
export function posteriorOfZ(b: Build, h: Tensor, { settings }: M2Model): GaussianPosterior {
  return gaussianHead(b.at('z'), h, settings.latents);
}

/** −ln p(x|y, z) of each item for several codes of it: all of them in one pass through the decoder. */
export function costsOf(
  b: Build,
  { context, settings, decoded }: M2Model,
  x: Tensor,
  codes: readonly { z: Tensor; y: Tensor }[],
): Tensor[] {
  const output = decoded(b, stackRows(codes.map(({ z }) => z)), stackRows(codes.map(({ y }) => y)));
  const items = codes.map(() => x);
  return unstackRows(reconstructionsOf(output, stackRows(items), context, settings), items);
}
