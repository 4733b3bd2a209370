/** Class blocks of methods that learn from labels: one for each variable that labels tell. */
import { UntangleError } from '../../errors.ts';
import type { Block } from '../../model/index.ts';
import { accuracy, crossEntropy } from '../../objectives/index.ts';
import { concat, softmax, type Tensor } from '../../tensor/index.ts';
import type { Context, Posterior } from '../method.ts';

/** A categorical block for each variable: `y`, or `y hair colour` and so on where there are several. */
export function classBlocks({ variables }: Context, symbol = 'y'): Block[] {
  if (variables.length === 0) throw new UntangleError('There are no labels to learn from.', { kind: 'call' });
  return variables.map(({ name, classes }) => ({
    name: variables.length === 1 ? symbol : `${symbol} ${name}`,
    size: classes.length,
    kind: 'categorical',
    role: 'class',
  }));
}

/** Categorical blocks without labels, of so many classes each: `c`, or `c1`, `c2` and so on where there are several. */
export function discreteBlocks(classes: readonly number[]): Block[] {
  return classes.map((size, k) => ({
    name: classes.length === 1 ? 'c' : `c${k + 1}`,
    size,
    kind: 'categorical',
    role: 'class',
  }));
}

/** The codes of blocks, side by side. */
export function joinedCodes(blocks: readonly Block[], codes: Record<string, Tensor>): Tensor {
  return concat(
    blocks.map(({ name }) => codes[name]),
    1,
  );
}

/** The parts of rows that stand side by side, by their sizes. */
export function parts(rows: Tensor, sizes: readonly number[]): Tensor[] {
  let start = 0;
  return sizes.map((size) => rows.slice(1, start, (start += size)));
}

/** q(c|x) of class blocks, from their logits. */
export function classPosteriors(blocks: readonly Block[], logits: readonly Tensor[]): Record<string, Posterior> {
  return Object.fromEntries(
    logits.map((one, k) => [blocks[k].name, { kind: 'categorical', probabilities: softmax(one) }]),
  );
}

/** The cross-entropy of known classes, summed over variables, and the share of right guesses, averaged over them. */
export function classTerms(
  logits: readonly Tensor[],
  y: readonly Tensor[],
): { classification: Tensor; accuracy: Tensor } {
  return {
    classification: total(logits.map((one, k) => crossEntropy(one, y[k]))),
    accuracy: total(logits.map((one, k) => accuracy(one, y[k]))).times(1 / logits.length),
  };
}

/** The sum of tensors of one shape. */
export function total(tensors: readonly Tensor[]): Tensor {
  return tensors.reduce((sum, one) => sum.plus(one));
}

/** The classes of the one variable that a method takes. */
export function onlyVariable({ variables }: Context, title: string): readonly string[] {
  if (variables.length === 1) return variables[0].classes;
  throw new UntangleError(
    `${title} takes one label for each item; there are ${variables.length}: ${variables.map(({ name }) => name).join(', ')}.`,
    { kind: 'call', hint: 'Name one of them, or take parted-vae, which learns from several labels.' },
  );
}

/** The share of the items whose labels are seen. */
export function labelShare({ items, labelled }: Context): number {
  return Math.min(1, labelled / items);
}

/** −ln p(y) of any classes under a uniform prior, in nats. */
export function surpriseOfClasses(y: readonly Block[]): number {
  return y.reduce((sum, { size }) => sum + Math.log(size), 0);
}
