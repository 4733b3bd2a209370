/**
 * The label-only classifier that PartedVAE is compared with (section 5.1): its encoder up to c, trained on the cross-entropy of
 * the labelled items (Eq. 7) and nothing else.
 */
import { tensorShape } from '../../model/index.ts';
import { apply, type Build, linear, networkFor } from '../../nn/index.ts';
import { constant, type Tensor } from '../../tensor/index.ts';
import { autoencoderOptions } from '../autoencoder.ts';
import { classes, items } from '../inputs.ts';
import { method } from '../method.ts';
import { trainingStep } from '../parameters.ts';
import { classBlocks, classPosteriors, classTerms, parts } from './class-blocks.ts';

export const classifier = method({
  name: 'classifier',
  title: 'Classifier',
  summary: 'Learns the classes from labelled items alone: the baseline of methods that also use unlabelled ones.',
  paper: { cite: 'Hajimiri, Lotfi and Baghshah 2021', equations: 'Eq. 7 alone, section 5.1' },
  needs: 'labels',
  options: { network: autoencoderOptions.network },
  presets: { mnist: { network: 'parted-mnist' } },
  build(context, { network }) {
    const c = classBlocks(context, 'c');
    const sizes = c.map(({ size }) => size);
    const width = sizes.reduce((total, size) => total + size, 0);
    const logitsOf = (b: Build, x: Tensor) => {
      const h = apply(b.at('encoder'), networkFor(network, context.item).encoder, x);
      return parts(linear(b.at('c'), h, width), sizes);
    };
    return {
      blocks: c,
      encode: (b, x) => classPosteriors(c, logitsOf(b, x)),
      // A classifier draws nothing: every item is empty.
      decode(_, codes) {
        const item = tensorShape(context.item);
        const code = codes[c[0].name];
        const none = code
          .slice(1, 0, 1)
          .times(0)
          .reshape([code.shape[0], ...item.map(() => 1)]);
        return none.plus(constant(new Float32Array(item.reduce((size, side) => size * side, 1)), [1, ...item]));
      },
      steps(b) {
        const x = items(b, context);
        const terms = classTerms(logitsOf(b, x), classes(b, context));
        return [
          trainingStep(b, {
            minimises: terms.classification,
            terms,
          }),
        ];
      },
    };
  },
});
