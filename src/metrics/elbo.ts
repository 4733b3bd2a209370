/**
 * The evidence lower bound, E ln p(x|z) − KL(q(z|x) ‖ p(z)), from posteriors and reconstructions: summed over pixels and
 * dimensions, averaged over the items that have a reconstruction, in nats. The prior is N(0, I) unless one was learned.
 */

import { UntangleError } from '../errors.ts';
import { choice, number } from '../options/index.ts';
import { klPerDimension, withVariance } from './kl.ts';
import { defineMetric } from './metric.ts';
import { reconstructionErrors } from './reconstruction.ts';

export const elbo = defineMetric({
  name: 'elbo',
  title: 'ELBO',
  version: '2',
  needs: ['codes', 'log variances', 'reconstructions'],
  describe: 'the evidence lower bound in nats an item, from the given reconstructions',
  better: 'higher',
  options: {
    likelihood: choice('of a pixel given its code', ['bernoulli', 'gaussian', 'laplace'], { default: 'bernoulli' }),
    scale: number('standard deviation of the Gaussian, scale of the Laplace likelihood', {
      default: 1,
      above: 0,
      schedulable: false,
    }),
  },
  optionsOf: ({ reconstructions }) => ({ ...reconstructions.likelihood }),
  score({ codes, reconstructions }, { likelihood, scale }) {
    const { original, reconstruction, n, size } = reconstructions;
    if (n > codes.n)
      throw new UntangleError(`There are ${n} reconstructions for ${codes.n} rows of codes.`, { kind: 'call' });
    const errors = reconstructionErrors(original, reconstruction);
    if (likelihood === 'bernoulli' && errors.crossEntropy === undefined)
      throw new UntangleError('A Bernoulli likelihood needs images with values in 0 … 1.', {
        hint: 'Set likelihood to gaussian or laplace.',
      });
    const logLikelihood = {
      bernoulli: () => -errors.crossEntropy! / n,
      gaussian: () => -errors.squared / (2 * scale * scale * n) - (size * Math.log(2 * Math.PI * scale * scale)) / 2,
      laplace: () => -errors.absolute / (scale * n) - size * Math.log(2 * scale),
    }[likelihood]();
    const kl = klPerDimension({ ...withVariance(codes), n }).reduce((sum, value) => sum + value, 0);
    return { score: logLikelihood - kl, parts: { logLikelihood, kl } };
  },
});
