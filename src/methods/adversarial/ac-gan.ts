/**
 * The auxiliary classifier GAN (Odena, Olah and Shlens 2017, Eq. 2 and 3): the discriminator tells real from drawn (L_S) and names
 * the class of both (L_C). It maximises L_S + L_C, the generator L_C − L_S.
 */
import { type Build, linear } from '../../nn/index.ts';
import { concat, softplus, stackRows, stopGradient, type Tensor, unstackRows } from '../../tensor/index.ts';
import { classBlocks, classTerms, joinedCodes, parts } from '../classes/class-blocks.ts';
import { classes, items } from '../inputs.ts';
import { method } from '../method.ts';
import { frozen } from '../parameters.ts';
import {
  adversaries,
  ganOptions,
  ganPresets,
  ganTraining,
  generate,
  noiseBlock,
  realFeatures,
  tellApart,
} from './cgan.ts';

export const acGan = method({
  name: 'ac-gan',
  title: 'AC-GAN',
  summary: 'Draws pictures of a class against a discriminator that also has to name the class.',
  paper: { cite: 'Odena, Olah and Shlens 2017', equations: 'Eq. 2 and 3' },
  needs: 'labels',
  options: ganOptions,
  presets: ganPresets,
  training: ganTraining,
  build(context, { latents, network, gamma }) {
    const y = classBlocks(context);
    const sizes = y.map(({ size }) => size);
    const width = sizes.reduce((total, size) => total + size, 0);
    const judge = (b: Build, x: Tensor) => {
      const h = realFeatures(b, context, network, x);
      return { score: linear(b.at('source'), h, 1), logits: linear(b.at('class'), h, width) };
    };
    return {
      blocks: [...y, noiseBlock(latents)],
      decode: (b, codes) => generate(b, context, network, codes.z, joinedCodes(y, codes)),
      steps(b) {
        const x = items(b, context);
        const known = classes(b, context);
        const noise = b.noise('noise of z', [latents], 'normal');
        const drawn = generate(b, context, network, noise, concat(known, 1));
        const terms = (logits: Tensor) => classTerms(parts(logits, sizes), known);
        const both = judge(b.at('discriminator'), stackRows([x, stopGradient(drawn)]));
        const [realScore, drawnScore] = unstackRows(both.score, [x, drawn]);
        const [realLogits, drawnLogits] = unstackRows(both.logits, [x, drawn]);
        const told = tellApart(realScore, drawnScore, x, gamma);
        const { classification, accuracy } = terms(realLogits);
        const judged = judge(frozen(b.at('discriminator')), drawn);
        const generator = softplus(judged.score.negate()).mean();
        const drawnClass = terms(judged.logits).classification;
        return [
          {
            name: 'train',
            minimises: generator
              .plus(drawnClass)
              .plus(told.loss)
              .plus(classification)
              .plus(terms(drawnLogits).classification),
            terms: {
              generator,
              ...told.terms,
              classification,
              'classification of drawn': drawnClass,
              accuracy,
            },
            groups: adversaries(b),
          },
        ];
      },
    };
  },
});
