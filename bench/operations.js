// @ts-check
/** How many operations a training step's products take, in the forms in which they run. */
import { grad, inOrder } from '../dist/tensor/index.js';
import { stepOf } from './models.js';

/**
 * A convolution of an up-sampled image counts as the transposed one that it is written as, and so on: the step's symbolic
 * graph is counted, after its rewritings. @param {import('./models.js').Case} one
 */
export function operationsOf(one) {
  const { minimises, groups } = stepOf(one, 1).steps.train;
  const gradients = grad(
    minimises,
    groups.flatMap(({ parameters }) => parameters),
  );
  return 2 * inOrder([minimises, ...gradients]).reduce((sum, tensor) => sum + multiplications(tensor), 0);
}

/** @param {import('../dist/tensor/index.js').Tensor} tensor */
function multiplications({ op, inputs, shape }) {
  const size = (/** @type {import('../dist/tensor/index.js').Shape} */ dimensions) =>
    dimensions.reduce((/** @type {number} */ product, one) => product * Number(one), 1);
  switch (op.name) {
    case 'conv2d':
      return size(shape) * size(inputs[1].shape.slice(1));
    case 'convTranspose2d':
      return size(inputs[0].shape) * size(inputs[1].shape.slice(1));
    case 'filterGradient':
      return size(inputs[1].shape) * size(shape.slice(1));
    case 'product':
      // Rows · inner · columns, squared: the inner dimension is what both operands share.
      return Math.sqrt(size(inputs[0].shape) * size(inputs[1].shape) * size(shape));
    default:
      return 0;
  }
}
