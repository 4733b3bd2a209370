/** Guided-β-TCVAE, which Ding et al. 2020 compare on dSprites: the deformable PCA of Guided-VAE beside the objective of β-TCVAE. */
import { tcDsprites, tcObjective, tcOptions } from './beta-tcvae.ts';
import { vaeMethod } from './family.ts';
import { deformablePca, guideOptions } from './guided-vae.ts';

export const guidedBetaTcvae = vaeMethod({
  name: 'guided-beta-tcvae',
  title: 'Guided-β-TCVAE',
  summary: 'β-TCVAE with the guide of Guided-VAE.',
  paper: { cite: 'Ding et al. 2020; Chen et al. 2018', equations: 'section 3.2; Eq. 4' },
  options: { ...tcOptions, ...guideOptions },
  presets: { dsprites: tcDsprites },
  objective(parts, { guide, ...settings }) {
    const { minimises, terms } = tcObjective(parts, settings);
    const { guided, orthogonality } = deformablePca(parts);
    return {
      minimises: minimises.plus(guided.plus(orthogonality).times(guide)),
      terms: { ...terms, 'guided reconstruction': guided, orthogonality },
    };
  },
});
