/**
 * HFVAE (Esmaeili et al. 2019, Eq. 6): the KL of the ELBO taken apart twice. Weights: α on the mutual information of items and
 * codes, β on the total correlation between groups of dimensions, γ on the total correlation inside each group; the KL of each
 * dimension has weight 1. With one dimension in each group, or one group, this is β-TCVAE.
 */
import { UntangleError } from '../../errors.ts';
import { aggregateDensity, logStandardNormal } from '../../objectives/index.ts';
import { list, number } from '../../options/index.ts';
import { vaeMethod } from './family.ts';

export const hfvae = vaeMethod({
  name: 'hfvae',
  title: 'HFVAE',
  summary: 'Weighs the correlation between groups of dimensions apart from that inside a group.',
  paper: { cite: 'Esmaeili et al. 2019', equations: 'Eq. 6' },
  options: {
    groups: list('sizes of the groups of dimensions; two halves if empty', { of: 'integer', default: [], min: 1 }),
    alpha: number('weight of the mutual information of items and codes', { default: 1, min: 0 }),
    beta: number('weight of the total correlation between groups', { default: 4, min: 0 }),
    gamma: number('weight of the total correlation inside groups', { default: 3, min: 0 }),
  },
  objective({ reconstruction, posterior, z, context }, { latents, groups: given, alpha, beta, gamma }) {
    const { given: ofItem, joint, marginals, ofGroup } = aggregateDensity(posterior, z, context.items, 'corrected');
    const ofGroups = groupsOf(given, latents)
      .map(([start, end]) => ofGroup(start, end))
      .reduce((sum, one) => sum.plus(one));
    const ofDimensions = marginals.sum(1);
    const mutualInformation = ofItem.minus(joint).mean();
    const between = joint.minus(ofGroups).mean();
    const inside = ofGroups.minus(ofDimensions).mean();
    const dimensionWiseKl = ofDimensions.minus(logStandardNormal(z).sum(1)).mean();
    return {
      minimises: reconstruction
        .plus(mutualInformation.times(alpha))
        .plus(between.times(beta))
        .plus(inside.times(gamma))
        .plus(dimensionWiseKl),
      terms: {
        'mutual information': mutualInformation,
        'correlation between groups': between,
        'correlation inside groups': inside,
        'dimension-wise kl': dimensionWiseKl,
      },
    };
  },
});

/** The first dimension of each group and the one after its last. */
function groupsOf(sizes: readonly number[], latents: number): [number, number][] {
  const half = Math.ceil(latents / 2);
  const chosen = sizes.length > 0 ? sizes : [half, latents - half].filter((size) => size > 0);
  let start = 0;
  const groups = chosen.map((size): [number, number] => [start, (start += size)]);
  if (start !== latents) {
    throw new UntangleError(`The groups ${chosen.join(', ')} hold ${start} dimensions, but the code has ${latents}.`, {
      kind: 'call',
      hint: 'Set groups to sizes that add up to latents, such as groups=4,3,3 with latents=10.',
    });
  }
  return groups;
}
