/** The latent code as a list of named blocks: what every method, metric, picture and page speaks of. */

/**
 * What a block stands for: `shared` by all data, `salient` in the target alone, the discrete `class`, or continuous factors
 * that belong to a class.
 */
export type Role = (typeof roles)[number];
export const roles = ['shared', 'salient', 'class', 'class-related'] as const;

/** How a block is distributed: Gaussian, each dimension by itself, or one class of several. */
export type Kind = (typeof blockKinds)[number];
export const blockKinds = ['gaussian', 'categorical'] as const;

/** A named part of the latent code. */
export interface Block {
  name: string;
  size: number;
  kind: Kind;
  role: Role;
  /** The class block that this one belongs to: its class decides the prior, or whether the block counts at all. */
  dependsOn?: string;
  /** The class of `dependsOn` whose factors this block holds, where it belongs to one class alone. */
  class?: number;
}

/** A block of a trained model, with what was learned of it. */
export interface ModelBlock extends Block {
  /** Mean KL of each dimension on validation items, in nats: how much it carries. */
  kl?: number[];
  /** The code of items that lack what the block stands for. */
  neutral?: number[];
  /** A learned prior, with a row for each class of `dependsOn`; N(0, I) if there is none. */
  prior?: { mean: number[][]; logVariance: number[][] };
}

/** The encoder's outputs of a block: its means with their log variances, or the probabilities of its classes. */
export function outputsOf({ name, kind }: Pick<Block, 'name' | 'kind'>): { values: string; logVariance?: string } {
  return kind === 'gaussian'
    ? { values: `${name} mean`, logVariance: `${name} log variance` }
    : { values: `${name} probabilities` };
}

/**
 * Blocks of which each names the class block that it depends on. Models that were written before blocks said so have their
 * class-related blocks in the order of the class blocks; those of single classes belong to the first.
 */
export function withDependencies<B extends ModelBlock>(blocks: readonly B[]): B[] {
  const classes = blocks.filter(({ role }) => role === 'class');
  const related = blocks.filter((block) => block.class === undefined && isRelated(block));
  return blocks.map((block) => {
    if (block.dependsOn !== undefined || !isRelated(block)) return block;
    const fits = ({ size }: Block) => block.prior === undefined || size === block.prior.mean.length;
    const inOrder = classes.slice(block.class === undefined ? Math.min(related.indexOf(block), classes.length - 1) : 0);
    const found = inOrder.find(fits) ?? classes.find(fits);
    return found ? { ...block, dependsOn: found.name } : block;
  });
}

const isRelated = ({ role, prior }: ModelBlock) => role === 'class-related' || (prior?.mean.length ?? 1) > 1;
