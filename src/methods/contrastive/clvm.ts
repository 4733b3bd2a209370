/**
 * The contrastive latent variable model with networks (Severson, Ghosh and Ng 2019): a target item is f(z) + g(s) + noise and a
 * background item f(z) + noise, with z and s standard normal. It minimises the negative ELBOs of both sets, whose posteriors
 * encoders give. The paper's t is the block s here; g(0) is taken off, so that a target item without s is a background item.
 */
import { UntangleError } from '../../errors.ts';
import { likelihoodFor } from '../../objectives/index.ts';
import { number, withDefault } from '../../options/index.ts';
import { log, type Tensor } from '../../tensor/index.ts';
import type { Context } from '../method.ts';
import {
  beta,
  bound,
  type ContrastiveSettings,
  contrastiveFamily,
  contrastiveOptions,
  contrastivePresets,
} from './family.ts';

const additiveMethod = contrastiveFamily(
  'zero',
  { ...contrastiveOptions, encoders: withDefault(contrastiveOptions.encoders, 'two') },
  'of a sum',
);

export const clvm = additiveMethod({
  name: 'clvm',
  title: 'Contrastive LVM',
  summary: 'Adds what the salient code draws to what the shared one draws; the background has the latter alone.',
  paper: { cite: 'Severson, Ghosh and Ng 2019', equations: 'the non-linear model and its bound' },
  options: {
    beta: withDefault(beta, 1),
    freedom: number('Student-t items with so many degrees of freedom, of which odd ones count less; 0 for none', {
      default: 0,
      min: 0,
      schedulable: false,
    }),
  },
  presets: Object.fromEntries(Object.entries(contrastivePresets).map(([name, given]) => [name, { ...given, beta: 1 }])),
  objective({ terms, reconstructions: { target, background }, context }, { beta, freedom, ...settings }) {
    if (freedom === 0) return { minimises: bound(terms, beta) };
    const robust = (squared: Tensor) => studentLoss(squared, sizeOf(context, settings), freedom).mean();
    const own = { reconstruction: robust(target), 'background reconstruction': robust(background) };
    return { minimises: bound({ ...terms, ...own }, beta), terms: own };
  },
});

/**
 * (ν + d)/2 · ln(1 + ‖x − x̂‖²/νσ²): −ln of a multivariate t of d numbers and ν degrees of freedom without its constants, from the
 * Gaussian ‖x − x̂‖²/2σ² of each item.
 */
function studentLoss(gaussian: Tensor, d: number, freedom: number): Tensor {
  return log(gaussian.times(2 / freedom).plus(1)).times((freedom + d) / 2);
}

/** How many numbers an item has, where the likelihood is the one that Student-t makes robust. */
function sizeOf({ item, range, counts }: Context, { likelihood }: Pick<ContrastiveSettings, 'likelihood'>): number {
  const is = likelihood === 'auto' ? likelihoodFor(range) : likelihood;
  if (is !== 'gaussian' || counts)
    throw new UntangleError(
      `Student-t items are Gaussian ones with weights; the likelihood is ${counts ? 'one of counts' : is}.`,
      { kind: 'call', hint: 'Add --set likelihood=gaussian, or leave freedom at 0.' },
    );
  return item.kind === 'table' ? item.columns.length : item.channels * item.height * item.width;
}
