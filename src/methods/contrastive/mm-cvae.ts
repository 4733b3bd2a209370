/**
 * MM-cVAE (Weinberger, Beebe-Wang and Lee 2022): Eq. 3 + λ_z MMD²(q̂_t(z), q̂_b(z)) + λ_s MMD²(q̂_b(s), δ₀). The shared codes of
 * both sets are to be of one law, and the background's salient codes to lie at the point 0; both are told by the maximum mean
 * discrepancy of a batch's samples, in place of W2 and of a square.
 */
import { manyWidths, maximumMeanDiscrepancy, sample } from '../../objectives/index.ts';
import { number, withDefault } from '../../options/index.ts';
import { constant } from '../../tensor/index.ts';
import { beta, bound, contrastiveMethod, contrastiveOptions, contrastivePresets } from './family.ts';

export const mmCvae = contrastiveMethod({
  name: 'mm-cvae',
  title: 'MM-cVAE',
  summary: 'Draws the sets’ shared codes together and the background’s salient codes to zero, by their moments (MMD).',
  paper: {
    cite: 'Weinberger, Beebe-Wang and Lee 2022',
    equations: 'the cVAE’s bound with two discrepancies, section 3',
  },
  options: {
    zLatents: withDefault(contrastiveOptions.zLatents, 10),
    sLatents: withDefault(contrastiveOptions.sLatents, 5),
    encoders: withDefault(contrastiveOptions.encoders, 'two'),
    beta: withDefault(beta, 1),
    // The authors' 10⁴ and 10³ stand beside losses that are summed over 128 items; ours are means over items.
    lambdaZ: number('weight λ_z of the discrepancy between the sets’ shared codes', { default: 78, min: 0 }),
    lambdaS: number('weight λ_s of the discrepancy between the background’s salient codes and 0', {
      default: 7.8,
      min: 0,
    }),
  },
  presets: Object.fromEntries(Object.entries(contrastivePresets).map(([name, given]) => [name, { ...given, beta: 1 }])),
  objective({ terms, target, background }, { beta, sLatents, lambdaZ, lambdaS }) {
    const s = sample(background.posteriors.s, background.b.noise('background noise of s', [sLatents], 'normal'));
    const nothing = constant(new Float32Array(sLatents), [1, sLatents]);
    const mmdZ = maximumMeanDiscrepancy(target.z, background.z, manyWidths);
    const mmdS = maximumMeanDiscrepancy(s, nothing, manyWidths);
    return {
      minimises: bound(terms, beta).plus(mmdZ.times(lambdaZ)).plus(mmdS.times(lambdaS)),
      terms: { 'mmd z': mmdZ, 'mmd s': mmdS },
    };
  },
});
