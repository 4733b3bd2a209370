/** The latent code as a list of named blocks: what every method, metric, picture and page speaks of. */

/**
 * What a block stands for: `shared` by all data, `salient` in the target alone, the discrete `class`, or continuous factors
 * that belong to a class.
 */
export type Role = 'shared' | 'salient' | 'class' | 'class-related';

/** How a block is distributed: Gaussian, each dimension by itself, or one class of several. */
export type Kind = 'gaussian' | 'categorical';

/** A named part of the latent code. */
export interface Block {
  name: string;
  size: number;
  kind: Kind;
  role: Role;
  /** The class whose factors this block holds, where it belongs to one class alone. */
  class?: number;
}
